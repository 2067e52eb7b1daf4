import { setTimeout } from "node:timers/promises";
import type { CheckResult } from "../../src/watch/check-result.ts";
import type { Notification } from "../../src/watch/notifications.ts";
import type { QueueDatabase } from "../../src/watch/queue/queue-session.ts";
import { type SharedWork, type SharingWatcher, shareProjects } from "../../src/watch/queue/share-projects.ts";
import type { WatchedProject } from "../../src/watch/watched-project.ts";

/** What happened at a worker. */
export interface WorkerLine {
  readonly worker: string;
  readonly is: "began" | "ended" | "lost" | "told" | "said" | "ready" | "used";
  /** A project; of what was said, the line; of what was used, microseconds of CPU. */
  readonly of: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly notification?: Notification;
}

export interface QueueWorkerTask {
  readonly worker: string;
  readonly database: QueueDatabase;
  readonly projects: readonly WatchedProject[];
  readonly slots: number;
  /** How long a check takes. */
  readonly checkMs: number;
  /** How long it goes on when it is told to end: the write that is under way. */
  readonly lingersMs?: number;
  readonly turnMs?: number;
  readonly finds?: (project: string) => CheckResult;
}

/** A project from git, as a queue accepts it. */
export function queued(name: string, settings: Partial<WatchedProject> = {}): WatchedProject {
  const source = { is: "git", url: "https://git.example.com/tests.git", branch: "main", path: name } as const;
  return {
    ...{ name, source, target: "https://load.example.com/api", prune: false, allowPrograms: false, suspend: [] },
    ...{ intervalSecs: 2, timeoutSecs: 600, ...settings },
  };
}

/** A check that found nothing to do. */
export const inSync: CheckResult = {
  is: "checked",
  found: {
    documents: "d",
    difference: "none",
    objects: 1,
    findings: [],
    unrecorded: [],
    blocked: [],
    warnings: [],
    plan: "",
  },
  requests: 1,
};

/** A worker with a check that takes a while and finds what it is told. */
export async function runQueueWorker(task: QueueWorkerTask, log: (line: WorkerLine) => void): Promise<SharingWatcher> {
  const { worker, database, projects, slots, checkMs, turnMs = 100, finds = () => inSync } = task;
  const note = (is: WorkerLine["is"], of: string, more: Partial<WorkerLine> = {}) =>
    log({ worker, is, of, at: Date.now(), ...more });
  const check: SharedWork["check"] = async ({ name }, _, signal) => {
    note("began", name);
    await setTimeout(checkMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) await setTimeout(task.lingersMs ?? 0);
    note(signal.aborted ? "lost" : "ended", name);
    return { result: signal.aborted ? { is: "failed", diagnostics: [] } : finds(name), commit: "c1" };
  };
  const run = await shareProjects(
    { database, projects, random: Math.random, turnMs },
    {
      ...{ check, slots: { fresh: slots, all: slots }, checked: () => undefined },
      tell: (notification) => note("told", notification.project, { notification }),
      say: (line) => note("said", line),
    },
  );
  note("ready", worker);
  return run;
}

/** The program of a worker process: a line of JSON for each thing that happens. */
export async function queueWorkerMain(task: string): Promise<void> {
  const print = (line: WorkerLine) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const read = JSON.parse(task) as QueueWorkerTask;
  const run = await runQueueWorker(read, print);
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    print({ worker: read.worker, is: "used", of: `${user + system}`, at: Date.now() });
  }, 1_000);
  process.once("SIGTERM", () => void run.stop().then(() => process.exit(143)));
}

/** Projects of which a check began before another one had ended. A worker that was killed ends its checks by that. */
export function twiceAtATime(lines: readonly WorkerLine[]): readonly string[] {
  const under = new Set<string>();
  const found: string[] = [];
  for (const { is, of } of lines) {
    if (is === "began" && under.has(of)) found.push(of);
    if (is === "began") under.add(of);
    if (is === "ended" || is === "lost") under.delete(of);
  }
  return found;
}
