import { Findings } from "./core/refusal.ts";
import type { Instance } from "./instance.ts";
import { periodOf } from "./next-runs.ts";
import { makeExecution } from "./rules/make-execution.ts";
import { iteratorLifeMs } from "./rules/row-iterators.ts";
import type { ScheduleRecord } from "./store/records.ts";

interface Delayed {
  readonly at: number;
  readonly run: () => void;
}

interface Event extends Delayed {
  readonly isDelayed?: true;
}

/** What falls due on the service's clock: work put off by a fault, iterators that expire, schedules that fire. */
export class DueEvents {
  readonly #instance: Instance;
  #delayed: Delayed[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  /** Everything up to this moment has been carried out; what fell due before the service was opened never is. */
  #settled: number;
  #isClosed = false;
  /** When the next schedule fires, as of a version of their table. */
  #known: { readonly version: number; readonly next: number } | undefined;

  constructor(instance: Instance) {
    this.#instance = instance;
    this.#settled = instance.clock.now();
  }

  /** Puts work off until a moment of the service's clock. */
  delay(at: number, run: () => void): void {
    const { clock } = this.#instance;
    this.#delayed.push({ at, run });
    if (clock.mode !== "real") return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        this.settle();
      },
      at - clock.now() + 1,
    );
    this.#timers.add(timer);
  }

  /** Takes note of work that an event began, so that `settled` waits for it. */
  begin(work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(
      () => void this.#running.delete(ended),
      () => void this.#running.delete(ended),
    );
    this.#running.add(ended);
  }

  /** Resolves when the work that events began has ended. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Carries out, in order, all that has fallen due by now. */
  settle(): void {
    const until = this.#instance.clock.wall();
    if (until <= this.#settled && this.#earliestDelayed(until) === undefined) {
      if (until < this.#settled) this.#settled = until;
      return;
    }
    if (!this.#isQuiet(until))
      for (let event = this.#next(until); event; event = this.#next(until)) this.#carryOut(event);
    this.#settled = until;
    if ((this.#known?.next ?? 0) <= until) this.#known = undefined;
    this.#expireIterators(until);
  }

  /** Time was set or the state replaced: what lies in between is not made up. */
  forget(): void {
    this.#settled = this.#instance.clock.wall();
    this.#known = undefined;
  }

  /** How far the next event lies ahead. */
  msToNext(): number {
    const now = this.#instance.clock.wall();
    const delayed = this.#delayed.map(({ at }) => at - now);
    return Math.min(this.#firingNext() - now, ...delayed);
  }

  /** How many runs fall due within a time, at most: windows that skip some are left out of account. */
  mostRuns(ms: number): number {
    const { store, clock, runs } = this.#instance;
    const rows = store
      .all("schedule")
      .filter((row) => (runs.after(row, clock.wall()) ?? Number.POSITIVE_INFINITY) <= clock.wall() + ms);
    return rows.reduce((sum, row) => sum + Math.ceil(ms / periodOf(row)), 0);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#delayed = [];
  }

  /** Put-off work leaves the moment open, for schedules of the same one come after it. */
  #carryOut({ at, run, isDelayed }: Event): void {
    this.#settled = Math.max(this.#settled, isDelayed ? at - 1 : at);
    this.#instance.clock.during(at, run);
    this.#keep();
  }

  /** Each event is kept by itself, so that a refused one takes back nothing of another. */
  #keep(): void {
    const { store } = this.#instance;
    const changes = store.commit();
    if (changes) this.begin(this.#instance.keep(changes));
  }

  /** Whether nothing can fall due by now: answered without looking at each schedule, as long as none changed. */
  #isQuiet(until: number): boolean {
    return this.#delayed.length === 0 && this.#firingNext() > until;
  }

  /** When the next schedule fires. */
  #firingNext(): number {
    const version = this.#instance.store.version("schedule");
    if (version !== this.#known?.version) this.#known = { version, next: this.#nextFiring() };
    return this.#known.next;
  }

  #nextFiring(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const row of this.#instance.store.all("schedule"))
      next = Math.min(next, this.#instance.runs.after(row, this.#settled) ?? next);
    return next;
  }

  /** The earliest event up to a moment: by time, put-off work first, schedules by id. */
  #next(until: number): Event | undefined {
    const delayed = this.#earliestDelayed(until);
    let best: { readonly at: number; readonly row: ScheduleRecord } | undefined;
    for (const row of this.#instance.store.all("schedule")) {
      const at = this.#instance.runs.after(row, this.#settled);
      if (at !== undefined && at <= until && (best === undefined || at < best.at)) best = { at, row };
    }
    if (delayed && (best === undefined || delayed.at <= best.at)) return this.#takeDelayed(delayed);
    return best && this.#firing(best.at, best.row.id, best.at);
  }

  #earliestDelayed(until: number): Delayed | undefined {
    return this.#delayed.filter(({ at }) => at <= until).sort((left, right) => left.at - right.at)[0];
  }

  #takeDelayed(delayed: Delayed): Event {
    this.#delayed = this.#delayed.filter((each) => each !== delayed);
    return { ...delayed, isDelayed: true };
  }

  /** All schedules of one moment fire together, in id order, for the search goes on strictly after it. */
  #firing(at: number, first: number, moment: number): Event {
    const run = () => {
      for (const row of this.#instance.store.all("schedule"))
        if (row.id >= first && this.#instance.runs.after(row, moment - 1) === moment) this.#fire(row);
    };
    return { at, run };
  }

  /** Takes the API's path; a Single schedule is spent by it. */
  #fire(row: ScheduleRecord): void {
    const { store, settings, clock } = this.#instance;
    const configuration = store.get("configuration", row.configurationId);
    if (configuration) {
      const { session, digest, runs } = this.#instance.context();
      const scope = {
        store,
        settings,
        session,
        digest,
        runs,
        now: clock.now(),
        user: undefined,
        findings: new Findings(),
        unknown: [],
        parts: new Map(),
      };
      makeExecution(configuration, {}, scope);
    }
    if (row.scheduleType === "Single") store.update("schedule", row.id, { active: false });
  }

  #expireIterators(now: number): void {
    const { store } = this.#instance;
    for (const row of store.all("iterator"))
      if (Date.parse(row.usedAt) + iteratorLifeMs <= now) store.remove("iterator", row.id);
    this.#keep();
  }
}
