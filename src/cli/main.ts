import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ExitCode } from "../report/exit-codes.ts";
import { useCodeCache, writeCodeCache } from "./code-cache.ts";
import type { CommandInput } from "./command.ts";
import { commandTable } from "./command-table.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { loadCommand } from "./load-command.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { loadSeveral } from "./projects/load-several.ts";
import type { Terminal } from "./terminal.ts";
import { adjustTerminal, keepForResults, processTerminal } from "./terminal.ts";
import { notBuilt } from "./usage-problem.ts";

/**
 * A command lives for less than a second and walks much data once, so compiling for speed mostly costs: the HTTP parser, which
 * is WebAssembly, a second time takes a tenth of a second; and with the own budget of Node 20's V8 a plan of 10,000 objects
 * that compares them all takes a third more CPU time than with this one, which later versions do not know.
 */
const shortRun = {
  flags: ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"],
  ofNode20: { v8: "11.", flags: ["--interrupt-budget=2400000"] },
};

/** `run` follows for an hour what others measure: it does little, and beside a build its memory counts, not its time. */
const longRun: readonly string[] = ["--optimize-for-size"];

/** Runs one command line in a process and ends the process; `home` is the package's folder. */
export async function main(host: NodeJS.Process, home: URL): Promise<void> {
  const { stdin, stdout, stderr, env } = host;
  const terminal = processTerminal({ stdin, stdout, stderr, env });
  keepForResults({ stdout, stderr });
  const code = await runCommandLine(host, terminal, home);
  await terminal.flush();
  const lost = terminal.lost();
  if (lost !== undefined) terminal.err(`stdout cannot be written: ${lost}. The output is incomplete\n`);
  await terminal.flush();
  // A run that failed compiled too little to be worth it.
  if (successes.includes(code)) await writeCodeCache();
  host.exit(lost === undefined || !successes.includes(code) ? code : 1);
}

/** Codes that promise a result on stdout. */
const successes: readonly ExitCode[] = [0, 2];

async function runCommandLine(host: NodeJS.Process, given: Terminal, home: URL): Promise<ExitCode> {
  const argv = host.argv.slice(2);
  const line = parseCommandLine(argv, commandTable);
  // A line that cannot be read may still say how its refusal is printed.
  const terminal = adjustTerminal(given, line.is === "command" ? line.flags : { color: !argv.includes("--no-color") });
  const version = () => versionIn(home);
  switch (line.is) {
    case "text":
      terminal.out(line.text);
      return 0;
    case "version":
      terminal.out(`${version()}\n`);
      return 0;
    case "wrong":
      terminal.err(line.help ?? "");
      return refuseLine(terminal, argv, line.diagnostics);
    case "command": {
      const { spec, args, flags } = line;
      const interrupt = listenForInterrupts(host);
      const { env } = host;
      const log = env["LOADFORM_LOG"] === "debug" ? (text: string) => terminal.err(`${text}\n`) : undefined;
      const input = { spec, args, flags, argv, terminal, interrupt, env, cwd: host.cwd(), version, home };
      return runCommand(host, { ...input, ...(log && { log }) });
    }
  }
}

async function runCommand(host: NodeJS.Process, input: CommandInput): Promise<ExitCode> {
  host.once("uncaughtException", (thrown) => void reportStray(host, input, thrown));
  try {
    await prepareEngine(host, input);
    const command = (await loadSeveral(input)) ?? (await loadCommand(input.spec.name));
    if (command === undefined) return refuseLine(input.terminal, input.argv, [notBuilt(`loadform ${input.spec.name}`)]);
    return input.interrupt.orCode(await command(input));
  } catch (thrown) {
    return report(input, thrown);
  }
}

/** Makes V8 fit a command's life, each version by what it offers. */
async function prepareEngine(host: NodeJS.Process, input: CommandInput): Promise<void> {
  for (const flag of engineFlags(host, input.spec.name)) setFlagsFromString(flag);
  await chooseCodeCache(host, input);
}

function engineFlags({ versions }: NodeJS.Process, command: string): readonly string[] {
  if (command === "serve") return [];
  const { flags, ofNode20 } = shortRun;
  const isNode20 = versions.v8.startsWith(ofNode20.v8);
  return [...flags, ...(isNode20 ? ofNode20.flags : []), ...(command === "run" ? longRun : [])];
}

/** Chooses the file of the code cache, in the user's cache folder; `main` writes it after a run that succeeded. */
async function chooseCodeCache(host: NodeJS.Process, { spec, home, version, env }: CommandInput): Promise<void> {
  const { digestOf, purposeCache } = await import("../workspace/user-cache.ts");
  const cache = await purposeCache(`code of ${version()} in ${home.href}`, env);
  // V8 takes compiled code from its own version under the same flags alone.
  const engine = digestOf(JSON.stringify([host.versions.v8, host.arch, host.execArgv, env["NODE_OPTIONS"]]));
  const name = [...spec.name.split(" "), engine.slice(0, 8)].join("-");
  if (cache !== undefined) useCodeCache(join(cache.path, name), cache.digestOf);
}

/** Says this much even where not even our own files can be opened, as without a free descriptor. */
async function report(input: CommandInput, thrown: unknown): Promise<ExitCode> {
  const view = await import("./views/report-refusal.ts").catch(() => undefined);
  if (view !== undefined) return view.reportDefect(input, thrown);
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  const detail = `The system refuses to open files (${words}): see ulimit -n`;
  input.terminal.err(`error LF1002: loadform ${input.spec.name} cannot use its own files\n  ${detail}\n`);
  return 1;
}

/** A defect outside of the command's promises still ends with a code and without a stack. */
async function reportStray(host: NodeJS.Process, input: CommandInput, thrown: unknown): Promise<void> {
  const code = await report(input, thrown);
  await input.terminal.flush();
  host.exit(code);
}

async function refuseLine(
  terminal: Terminal,
  argv: readonly string[],
  diagnostics: readonly Diagnostic[],
): Promise<ExitCode> {
  const { reportRefusal } = await import("./views/report-refusal.ts");
  return reportRefusal(terminal, argv, diagnostics);
}

function versionIn(home: URL): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("package.json", home), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "unknown";
}
