import { Agenda } from "./agenda.ts";
import type { ServiceClock } from "./clock.ts";
import { InputSchemas } from "./core/descriptor.ts";
import { PacketMemory } from "./core/packet-memory.ts";
import { ProbeMemory } from "./core/probe-memory.ts";
import { createRouter } from "./core/router.ts";
import { NextRuns, openScope, type Permits, type Scope } from "./core/scope.ts";
import { Simulations } from "./core/simulations.ts";
import { Turns } from "./core/turns.ts";
import { WantedLoads } from "./core/wanted-loads.ts";
import { ExecutionSteps } from "./executions/execution-steps.ts";
import { ScheduledRuns } from "./executions/scheduled-runs.ts";
import { DelayedWork } from "./faults/apply-fault.ts";
import { FaultPlan } from "./faults/fault.ts";
import { StaleReads } from "./faults/stale-reads.ts";
import { Refusal } from "./refusal.ts";
import { RequestLog } from "./request-log.ts";
import type { RouteContext } from "./routes/run-route.ts";
import { ExpiredIterators } from "./rules/write-data-store.ts";
import { ScriptThreads } from "./scripts/open-worker.ts";
import type { Settings } from "./settings.ts";
import type { DataFile } from "./store/data-file.ts";
import { saltedDigest } from "./store/fresh-state.ts";
import { fromSnapshot, type Snapshot, snapshotText, toSnapshot } from "./store/snapshot.ts";
import { type Changes, Store, type StoreData } from "./store/store.ts";

/** The parts of an instance. */
export interface InstanceParts {
  readonly data: StoreData;
  readonly salt: string;
  readonly clock: ServiceClock;
  readonly settings: Settings;
  readonly apiKey: string;
  readonly strict: boolean;
  /** Permissions that it has even where others reach it; none when absent. */
  readonly allowed?: Permits;
  readonly file?: DataFile;
  /** The moment of a frozen clock that the file has. */
  readonly keptClock?: string | undefined;
  /** The state that reset restores; that of `data` when absent. */
  readonly baseline?: () => State;
}

interface State {
  readonly data: StoreData;
  readonly salt: string;
}

/** Made of the route table, for all instances: they never change. */
const tables = { router: createRouter(), schemas: new InputSchemas() };

/** One service: its state, clock, faults and log. Nothing that changes is shared with another instance. */
export class Instance {
  readonly store: Store;
  readonly clock: ServiceClock;
  readonly settings: Settings;
  readonly apiKey: string;
  readonly strict: boolean;
  /** Permissions that it was made with. */
  readonly allowed: Permits;
  /** True once it listens where other machines reach it. */
  isExposed = false;
  readonly shared = tables;
  readonly file: DataFile | undefined;
  readonly log = new RequestLog();
  readonly faults = new FaultPlan();
  readonly stale = new StaleReads();
  readonly runs = new NextRuns();
  readonly simulations = new Simulations();
  readonly probes = new ProbeMemory();
  readonly packets = new PacketMemory();
  /** DECISION (API 1, Scenarios: POST /scripts/:id/run): four scripts run at a time, the others wait. */
  readonly turns = new Turns(4);
  readonly threads = new ScriptThreads();
  readonly loads = new WantedLoads(() => this.#wake());
  readonly delayed = new DelayedWork();
  readonly agenda: Agenda;
  readonly #startedAt: string;
  /** Every request asks for it. */
  #session: { readonly salt: string; readonly id: string } | undefined;
  #keptClock: string | undefined;
  #salt: string;
  #baseline: NonNullable<InstanceParts["baseline"]>;
  /** The refusal of the disk for a write that did not wait for it. */
  #refused: unknown;

  constructor(parts: InstanceParts) {
    this.clock = parts.clock;
    this.settings = parts.settings;
    this.apiKey = parts.apiKey;
    this.strict = parts.strict;
    this.allowed = parts.allowed ?? { scripts: false, live: false };
    this.file = parts.file;
    this.store = new Store(parts.data, { now: () => this.clock.iso(), reuseIds: parts.settings.ids === "reuse" });
    this.#salt = parts.salt;
    this.#startedAt = parts.clock.iso();
    this.#keptClock = parts.keptClock;
    this.#baseline = parts.baseline ?? (() => ({ data: parts.data, salt: parts.salt }));
    const scheduled = new ScheduledRuns({ store: this.store, runs: this.runs, scope: () => this.scope() });
    const steps = new ExecutionSteps({
      store: this.store,
      scope: () => this.scope(),
      hold: (work) => this.agenda.hold(work),
      wake: () => this.#wake(),
    });
    this.agenda = new Agenda({
      clock: this.clock,
      sources: [this.delayed, new ExpiredIterators(this.store), scheduled, steps],
      keep: () => this.#keepEvent(),
    });
  }

  /** DECISION (API 1, Data stores: links): a link carries the session id of its service, made of its salt and of when it began, so another one after each start; of all that the same calls answer it alone differs between two processes. */
  get session(): string {
    if (this.#session?.salt !== this.#salt)
      this.#session = { salt: this.#salt, id: this.digest(`session ${this.#startedAt}`).slice(0, 32) };
    return this.#session.id;
  }

  digest(value: string): string {
    return saltedDigest(this.#salt, value);
  }

  context(): RouteContext {
    const { store, settings, strict, session, runs, simulations, packets, permits, turns, threads, probes } = this;
    const digest = (value: string) => this.digest(value);
    const { schemas } = this.shared;
    const shared = { runs, simulations, packets, permits, turns, threads, probes };
    const known = { store, settings, strict, session, digest, ...shared };
    return { ...known, schemas, now: this.clock.now(), loads: this.loads, whyNoLoad: this.#whyNoLoad };
  }

  /** DECISION (API 2, Starting a run: real load and the clock): real load takes real time, so it is made only where the clock runs by itself. */
  get #whyNoLoad(): string | undefined {
    if (!this.allowed.live)
      return "this service makes no real load; expected it to be started with --live (createService: live: true)";
    if (this.clock.mode === "frozen")
      return 'its clock is frozen, and real load takes real time; expected a clock that runs, PUT /_loadform/clock {"mode": "real"}, or the header X-Loadform-Engine: model';
    return undefined;
  }

  /** Something happened outside of requests. */
  #wake(): void {
    if (!this.agenda.isClosed) this.agenda.carryOutDue();
  }

  /** The scope of what the service does by itself. */
  scope(): Scope {
    return openScope(this.context());
  }

  /** Carries out, as one, what the service writes by itself; resolves when it is durable. */
  async write<T>(work: (scope: Scope) => T): Promise<T> {
    this.agenda.carryOutDue();
    try {
      const result = work(this.scope());
      await this.keep(this.store.commit());
      return result;
    } catch (thrown) {
      this.store.rollback();
      throw thrown;
    }
  }

  /** As `write`, but the disk is waited for only if `waits` says so after the work: what it refuses otherwise is taken back, and thrown by the next call. */
  async writeSoon(work: (scope: Scope) => void, waits: () => boolean): Promise<void> {
    const refused = this.#refused;
    this.#refused = undefined;
    if (refused !== undefined) throw refused;
    const written = this.write(work);
    if (waits()) return await written;
    const kept = written.catch((thrown: unknown) => {
      this.#refused = thrown;
    });
    this.agenda.begin(kept);
  }

  /** DECISION (API 1, Scenarios: POST /scripts/:id/run): a service that others than its own machine reach runs nobody's scripts unless that was allowed (`allowScripts`). */
  get permits(): Permits {
    return { scripts: this.allowed.scripts || !this.isExposed, live: this.allowed.live };
  }

  /** Ends what was written so far; resolves when it is durable. What the disk refuses is taken back: 507. */
  async keep(changes: Changes | undefined): Promise<void> {
    if (changes === undefined || this.file === undefined) return;
    const takeBack = (lost: Changes) => this.store.takeBack(lost);
    const clock = this.clock.frozenAt;
    this.#keptClock = clock;
    await onDisk(this.file.keep(changes, { snapshotText: () => this.#fileText(), takeBack, clock }));
  }

  /** Time was moved or set: a frozen clock shows the same moment after a restart. Resolves when that is durable. */
  async keepClock(): Promise<void> {
    if (this.clock.frozenAt !== this.#keptClock) await this.keep(nothingChanged);
  }

  /** The state as the data file has it. */
  #fileText(): string {
    return snapshotText(this.snapshot(), this.clock.frozenAt);
  }

  #keepEvent(): Promise<void> | undefined {
    const changes = this.store.commit();
    return changes && this.keep(changes);
  }

  /** Lets the file go, folded into one. */
  async closeFile(): Promise<void> {
    await this.file?.close(() => this.#fileText());
  }

  snapshot(): Snapshot {
    return toSnapshot(this.store.data(), this.#salt);
  }

  snapshotText(): string {
    return snapshotText(this.snapshot());
  }

  /** Replaces the whole state, durably. */
  async restore(snapshot: unknown): Promise<void> {
    await this.#replace(fromSnapshot(snapshot), () => undefined);
  }

  /** Wipes everything and restores the state it began with, or that was last made its baseline. */
  async reset(): Promise<void> {
    await this.#replace(this.#baseline(), () => {
      this.faults.set([]);
      this.stale.clear();
      this.log.clear();
    });
  }

  /** Makes a state what reset restores. */
  keepAsBaseline(snapshot: Snapshot): void {
    this.#baseline = () => fromSnapshot(snapshot);
  }

  /** An independent instance with the same state, settings and time; its faults and its log are empty. */
  fork(): Instance {
    const { settings, apiKey, strict, allowed } = this;
    const data = this.store.data();
    const baseline = this.#baseline;
    return new Instance({
      data,
      salt: this.#salt,
      clock: this.clock.copy(),
      settings,
      apiKey,
      strict,
      allowed,
      baseline,
    });
  }

  /** The disk first: a state that it refuses is not taken. */
  async #replace(state: State, then: () => void): Promise<void> {
    const load = () => {
      this.store.load(state.data);
      this.#salt = state.salt;
      this.agenda.forget();
      this.loads.clear();
      then();
    };
    if (this.file === undefined) load();
    else await onDisk(this.file.replace(snapshotText(toSnapshot(state.data, state.salt), this.clock.frozenAt), load));
  }
}

const nothingChanged: Changes = { rows: new Map(), former: new Map(), next: {}, formerNext: new Map() };

/** Carries out a write. One that the disk refuses is no defect: it is 507, and nothing was changed. */
async function onDisk(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.replace(/, \w+$/, "").replace(/ '.*$/, "") : String(thrown);
    throw new Refusal(
      507,
      `the data file could not be written: ${reason}; nothing was changed. Expected a disk with room for it: make some and call again`,
    );
  }
}
