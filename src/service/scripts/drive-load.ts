import { loadLimits } from "./load-limits.ts";
import { isLoadReport, LoadedUsers } from "./load-reports.ts";
import type { OpenWorker, ScriptThreads } from "./open-worker.ts";
import { Reports } from "./read-reports.ts";
import { scriptRunOf, withoutTypes } from "./run-script.ts";
import { scriptLimits, threadEnd, watchGrowth } from "./run-worker.ts";
import type { ScriptPhase, ScriptRun } from "./script-run.ts";
import type { LoadOrder, LoadReport, LoadTask, LoadUser } from "./worker-task.ts";

/** Whose iteration it is, and when it was; times are milliseconds from the start of the run. */
export interface LoadedIteration {
  readonly phase: ScriptPhase;
  readonly regionId: number;
  readonly user: number;
  readonly iteration: number;
  readonly startMs: number;
  readonly endedMs: number;
}

/** Who hears of a load while it is made. */
export interface LoadListener {
  readonly begins: (user: Pick<LoadUser, "regionId" | "user">, atMs: number) => void;
  readonly leaves: (user: Pick<LoadUser, "regionId" | "user">, atMs: number) => void;
  readonly iterated: (iteration: LoadedIteration, run: ScriptRun) => void;
  /** Workers were ended before they ended by themselves, with the users that ran in them. */
  readonly lost: (message: string, users: readonly Pick<LoadUser, "regionId" | "user">[]) => void;
}

/** A thread that says nothing for so long is caught in a loop. */
const longestSilenceMs = 5_000;
/** So long an iteration may go on when none may begin any more. */
const graceMs = 5_000;
const lookEveryMs = 100;

interface Crew {
  readonly open: OpenWorker;
  readonly users: LoadedUsers;
  heardAt: number;
  hasEnded: boolean;
}

/** Makes the load of a run in threads, which are ended at their limits. */
export class DrivenLoad {
  readonly #task: Omit<LoadTask, "kind" | "baseMs">;
  readonly #listener: LoadListener;
  readonly #baseMs = performance.timeOrigin + performance.now();
  #crews: readonly Crew[] = [];
  #endMs: number;
  #added = 0;

  constructor(task: Omit<LoadTask, "kind" | "baseMs">, listener: LoadListener) {
    this.#task = task;
    this.#listener = listener;
    this.#endMs = task.endMs;
  }

  /** Milliseconds since it began. */
  get elapsedMs(): number {
    return performance.timeOrigin + performance.now() - this.#baseMs;
  }

  /** Resolves when all of it has ended; never rejects because of a script. */
  async run(end: AbortSignal, threads: ScriptThreads): Promise<void> {
    const plain = await withoutTypes(this.#task.input, { ...scriptLimits, threads, end });
    if (typeof plain === "string") return this.#listener.lost(plain, []);
    const refused = threads.whyNone();
    if (refused !== undefined) return this.#listener.lost(refused, []);
    const shares = sharesOf(this.#task);
    const exits: Promise<void>[] = [];
    this.#crews = await Promise.all(
      shares.map(async (users) => {
        const task = { ...this.#task, kind: "load", input: plain, users, baseMs: this.#baseMs } as const;
        const open = await threads.open(task, loadLimits.heapMb);
        const crew = { open, users: new LoadedUsers(), heardAt: this.elapsedMs, hasEnded: false };
        exits.push(this.#follow(crew));
        return crew;
      }),
    );
    const stopAll = (text: string) => {
      for (const crew of this.#crews) this.#stop(crew, text);
    };
    const close = () => stopAll("the load was ended: the service was closed");
    end.addEventListener("abort", close, { once: true });
    if (end.aborted) close();
    const stopWatching = watchGrowth(loadLimits, stopAll);
    const look = setInterval(() => this.#look(), lookEveryMs);
    this.setEnd(this.#endMs);
    await Promise.all(exits);
    clearInterval(look);
    stopWatching();
    end.removeEventListener("abort", close);
  }

  /** From this moment on no iteration begins. */
  setEnd(endMs: number): void {
    this.#endMs = endMs;
    for (const { open } of this.#crews) open.worker.postMessage({ kind: "end", endMs } satisfies LoadOrder);
  }

  /** More users, one thread after the other. */
  add(users: readonly LoadUser[]): void {
    const busy = this.#crews.filter(({ hasEnded }) => !hasEnded);
    for (const user of users) {
      const order: LoadOrder = { kind: "users", users: [user] };
      busy[this.#added++ % Math.max(1, busy.length)]?.open.worker.postMessage(order);
    }
  }

  async #follow(crew: Crew): Promise<void> {
    const { worker, ended } = crew.open;
    worker.on("message", (report: unknown) => {
      crew.heardAt = this.elapsedMs;
      if (isLoadReport(report) && !crew.hasEnded) this.#hear(crew, report);
    });
    worker.on("error", (thrown: unknown) => this.#stop(crew, threadEnd(thrown, loadLimits)));
    await ended;
    this.#stop(crew, "a thread of the load ended before its users did");
  }

  #hear(crew: Crew, report: LoadReport): void {
    if (report.kind === "alive") return;
    if (report.kind === "ended") {
      crew.hasEnded = true;
      crew.open.end();
      return;
    }
    if (report.kind !== "iteration") {
      crew.users.note(report);
      this.#listener[report.kind](report, report.atMs);
      return;
    }
    const { reports, ...iteration } = report;
    const heard = new Reports();
    for (const each of reports) heard.add(each);
    this.#listener.iterated(iteration, scriptRunOf(heard, heard.failure));
  }

  #look(): void {
    const now = this.elapsedMs;
    for (const crew of this.#crews) {
      if (now - crew.heardAt > longestSilenceMs)
        this.#stop(
          crew,
          `a thread of the load was ended: its script let nothing else happen for ${longestSilenceMs / 1000} s`,
        );
      else if (now > this.#endMs + graceMs)
        this.#stop(crew, `iterations were ended that went on ${graceMs / 1000} s after the end of the run`);
    }
  }

  #stop(crew: Crew, text: string): void {
    if (crew.hasEnded) return;
    crew.hasEnded = true;
    this.#listener.lost(text, crew.users.present);
    crew.open.end();
  }
}

/** DECISION (API 1, Test configuration: where init and teardown run): a scenario that has one of them runs in one thread, so that they run once. */
function sharesOf({ users, input }: Pick<LoadTask, "users" | "input">): readonly (readonly LoadUser[])[] {
  const isSingle = users.length < 2 || Boolean(input.init) || Boolean(input.teardown);
  const count = isSingle ? 1 : loadLimits.workers;
  return Array.from({ length: count }, (_, at) => users.filter((_user, index) => index % count === at));
}
