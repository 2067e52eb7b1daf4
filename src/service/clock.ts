import { Refusal } from "./refusal.ts";

/** A clock that runs or is frozen, from now on or from a given moment. */
export type ClockOption =
  | "real"
  | "frozen"
  | { readonly mode: "real" | "frozen"; readonly now?: number | string | Date };

/** Times of the service end here. */
export const lastMoment = Date.parse("9999-12-31T23:59:59.999Z");

/** The service's time: real time with an offset, or a moment that only `advance` moves. */
export class ServiceClock {
  #mode: "real" | "frozen";
  #frozenAt: number;
  #offset: number;
  /** The moment of the event that is being carried out. */
  #event: number | undefined;

  /**
   * A clock as it is asked for. DECISION (API 1, Schedule: what time it is after a restart): a frozen clock shows the moment that it showed
   * before, as the data file tells, unless it is started at another one.
   */
  constructor(option: ClockOption = "real", frozenAt?: string) {
    const { mode, now: given } = typeof option === "string" ? { mode: option, now: undefined } : option;
    if (mode !== "real" && mode !== "frozen") throw new Error(`found clock ${String(mode)}; expected real or frozen`);
    const now = given ?? (mode === "frozen" ? frozenAt : undefined);
    const at = now === undefined ? Date.now() : new Date(now).getTime();
    if (!isMoment(at))
      throw new Error(`found clock.now ${String(now)}; expected epoch milliseconds or an ISO 8601 time`);
    this.#mode = mode;
    this.#frozenAt = at;
    this.#offset = at - Date.now();
  }

  get mode(): "real" | "frozen" {
    return this.#mode;
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.#event ?? this.wall();
  }

  /** As `now`, whatever event is being carried out. */
  wall(): number {
    return this.#mode === "frozen" ? this.#frozenAt : Date.now() + this.#offset;
  }

  /** The moment that it shows until it is moved; undefined for a clock that runs. */
  get frozenAt(): string | undefined {
    return this.#mode === "frozen" ? new Date(this.#frozenAt).toISOString() : undefined;
  }

  iso(): string {
    return new Date(this.now()).toISOString();
  }

  set(mode: "real" | "frozen", now?: number): void {
    const at = now ?? (mode === "real" ? Date.now() : this.wall());
    if (!isMoment(at)) throw new Refusal(400, "now: found no moment; expected epoch milliseconds or an ISO 8601 time");
    this.#mode = mode;
    this.#frozenAt = at;
    this.#offset = at - Date.now();
  }

  /** Moves time forward. */
  move(ms: number): void {
    this.#frozenAt += ms;
    this.#offset += ms;
  }

  /** Carries an event out at its own moment. */
  during<T>(at: number, event: () => T): T {
    const former = this.#event;
    this.#event = at;
    try {
      return event();
    } finally {
      this.#event = former;
    }
  }

  /** An independent clock that shows the same time. */
  copy(): ServiceClock {
    return new ServiceClock({ mode: this.#mode, now: this.wall() });
  }
}

/** True from the beginning of the epoch to the end of the service's times. */
const isMoment = (at: number) => at >= 0 && at <= lastMoment;
