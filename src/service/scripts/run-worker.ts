import { reasonOf } from "../refusal.ts";
import type { ScriptThreads } from "./open-worker.ts";
import { Reports } from "./read-reports.ts";
import type { WorkerTask } from "./worker-task.ts";

/** Limits at which a worker is stopped. */
export interface Limits {
  /** Wall time. */
  readonly ms: number;
  /** Heap of its own, in MB. */
  readonly heapMb: number;
  /** Growth of the whole process meanwhile, in MB: buffers are outside the heap. */
  readonly growthMb: number;
}

/** The limits of a worker, where it runs, and who else may stop it. */
export interface Bounds extends Limits {
  readonly threads: ScriptThreads;
  readonly end?: AbortSignal;
}

/** DECISION (API 1, Scenarios: POST /scripts/:id/run): a script has 30 seconds and 64 MB. */
export const scriptLimits: Limits = { ms: 30_000, heapMb: 64, growthMb: 768 };

const lookEveryMs = 50;

/** Carries a task out in a thread of its own, which is stopped at its limits; what it reported until then is kept. */
export async function runWorker(task: WorkerTask, limits: Bounds): Promise<Reports> {
  const reports = new Reports();
  const refused = limits.threads.whyNone();
  if (refused !== undefined) reports.add({ kind: "failure", value: refused });
  if (refused !== undefined) return reports;
  const open = await limits.threads.open(task, limits.heapMb);
  const stop = (text: string) => {
    reports.add({ kind: "failure", value: text });
    open.end();
  };
  const close = () => stop("the script was stopped: the service was closed");
  limits.end?.addEventListener("abort", close, { once: true });
  if (limits.end?.aborted) close();
  const stopTimer = setTimeout(() => stop(tooLong(limits)), limits.ms);
  const stopWatching = watchGrowth(limits, stop);
  open.worker.on("message", (report: unknown) => reports.add(report));
  open.worker.on("error", (thrown: unknown) => reports.add({ kind: "failure", value: threadEnd(thrown, limits) }));
  await open.ended;
  clearTimeout(stopTimer);
  limits.end?.removeEventListener("abort", close);
  stopWatching();
  return reports;
}

function tooLong({ ms }: Limits): string {
  return `the script was stopped after ${ms / 1000} s: expected it to end by itself before`;
}

function tooLarge({ heapMb }: Pick<Limits, "heapMb">): string {
  return `the script was stopped: it took more than ${heapMb} MB of memory`;
}

/** Why a thread ended. */
export function threadEnd(thrown: unknown, limits: Pick<Limits, "heapMb">): string {
  const code: unknown = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
  if (code === "ERR_WORKER_OUT_OF_MEMORY") return tooLarge(limits);
  return `the script's thread ended: ${reasonOf(thrown)}`;
}

/** Stops what makes the process grow; answers how to stop watching. */
export function watchGrowth({ growthMb }: Pick<Limits, "growthMb">, stop: (text: string) => void): () => void {
  const start = process.memoryUsage.rss();
  const look = setInterval(() => {
    if (process.memoryUsage.rss() - start > growthMb * 1024 * 1024)
      stop(`the script was stopped: the process grew by more than ${growthMb} MB while it ran`);
  }, lookEveryMs);
  return () => clearInterval(look);
}
