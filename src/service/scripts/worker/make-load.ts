import type { MessagePort } from "node:worker_threads";
import type { ScriptPhase } from "../script-run.ts";
import type { LoadOrder, LoadReport, LoadTask, LoadUser } from "../worker-task.ts";
import { closeThread } from "./close-thread.ts";
import { scriptDataTables } from "./data-table.ts";
import { describeError } from "./describe-error.ts";
import { current, LoadIteration } from "./load-iteration.ts";
import { MemoryFiles } from "./memory-files.ts";
import { patchTime } from "./patch-time.ts";
import { randomOf } from "./random.ts";
import { furnishThread, outputDir } from "./script-room.ts";
import { TimerQueue } from "./timer-queue.ts";

const real = { setTimeout, clearTimeout, setInterval };
const realNow = performance.now.bind(performance);
const originMs = performance.timeOrigin;
const aliveEveryMs = 250;

/** Makes the load of some users of a run, and reports every iteration once it has ended. */
export async function makeLoad(task: LoadTask, port: MessagePort): Promise<void> {
  const load = new Load(task, port);
  load.furnish();
  await load.run();
}

class Load {
  readonly #task: LoadTask;
  readonly #post: (report: LoadReport) => void;
  readonly #port: MessagePort;
  readonly #users: Promise<void>[] = [];
  /** Ends the pauses of users. */
  readonly #pauses = new Set<() => void>();
  readonly #dataTable: unknown;
  #endMs: number;
  #isReady = true;

  constructor(task: LoadTask, port: MessagePort) {
    this.#task = task;
    this.#port = port;
    this.#post = port.postMessage.bind(port);
    this.#endMs = task.endMs;
    this.#dataTable = scriptDataTables(task.input.dataTables, randomOf(`${task.input.seed} rows`));
  }

  furnish(): void {
    const { input } = this.#task;
    const random = randomOf(`${input.seed} random`);
    closeThread(this.#task, outputDir);
    patchTime(new TimerQueue("exact"), input.startedAt + this.#now(), random);
    const fail = (thrown: unknown) => {
      const iteration = current.getStore();
      if (iteration === undefined) throw new Error(`${describeError(thrown)} (no iteration is known that did it)`);
      iteration.fail(thrown);
    };
    process.on("uncaughtException", fail);
    process.on("unhandledRejection", fail);
    this.#port.on("message", (order: LoadOrder) => this.#obey(order));
    // Globals that a script finds through globalThis belong to no iteration that counts.
    const nobody = new LoadIteration(this.#task);
    furnishThread(nobody.room(new MemoryFiles(outputDir, nobody.recorder), this.#dataTable));
    real.setInterval(() => this.#post({ kind: "alive" }), aliveEveryMs).unref();
  }

  async run(): Promise<void> {
    const { input, users } = this.#task;
    const [first] = users;
    if (input.init && first) this.#isReady = await this.#iterate(first, { phase: "init", iteration: 0 });
    if (this.#isReady) this.#add(users);
    // Users may join meanwhile.
    for (let ended = 0; ended < this.#users.length; ended++) await this.#users[ended];
    if (input.teardown && first) await this.#iterate(first, { phase: "teardown", iteration: 0 });
    this.#post({ kind: "ended" });
    this.#port.close();
  }

  #obey(order: LoadOrder): void {
    if (order.kind === "users") this.#add(order.users);
    else this.#end(order.endMs);
  }

  #end(endMs: number): void {
    this.#endMs = endMs;
    for (const wake of [...this.#pauses]) wake();
  }

  #add(users: readonly LoadUser[]): void {
    for (const user of users) this.#users.push(this.#user(user));
  }

  async #user(of: LoadUser): Promise<void> {
    const { iterations, sleepMs } = this.#task;
    const { regionId, user } = of;
    await this.#until(of.startMs);
    if (this.#now() >= this.#endMs) return;
    this.#post({ kind: "begins", regionId, user, atMs: this.#now() });
    for (let iteration = 0; this.#now() < this.#endMs; ) {
      await this.#iterate(of, { phase: "main", iteration });
      iteration += 1;
      if (iterations !== null && iteration >= iterations) break;
      await this.#until(this.#now() + sleepMs);
    }
    this.#post({ kind: "leaves", regionId, user, atMs: this.#now() });
  }

  /** One iteration of a user; whether it came to its own end. */
  async #iterate(
    { regionId, user, info }: LoadUser,
    { phase, iteration }: { readonly phase: ScriptPhase; readonly iteration: number },
  ): Promise<boolean> {
    const startMs = this.#now();
    const { input } = this.#task;
    const seed = `${input.seed} region ${regionId} user ${user} ${phase} ${iteration}`;
    const own = { ...input, seed, startedAt: input.startedAt + startMs, info: { ...info, iteration } };
    const made = new LoadIteration({ ...this.#task, input: own });
    await made.run(phase, this.#dataTable);
    const { reports } = made;
    this.#post({ kind: "iteration", phase, regionId, user, iteration, startMs, endedMs: this.#now(), reports });
    return made.recorder.failure === undefined;
  }

  /** Waits until a moment of the run, or until no iteration may begin any more. */
  async #until(untilMs: number): Promise<void> {
    while (this.#now() < Math.min(untilMs, this.#endMs))
      await new Promise<void>((resolve) => {
        const ms = Math.min(untilMs, this.#endMs) - this.#now();
        const wake = () => {
          this.#pauses.delete(wake);
          real.clearTimeout(timer);
          resolve();
        };
        const timer = real.setTimeout(wake, Math.max(1, ms));
        this.#pauses.add(wake);
      });
  }

  /** Milliseconds from the start of the run. */
  #now(): number {
    return originMs + realNow() - this.#task.baseMs;
  }
}
