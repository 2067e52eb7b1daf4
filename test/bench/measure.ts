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
  readonly stderr: string;
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
): Promise<Run & { stderr: string; used: string }> {
  const before = performance.now();
  const child = start(command, args, cwd, env);
  const [stdout, stderr, used] = child.stdio.slice(1).map((stream) => collect(stream as NodeJS.ReadableStream));
  const [code] = (await once(child, "close")) as [number | null];
  const wallMs = performance.now() - before;
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} ended with ${code}:\n${stdout?.()}${stderr?.()}`);
  return { wallMs, stdout: stdout?.() ?? "", stderr: stderr?.() ?? "", used: used?.() ?? "" };
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

/** CPU times of pairs that ran one after the other: both sides of a pair had the same neighbours on this machine. */
export interface Pairs {
  /** The median of the pairs' ratios, left over right. */
  readonly ratio: number;
  /** The medians of both sides. */
  readonly leftMs: number;
  readonly rightMs: number;
}

/** Runs two sides in turn, so many times each. */
export async function pairsOf(
  times: number,
  left: () => Promise<NodeRun>,
  right: () => Promise<NodeRun>,
): Promise<Pairs> {
  const pairs: (readonly [number, number])[] = [];
  for (let index = 0; index < times; index++) pairs.push([(await left()).cpuMs, (await right()).cpuMs]);
  return {
    ratio: medianOf(pairs.map(([one, other]) => one / other)),
    leftMs: medianOf(pairs.map(([one]) => one)),
    rightMs: medianOf(pairs.map(([, other]) => other)),
  };
}

function medianOf(figures: readonly number[]): number {
  return [...figures].sort((one, other) => one - other)[Math.floor(figures.length / 2)] ?? 0;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  return () => Buffer.concat(parts).toString("utf8");
}
