import type { ScriptLog, ScriptPhase } from "../script-run.ts";
import { describeError } from "./describe-error.ts";
import type { Network } from "./network/network.ts";
import type { Recorder } from "./recorder.ts";
import type { TimerQueue } from "./timer-queue.ts";

const later = setImmediate;
/** Virtual time after which a script is taken for one that never ends. */
const longestMs = 3_600_000;

/** The iteration of a script, as far as the script itself acts on it. */
export type ScriptIteration = Pick<Iteration, "recorder" | "timers" | "end">;

/** An iteration that is recorded, and ended from within, by what it throws, or from outside. */
export abstract class RecordedIteration {
  readonly recorder: Recorder;
  readonly timers: TimerQueue;
  protected network: Network | undefined;
  protected hasEnded = false;

  constructor(recorder: Recorder, timers: TimerQueue) {
    this.recorder = recorder;
    this.timers = timers;
  }

  /** Something was thrown that nobody caught. */
  fail(thrown: unknown): void {
    if (!this.hasEnded) this.end(`${this.recorder.phase} failed: ${describeError(thrown)}`);
  }

  /** Ends what runs: nothing of it is waited for or recorded any more. */
  end(text: string, level: ScriptLog["level"] = "Error"): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.recorder.fail(text, level);
    this.recorder.isOpen = false;
    this.stop();
  }

  protected stop(): void {
    this.timers.clear();
    this.network?.end();
  }
}

/** Knows when nothing is left to be done in this thread, and lets virtual time jump only then. */
class EventLoop {
  readonly #timers: TimerQueue;
  readonly #endless: () => void;
  #idle: (() => void) | undefined;

  constructor(timers: TimerQueue, endless: () => void) {
    this.#timers = timers;
    this.#endless = endless;
    process.on("beforeExit", () => this.#turn());
  }

  /** Resolves when no timer, connection or other work remains. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle = resolve;
    });
  }

  #turn(): void {
    const timer = this.#timers.time === "virtual" ? this.#timers.next() : undefined;
    // DECISION (API 1, Scenarios: POST /scripts/:id/run): a script that sleeps takes no wall time, and one that keeps on after an hour of its own time has failed.
    if (timer && timer.at > longestMs) return void later(this.#endless);
    if (timer) return void later(() => this.#timers.fire(timer));
    const idle = this.#idle;
    this.#idle = undefined;
    if (idle) later(idle);
  }
}

/** The only iteration of its thread, in patched time. */
export class Iteration extends RecordedIteration {
  readonly #loop: EventLoop;

  constructor(recorder: Recorder, timers: TimerQueue) {
    super(recorder, timers);
    this.#loop = new EventLoop(timers, () => this.end("the script was still running after an hour of its own time"));
    const fail = (thrown: unknown) => this.fail(thrown);
    process.on("uncaughtException", fail);
    process.on("unhandledRejection", fail);
  }

  use(network: Network): void {
    this.network = network;
  }

  /** Runs one of the texts until nothing of it remains; whether it came to its own end. */
  async run(phase: ScriptPhase, work: () => Promise<unknown>): Promise<boolean> {
    this.recorder.begin(phase);
    this.hasEnded = false;
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    const idle = this.#loop.idle();
    work().then(settle, (thrown: unknown) => this.fail(thrown));
    await idle;
    if (!isSettled && !this.hasEnded) this.end(`${phase} waits for a promise that nothing settles any more`);
    this.stop();
    return !this.hasEnded;
  }
}
