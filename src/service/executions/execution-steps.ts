import { setImmediate as others } from "node:timers/promises";
import type { Agenda, Source } from "../agenda.ts";
import { lastMoment } from "../clock.ts";
import type { Scope } from "../core/scope.ts";
import { type BegunExecution, elapsed, hasBegun, mostRemembered, reachedMoment } from "../core/simulations.ts";
import { Refusal } from "../refusal.ts";
import { parseParams } from "../rules/script-params.ts";
import { expectedRequests } from "../runs/expected-requests.ts";
import { MeasuredRun } from "../runs/measured-run.ts";
import type { RunPlan } from "../runs/run-plan.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import type { Store } from "../store/store.ts";
import { completeExecution, startExecution } from "./complete-execution.ts";
import { LiveLoads } from "./live-loads.ts";
import { planExecution } from "./make-execution.ts";
import { type ProbeOutcome, probeScenario } from "./probe-scenario.ts";

const unfinished = ["queued", "waiting", "running"] as const;

/** The steps of executions on the service's clock: allocation, the closing of intervals in which they can be stopped, the end. */
export class ExecutionSteps implements Source {
  readonly #store: Store;
  readonly #scope: () => Scope;
  readonly #hold: (work: Promise<unknown>) => void;
  /** Moment up to which each run was looked at, in milliseconds from its start. */
  readonly #looked = new WeakMap<RunPlan, number>();
  readonly #loads: LiveLoads;
  readonly #probing = new Set<number>();
  /** Probe iterations that have ended, by the execution that waits for them. */
  readonly #probed = new Map<number, ProbeOutcome>();
  #known: { readonly version: number; readonly next: number } | undefined;

  constructor(of: {
    readonly store: Store;
    readonly scope: () => Scope;
    /** Time waits for this work. */
    readonly hold: (work: Promise<unknown>) => void;
    /** Carries out what has fallen due. */
    readonly wake: () => void;
  }) {
    this.#store = of.store;
    this.#scope = of.scope;
    this.#hold = of.hold;
    this.#loads = new LiveLoads(of);
  }

  next(after: number): number {
    if (this.#loads.hasNews) return after;
    const version = this.#store.version("execution");
    if (this.#known?.version === version) return this.#known.next;
    const scope = this.#scope();
    const next = this.#rows().reduce(
      (least, row) => Math.min(least, this.#dueAt(row, scope)),
      Number.POSITIVE_INFINITY,
    );
    this.#known = { version, next };
    return next;
  }

  run(at: number): void {
    this.#loads.write(this.#scope());
    for (const row of this.#rows()) {
      const scope = this.#scope();
      if (this.#dueAt(row, scope) > at) continue;
      if (row.plan === null && !this.#probe(row, scope)) continue;
      if (row.phase === "running" && hasBegun(row) && row.plan.measured) {
        this.#loads.begin(row, scope);
        continue;
      }
      const stepped = takeStep(this.#store.get("execution", row.id) ?? row, scope);
      if (hasBegun(stepped)) this.#looked.set(stepped.plan, elapsed(stepped, at));
    }
    this.#known = undefined;
  }

  mostRequests(ms: number): number {
    const scope = this.#scope();
    return this.#modelled().reduce((sum, row) => {
      const from = elapsed(row, reachedMoment(row, scope.now));
      const until = elapsed(row, reachedMoment(row, scope.now + ms));
      return sum + expectedRequests(row.plan, row.controls, [from, until]);
    }, 0);
  }

  /** So that a read finds a long run computed. Of more runs at once than are remembered none is computed ahead. */
  catchUp(deadline: number): boolean {
    const scope = this.#scope();
    const rows = this.#modelled();
    return rows.length > mostRemembered || rows.every((row) => caughtUp(row, scope, { until: scope.now, deadline }));
  }

  #modelled(): readonly BegunExecution[] {
    return this.#store
      .where("execution", "phase", "running")
      .filter(hasBegun)
      .filter(({ plan }) => !plan.measured);
  }

  #rows(): readonly ExecutionRecord[] {
    return unfinished.flatMap((phase) => this.#store.where("execution", "phase", phase));
  }

  #dueAt(row: ExecutionRecord, scope: Scope): number {
    const created = Date.parse(row.createdAt);
    if (row.plan === null) return this.#probing.has(row.id) ? Number.POSITIVE_INFINITY : created;
    if (row.phase === "queued") return allocatedAt(row, scope) ?? Number.POSITIVE_INFINITY;
    if (row.phase === "waiting" || !hasBegun(row)) return Number.POSITIVE_INFINITY;
    const run = scope.simulations.of(row);
    if (run instanceof MeasuredRun)
      return this.#loads.has(row.id) ? Number.POSITIVE_INFINITY : Date.parse(row.startedAt);
    // On its own clock it may have been looked at already.
    const looked = Math.max(this.#looked.get(row.plan) ?? -1, elapsed(row, reachedMoment(row, 0)));
    return Date.parse(row.startedAt) + Math.max(0, Math.ceil(run.nextChange(looked)));
  }

  /** Runs the probe iteration of a run that a schedule started; whether what became of it is known at once. */
  #probe(row: ExecutionRecord, scope: Scope): boolean {
    const configuration = this.#store.get("configuration", row.configurationId);
    const given = parseParams(row.scriptParams) ?? {};
    const probe =
      this.#probed.get(row.id) ?? (configuration && probeScenario({ configuration, given, engine: row.engine }, scope));
    if (typeof probe === "object") {
      this.#probed.delete(row.id);
      planExecution(row, probe, scope);
      return true;
    }
    this.#probing.add(row.id);
    if (probe) this.#hold(probe().then((run) => this.#ended(row.id, { run })));
    return false;
  }

  /** Nobody waits for the iteration of an execution that was deleted meanwhile. */
  #ended(id: number, outcome: ProbeOutcome): void {
    if (this.#store.get("execution", id)) this.#probed.set(id, outcome);
    this.#probing.delete(id);
    this.#known = undefined;
  }
}

/** Takes a run as far as it is at the scope's moment: allocated, started, completed. */
export function takeStep(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  const { store } = scope;
  const now = reachedMoment(row, scope.now);
  if (row.plan === null || row.phase === "completed" || row.phase === "waiting") return row;
  if (row.phase === "queued") {
    const at = allocatedAt(row, scope);
    if (at === undefined || at > now) return row;
    if (row.manualStart) return store.update("execution", row.id, { phase: "waiting" });
    return takeStep(startExecution(row, scope), scope);
  }
  if (!hasBegun(row)) return row;
  const run = scope.simulations.of(row);
  const atMs = elapsed(row, now);
  run.advance(atMs);
  // When it will end may be known before it does.
  const hasFinished = run.finishedMs !== undefined && run.finishedMs <= atMs;
  return hasFinished && !(run instanceof MeasuredRun) ? completeExecution(row, run, scope) : row;
}

/** DECISION (API 2, Executions: when runners are allocated): as the setting `allocation` says, counted from the creation of the execution. */
function allocatedAt(row: ExecutionRecord, { settings }: Scope): number | undefined {
  const { allocation } = settings;
  const created = Date.parse(row.createdAt);
  if (allocation === "immediate") return created;
  if ("afterMs" in allocation) return created + allocation.afterMs;
  return row.reads >= allocation.afterReads ? created : undefined;
}

/** Iterations that are computed without looking at the time, about. */
const iterationsAtOnce = 5_000;

/** Computes a run up to a moment, until the deadline (of `performance.now`); whether it came to its end. */
function caughtUp(
  row: BegunExecution,
  scope: Scope,
  to: { readonly until: number; readonly deadline: number },
): boolean {
  const run = scope.simulations.of(row);
  if (run instanceof MeasuredRun) return true;
  const until = elapsed(row, reachedMoment(row, to.until));
  const perMs = expectedRequests(row.plan, row.controls, [0, 1]);
  const stepMs = Math.max(1, Math.ceil(iterationsAtOnce / Math.max(perMs, 1e-6)));
  while (run.doneMs < until && run.finishedMs === undefined) {
    if (performance.now() > to.deadline) return false;
    run.advance(Math.min(until, run.doneMs + stepMs));
  }
  return true;
}

/**
 * Carries one run through the next `ms` of a clock of its own: its own events alone, however many they are, while the service's clock
 * remains where it is. The disk is waited for when the run has completed; what it refuses before is thrown by the next call.
 * DECISION (API 2, Executions: what a run shows that is carried through by itself): what it has come to at the moment of its own clock, which begins
 * at its createdAt, so finishedAt may lie ahead of the service's time. One that is left before its end goes on when the service's
 * clock has come to that moment.
 */
export async function advanceRun(
  service: {
    readonly agenda: Agenda;
    readonly scope: () => Scope;
    readonly writeSoon: (work: (scope: Scope) => void, waits: () => boolean) => Promise<void>;
  },
  id: number,
  ms: number,
): Promise<void> {
  const { agenda } = service;
  agenda.carryOutDue();
  if (runToAdvance(id, service.scope()).plan === null) await agenda.released();
  const scope = service.scope();
  const row = runToAdvance(id, scope);
  const until = momentAfter(row, ms, scope.now);
  const hasCompleted = () => scope.store.get("execution", id)?.phase === "completed";
  const carry = (to: number) => service.writeSoon((current) => carryTo(id, to, current), hasCompleted);
  const allocated = row.phase === "queued" && row.plan !== null ? allocatedAt(row, scope) : undefined;
  if (allocated !== undefined && allocated < until) await carry(allocated);
  // Also between many short steps a signal must be heard.
  do await others();
  while (!agenda.isClosed && !isComputed(id, until, service.scope()));
  if (!agenda.isClosed) await carry(until);
}

/** As long as a run is computed before others are answered, in milliseconds. */
const sliceMs = 20;

function isComputed(id: number, until: number, scope: Scope): boolean {
  const row = scope.store.get("execution", id);
  if (row?.phase !== "running" || !hasBegun(row)) return true;
  return caughtUp(row, scope, { until, deadline: performance.now() + sliceMs });
}

/** A run that was deleted meanwhile, or has completed, has no next moment. */
function carryTo(id: number, until: number, scope: Scope): void {
  const row = scope.store.get("execution", id);
  if (row === undefined || row.phase === "completed") return;
  const reached = reachedMoment(row, Math.max(until, Date.parse(row.createdAt)));
  takeStep(scope.store.update("execution", id, { ownClock: new Date(reached).toISOString() }), scope);
}

function runToAdvance(id: number, { store }: Scope): ExecutionRecord {
  const row = store.get("execution", id);
  if (row === undefined) throw new Refusal(404, `found no execution ${id}`);
  if (row.plan?.measured && row.phase !== "completed")
    throw new Refusal(409, `execution ${id} makes real load, which takes real time; expected one that is modelled`);
  return row;
}

/** Counted from the moment of its own clock, or from the service's where that has already taken it further. */
function momentAfter({ ownClock, createdAt }: ExecutionRecord, ms: number, now: number): number {
  const begun = Date.parse(ownClock ?? createdAt);
  const moment = (begun + ms > now ? begun : now) + ms;
  if (ms >= 0 && moment <= lastMoment) return moment;
  const message = `found ${ms}; expected 0 or more milliseconds, to a moment before ${new Date(lastMoment).toISOString()}`;
  throw new Refusal(400, `ms: ${message}`, { errors: [{ field: "ms", message }] });
}
