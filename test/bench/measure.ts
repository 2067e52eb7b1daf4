import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { repository } from "../support/source-files.ts";

/** The built command line: what users run, without npx. */
export const program = join(repository, "dist", "bin.js");

/** What one run of a program cost. */
export interface Run {
  readonly wallMs: number;
  readonly stdout: string;
}

/** The same with what the process itself knows. */
export interface NodeRun extends Run {
  readonly cpuMs: number;
  readonly rssMb: number;
}

/** The environment without what would change the numbers: a certificate bundle costs every Node 50 ms. */
const clean = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== "NODE_EXTRA_CA_CERTS" && !name.startsWith("LOADFORM_")),
  ),
  LOADFORM_API_KEY: "local",
};

/** Variables beside those of the bench. */
type Environment = Readonly<Record<string, string>>;

/** Starts a program in the bench's environment; its last channel tells what it used. */
export function start(command: string, args: readonly string[], cwd = repository, env: Environment = {}) {
  return spawn(command, args, { cwd, env: { ...clean, ...env }, stdio: ["ignore", "pipe", "pipe", "pipe"] });
}

/** Runs a program to its end; anything but exit 0 stops the bench with its words. */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd?: string; readonly env?: Environment } = {},
): Promise<Run & { used: string }> {
  const before = performance.now();
  const child = start(command, args, cwd, env);
  const [stdout, stderr, used] = child.stdio.slice(1).map((stream) => collect(stream as NodeJS.ReadableStream));
  const [code] = (await once(child, "close")) as [number | null];
  const wallMs = performance.now() - before;
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} ended with ${code}:\n${stdout?.()}${stderr?.()}`);
  return { wallMs, stdout: stdout?.() ?? "", used: used?.() ?? "" };
}

/** Runs loadform and asks the process what it used. */
export async function runLoadform(args: readonly string[], env: Environment = {}): Promise<NodeRun> {
  const report = join(import.meta.dirname, "report-usage.cjs");
  const { used, ...plain } = await run(process.execPath, ["--require", report, program, ...args], { env });
  return { ...plain, ...(JSON.parse(used) as { cpuMs: number; rssMb: number }) };
}

/** The quickest of several runs: what else the machine does can only add to a run. */
export async function quickest<R extends Run>(times: number, once: () => Promise<R>): Promise<R> {
  const runs: R[] = [];
  for (let index = 0; index < times; index++) runs.push(await once());
  return runs.reduce((best, each) => (each.wallMs < best.wallMs ? each : best));
}

/** The CPU time of two runs, and of the first over the second: medians of pairs that ran one after the other, so that the machine's other work falls on both. */
export async function pairedCpu(times: number, first: () => Promise<NodeRun>, second: () => Promise<NodeRun>) {
  const pairs: { readonly firstMs: number; readonly secondMs: number }[] = [];
  for (let pair = 0; pair < times; pair++)
    pairs.push({ firstMs: (await first()).cpuMs, secondMs: (await second()).cpuMs });
  return {
    firstMs: median(pairs.map(({ firstMs }) => firstMs)),
    secondMs: median(pairs.map(({ secondMs }) => secondMs)),
    ratio: median(pairs.map(({ firstMs, secondMs }) => firstMs / secondMs)),
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString("utf8");
}
