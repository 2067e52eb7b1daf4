import type { TimerQueue } from "./timer-queue.ts";

const later = setImmediate;
/** Virtual time after which a script is taken for one that never ends. */
const longestMs = 3_600_000;

/** Knows when nothing is left to be done in this thread, and lets virtual time jump only then. */
export class EventLoop {
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
