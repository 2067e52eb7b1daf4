import { createRequire } from "node:module";
import type { Target } from "../settings.ts";
import { ScriptThreads } from "./open-worker.ts";
import type { Reports } from "./read-reports.ts";
import { type Bounds, type Limits, runWorker, scriptLimits } from "./run-worker.ts";
import type { ScriptInput, ScriptNetwork, ScriptRun } from "./script-run.ts";
import type { ScriptSource } from "./worker-task.ts";

/** Options of a script's run. */
export interface RunScriptOptions {
  readonly network: ScriptNetwork;
  /** Targets that answer simulated requests. */
  readonly targets: readonly Target[];
  /** Hosts that `loopback` reaches beside this machine. */
  readonly allowedHosts: readonly string[];
  /** Default: threads of its own. */
  readonly threads?: ScriptThreads;
  /** Stops it when the service ends. */
  readonly end?: AbortSignal;
  /** Narrower ones in tests. */
  readonly limits?: Partial<Limits>;
}

/**
 * Runs init, main and teardown of a scenario once each, in a thread that is stopped at its limits. Whatever the script does
 * ends in a run: it never rejects because of a script. With the simulated network the same input makes the same run.
 */
export async function runScript(input: ScriptInput, options: RunScriptOptions): Promise<ScriptRun> {
  const { threads = new ScriptThreads() } = options;
  const bounds = { ...scriptLimits, ...options.limits, threads, ...(options.end && { end: options.end }) };
  const plain = await withoutTypes(input, bounds);
  if (typeof plain === "string") return scriptRunOf(undefined, plain);
  const { network, targets, allowedHosts } = options;
  const reports = await runWorker({ kind: "run", input: plain, network, targets, allowedHosts }, bounds);
  const hasEnded = reports.phases.has("end") || reports.failure !== null;
  return scriptRunOf(reports, hasEnded ? reports.failure : "the script's thread ended before the script did");
}

const texts = ["init", "main", "teardown"] as const;
/** Syntax that CommonJS does not have: static import and export, and import(). */
const moduleSyntax = /^\s*(?:import\b\s*[\w{*"'$]|export\b\s*[\w{*])|\bimport\s*\(/m;

/** The input as plain JavaScript, or why it cannot be made. Compiled in a thread too: it is somebody's text. */
export async function withoutTypes(input: ScriptInput, bounds: Bounds): Promise<ScriptInput | string> {
  const isTyped = input.language === "typescript";
  const sources = texts.flatMap((name): ScriptSource[] => {
    const text = input[name] ?? "";
    return isTyped || moduleSyntax.test(text) ? [{ name, text, isTyped }] : [];
  });
  if (sources.length === 0) return input;
  const jiti = createRequire(import.meta.url).resolve("jiti");
  const { stripped, failure } = await runWorker({ kind: "strip", jiti, sources }, { ...bounds, heapMb: 256 });
  if (stripped === undefined) return `the script could not be compiled: ${failure ?? "its thread ended"}`;
  return { ...input, ...Object.fromEntries(sources.map(({ name }, at) => [name, stripped[at] ?? ""])) };
}

/** A run as it is answered: times from the beginning of main. */
export function scriptRunOf(reports: Reports | undefined, failure: string | null): ScriptRun {
  const {
    requests = [],
    metrics = [],
    tests = [],
    files = [],
    logs = [],
    phases = new Map(),
    lastMs = 0,
  } = reports ?? {};
  const initMs = phases.get("main") ?? 0;
  const totalMs = phases.get("end") ?? lastMs;
  const mainEnd = phases.get("teardown") ?? totalMs;
  const isLogged = failure === null || logs.some(({ message, level }) => message === failure || level === "Fatal");
  const own = isLogged ? [] : [{ level: "Error" as const, message: failure, atMs: totalMs }];
  const hasFailed = requests.some(({ success }) => !success) || tests.some(({ state }) => state === "failed");
  const at = <T extends { readonly atMs: number }>(each: T): T => ({ ...each, atMs: each.atMs - initMs });
  return {
    success: failure === null && !hasFailed && !logs.some(({ level }) => level === "Fatal"),
    initMs,
    durationMs: Math.max(0, mainEnd - initMs),
    totalMs,
    requests: requests.map((each) => ({ ...each, startMs: each.startMs - initMs })),
    metrics: metrics.map(at),
    tests: tests.map((each) => ({
      ...each,
      startedMs: each.startedMs - initMs,
      finishedMs: each.finishedMs - initMs,
    })),
    logs: [...logs, ...own].map(at),
    files: files.map(at),
    failure,
  };
}
