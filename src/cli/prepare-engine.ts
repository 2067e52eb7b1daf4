import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { useCodeCache } from "./code-cache.ts";
import type { CommandInput } from "./command.ts";

/** The factor by which the memory of new objects grows where more of them survive than it holds. */
const newObjects = "--semi-space-growth-factor";

/**
 * A command lives for less than a second and walks much data once, so compiling for speed mostly costs: the HTTP parser, which
 * is WebAssembly, a second time takes a tenth of a second; and with the own budget of Node 20's V8 a plan of 10,000 objects
 * that compares them all takes a third more CPU time than with this one, which later versions do not know. A short command does not
 * earn what threads cost that collect new objects.
 */
const everyRun = {
  flags: ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"],
  ofNode20: {
    v8: "11.",
    flags: ["--interrupt-budget=2400000", "--no-parallel-scavenge"],
    /**
     * Most of what a plan makes lives as long as it does: to give new objects more and more memory costs a tenth of its time. What
     * sends many requests makes more that is soon done with: without this it takes a tenth less.
     */
    unlessWriting: [`${newObjects}=1`],
  },
};

/** To look for what is not needed any more piece by piece, in threads, costs a short run a tenth of its time, too. */
const shortRun: readonly string[] = ["--no-incremental-marking"];

/** `run` and `watch` wait for hours for what others do: they do little, and beside a build their memory counts, not their time. */
const longRun: readonly string[] = ["--optimize-for-size"];
const longRuns: ReadonlySet<string> = new Set(["run", "watch"]);
/** These answer calls, the same again and again, `terraform` those to the provider that it hosts: V8's own settings fit them. */
const answeringRuns: ReadonlySet<string> = new Set(["serve", "lsp", "terraform"]);
const writingRuns: ReadonlySet<string> = new Set(["apply", "destroy"]);

/**
 * Settings of glibc's malloc for a process that makes much and ends soon: it takes memory from the system in large pieces and gives
 * none back, which saves a tenth of a check's time. Nothing but glibc reads it, and only at a process's start.
 */
export const allocatorVariables: Readonly<Record<string, string>> = {
  GLIBC_TUNABLES: [
    ...["hugetlb=1", "arena_max=1", `top_pad=${8 * 2 ** 20}`],
    ...[`trim_threshold=${2 ** 27}`, `mmap_threshold=${2 ** 27}`],
  ]
    .map((tunable) => `glibc.malloc.${tunable}`)
    .join(":"),
};

/** A program of loadform that begins. */
export interface Beginning extends Pick<CommandInput, "home" | "version" | "env"> {
  /** Of the command; each has a code cache of its own. */
  readonly name: string;
}

/** Makes V8 fit a command's life, each version by what it offers. */
export async function prepareEngine(host: NodeJS.Process, input: Beginning): Promise<void> {
  for (const flag of engineFlags(host, input.name)) setFlagsFromString(flag);
  await chooseCodeCache(host, input);
}

function engineFlags({ versions }: NodeJS.Process, command: string): readonly string[] {
  if (answeringRuns.has(command)) return [];
  const { flags, ofNode20 } = everyRun;
  const ofVersion = versions.v8.startsWith(ofNode20.v8)
    ? [...ofNode20.flags, ...(writingRuns.has(command) ? [] : ofNode20.unlessWriting)]
    : [];
  return [...flags, ...ofVersion, ...(longRuns.has(command) ? longRun : shortRun)];
}

/** Text above which a project fills the memory that V8 begins with, in characters. */
const largeProject = 1e6;

/**
 * Text above which new objects get more memory, too: to collect them V8 looks at every page of the others, of which there are thousands. All
 * objects may grow to three times of what remained then before V8 looks again: most of a plan's remain, and a look takes a 20th of it.
 */
const hugeProject = { characters: 1e7, newObjects: 16, growth: 200 };

/** Bytes that a process may need beyond what it has before V8 looks for what is not needed any more: for any large project, and for each character. */
const roomOfLarge = { any: 80 * 2 ** 20, perCharacter: 18 };

/**
 * For a command that loads its projects once: lets the memory grow at once for the first large one. To look through it again and again
 * while it grows takes a twentieth of a plan.
 */
export function roomFor(command: string): { readonly makeRoom?: (characters: number) => void } {
  if (longRuns.has(command) || answeringRuns.has(command)) return {};
  let isMade = false;
  return {
    makeRoom(characters) {
      if (isMade || characters < largeProject) return;
      isMade = true;
      const room = roomOfLarge.any + characters * roomOfLarge.perCharacter;
      const percent = Math.ceil((room * 100) / process.memoryUsage().heapUsed);
      const isHuge = characters > hugeProject.characters;
      const bounds = isHuge ? engineFlags(process, command).filter((each) => each.startsWith(newObjects)) : [];
      const wider = bounds.map(() => `${newObjects}=${hugeProject.newObjects}`);
      for (const flag of ["--expose-gc", `--heap-growing-percent=${percent}`, ...wider]) setFlagsFromString(flag);
      // V8 gives new objects more only where more than they have has survived, and sets its next limit only where it has just looked.
      const surviving = bounds.flatMap(() => Array.from({ length: 30_000 }, () => [0, 0, 0]));
      (runInNewContext("gc") as () => void)();
      const growth = `--heap-growing-percent=${isHuge ? hugeProject.growth : 0}`;
      const after = ["--no-expose-gc", growth, ...(surviving.length > 0 ? bounds : [])];
      for (const flag of after) setFlagsFromString(flag);
    },
  };
}

/** Chooses the file of the code cache, in the user's cache folder; `main` writes it after a run that succeeded. */
async function chooseCodeCache(host: NodeJS.Process, { name, home, version, env }: Beginning): Promise<void> {
  const { digestOf, purposeCache } = await import("../workspace/user-cache.ts");
  const cache = await purposeCache(`code of ${version()} in ${home.href}`, env);
  // V8 takes compiled code from its own version under the same flags alone.
  const engine = digestOf(JSON.stringify([host.versions.v8, host.arch, host.execArgv, env["NODE_OPTIONS"]]));
  const file = [...name.split(" "), engine.slice(0, 8)].join("-");
  if (cache !== undefined) useCodeCache(join(cache.path, file), cache.digestOf);
}

/** Takes out of the environment what only the start needed: programs that this one starts get what they are given. */
export function forgetAllocator(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(allocatorVariables)) if (env[name] === value) delete env[name];
}

/** The version in the package's manifest. */
export function versionIn(home: URL): string {
  return (JSON.parse(readFileSync(new URL("package.json", home), "utf8")) as { readonly version: string }).version;
}
