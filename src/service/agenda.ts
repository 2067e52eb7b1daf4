import { setImmediate as others } from "node:timers/promises";
import { lastMoment, type ServiceClock } from "./clock.ts";
import { Refusal } from "./refusal.ts";

/** Something whose events fall due on the service's clock. */
export interface Source {
  /** When the next event falls due, given that all up to a moment were carried out; an overdue one may lie before it. */
  next(after: number): number | undefined;
  /** Carries out what falls due at that moment. */
  run(at: number): void;
  /** Upper bound of the runs that fall due in the `ms` after `from`. */
  mostRuns?(from: number, ms: number): number;
  /** About how many requests the runs that are under way make within a time. */
  mostRequests?(ms: number): number;
  /** Computes what has come to pass by now, until the deadline (of `performance.now`); whether it came to its end. */
  catchUp?(deadline: number): boolean;
  /** Drops what was put off: the service closes. */
  drop?(): void;
}

interface Entry {
  readonly source: Source;
  /** All events up to this moment were carried out; what fell due before the service was opened never is. */
  done: number;
}

/** Milliseconds of real time after a request, or an event, until the next moment is worked out: several share that. */
const soon = 10;
/** The longest time that a timer takes. */
const longest = 2 ** 31 - 1;

/** The events of the service's clock, carried out in the order of their moments. */
export class Agenda {
  readonly #clock: ServiceClock;
  readonly #entries: readonly Entry[];
  readonly #keep: () => Promise<unknown> | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  readonly #holding = new Set<Promise<void>>();
  #isClosed = false;
  #isAttended = false;
  #alarm: { readonly timer: NodeJS.Timeout; readonly isSoon: boolean } | undefined;

  /** Of the events of one moment those of the first source come first; `keep` makes durable what an event changed. */
  constructor(of: {
    readonly clock: ServiceClock;
    readonly sources: readonly Source[];
    readonly keep: () => Promise<unknown> | undefined;
  }) {
    this.#clock = of.clock;
    this.#entries = of.sources.map((source) => ({ source, done: of.clock.now() }));
    this.#keep = of.keep;
  }

  /** Carries out, in order, all that has fallen due by now. */
  carryOutDue(): void {
    const until = this.#clock.wall();
    for (let entry = this.#earliest(until); entry; entry = this.#earliest(until)) this.#carryOut(entry);
    for (const entry of this.#entries) entry.done = until;
  }

  /** Time was set or the state replaced: what lies in between is not made up. */
  forget(): void {
    for (const entry of this.#entries) entry.done = this.#clock.wall();
  }

  /** Time until the next event; infinite when there is none. */
  msToNext(): number {
    const moments = this.#entries.map(({ source, done }) => source.next(done) ?? Number.POSITIVE_INFINITY);
    return Math.min(...moments) - this.#clock.wall();
  }

  /** Upper bound of the runs that fall due in the next `ms`. */
  mostRuns(ms: number): number {
    const now = this.#clock.wall();
    return this.#entries.reduce((sum, { source }) => sum + (source.mostRuns?.(now, ms) ?? 0), 0);
  }

  /** About how many requests the runs that are under way make within a time. */
  mostRequests(ms: number): number {
    return this.#entries.reduce((sum, { source }) => sum + (source.mostRequests?.(ms) ?? 0), 0);
  }

  /** Computes what has come to pass by now; whether it came to its end before the deadline. */
  catchUp(deadline: number): boolean {
    return this.#entries.every(({ source }) => source.catchUp?.(deadline) ?? true);
  }

  /** Settles once a moment of the service's clock has come, though no request comes; a frozen clock moves by `advance` alone. */
  wakeAt(at: number): void {
    if (this.#clock.mode !== "real") return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.carryOutDue();
      },
      at - this.#clock.now() + 1,
    );
    this.#timers.add(timer);
  }

  /** From now on events are carried out when they fall due on a clock that runs by itself, though no request comes; they keep no process running. */
  attend(): void {
    this.#isAttended = true;
    this.expect();
  }

  /** Something may fall due earlier than was known. */
  expect(): void {
    if (this.#isAttended && !this.#isClosed && !this.#alarm?.isSoon) this.#setAlarm(soon);
  }

  #setAlarm(ms: number): void {
    clearTimeout(this.#alarm?.timer);
    const ring = () => {
      this.#alarm = undefined;
      if (this.#isClosed || this.#clock.mode !== "real") return;
      try {
        this.carryOutDue();
      } catch {
        // An event that fails is over, as where a request comes upon it; there is nobody to tell, and the others' turn comes.
      }
      const next = this.msToNext();
      if (Number.isFinite(next)) this.#setAlarm(Math.min(Math.max(next + 1, soon), longest));
    };
    this.#alarm = { timer: setTimeout(ring, ms).unref(), isSoon: ms <= soon };
  }

  /** Takes note of work that an event began, so that `idle` waits for it. */
  begin(work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(
      () => void this.#running.delete(ended),
      () => void this.#running.delete(ended),
    );
    this.#running.add(ended);
  }

  /** Takes note of work that time waits for: `advance` moves on when it has ended, and what it made fall due was carried out. */
  hold(work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(() => {
      this.#holding.delete(ended);
      if (!this.#isClosed) this.carryOutDue();
    });
    this.#holding.add(ended);
    this.begin(ended);
  }

  /** True while time waits for work. */
  get isHeld(): boolean {
    return this.#holding.size > 0;
  }

  /** Resolves when time waits for nothing. */
  async released(): Promise<void> {
    while (this.#holding.size > 0) await Promise.all(this.#holding);
  }

  /** Resolves when the work that events began has ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    clearTimeout(this.#alarm?.timer);
    for (const { source } of this.#entries) source.drop?.();
  }

  #earliest(until: number): { readonly entry: Entry; readonly at: number } | undefined {
    let best: { readonly entry: Entry; readonly at: number } | undefined;
    for (const entry of this.#entries) {
      const at = entry.source.next(entry.done);
      if (at !== undefined && at <= until && (best === undefined || at < best.at)) best = { entry, at };
    }
    return best;
  }

  /** The moment remains open for other sources. Each event is kept by itself, so that a refused one takes back nothing of another. */
  #carryOut({ entry, at }: { readonly entry: Entry; readonly at: number }): void {
    for (const each of this.#entries) each.done = Math.max(each.done, each === entry ? at : at - 1);
    this.#clock.during(at, () => entry.source.run(at));
    const kept = this.#keep();
    if (kept) this.begin(kept);
  }
}

/** As long as events are carried out at once; then whoever else called is answered. */
const sliceMs = 20;
const mostRuns = 100_000;
const mostRequests = 5_000_000;
/**
 * Moves the clock forward, carries out all that falls due, and returns when all of it has ended and is durable.
 * Time moves from event to event, so that calls that come meanwhile see whole moments; closing the service ends it.
 */
export async function advance(
  service: { readonly clock: ServiceClock; readonly agenda: Agenda; readonly keepClock: () => Promise<void> },
  ms: number,
): Promise<void> {
  const { clock, agenda } = service;
  agenda.carryOutDue();
  await agenda.released();
  refuseFar(clock, agenda, ms);
  let began = performance.now();
  for (let left = ms; left > 0 && !agenda.isClosed; ) {
    const step = Math.min(left, Math.max(1, agenda.msToNext()));
    clock.move(step);
    left -= step;
    agenda.carryOutDue();
    if (agenda.isHeld) await agenda.released();
    while (!agenda.isClosed && !agenda.catchUp(began + sliceMs)) {
      await others();
      began = performance.now();
    }
    if (performance.now() - began < sliceMs) continue;
    await others();
    began = performance.now();
  }
  await agenda.idle();
  await service.keepClock();
}

/** DECISION (API 1, Schedule: how many runs fall due at once is not bounded): one call of advance carries out at most 100,000 scheduled runs and some 5,000,000 requests of runs that are under way, and ends before the year 10000; more is 400, and nothing moves. */
function refuseFar(clock: ServiceClock, agenda: Agenda, ms: number): void {
  const runs = agenda.mostRuns(ms);
  if (runs > mostRuns)
    throw farther(`found ${ms}, in which up to ${runs} scheduled runs fall due; expected at most ${mostRuns} at once`);
  const requests = agenda.mostRequests(ms);
  if (requests > mostRequests)
    throw farther(
      `found ${ms}, in which runs that are under way make about ${Math.round(requests)} requests; expected at most ${mostRequests} at once`,
    );
  if (clock.wall() + ms > lastMoment)
    throw farther(`found ${ms}, which leads beyond ${new Date(lastMoment).toISOString()}; expected a moment before`);
}

function farther(message: string): Refusal {
  const whole = `${message}: advance in smaller steps`;
  return new Refusal(400, `ms: ${whole}`, { errors: [{ field: "ms", message: whole }] });
}
