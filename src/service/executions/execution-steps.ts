import type { Source } from "../agenda.ts";
import type { Scope } from "../core/scope.ts";
import type { BegunExecution } from "../core/simulations.ts";
import { elapsed, hasBegun } from "../core/simulations.ts";
import { parseParams } from "../rules/script-params.ts";
import { evaluateKpi } from "../runs/evaluate-kpi.ts";
import type { RunPlan } from "../runs/run-plan.ts";
import type { SimulatedRun } from "../runs/simulate-run.ts";
import type { ExecutionRecord, RegionResults, RunResults } from "../store/records/executions.ts";
import type { Store } from "../store/store.ts";
import { figuresOfRun } from "../views/run-figures.ts";
import { planExecution } from "./make-execution.ts";
import type { ProbeOutcome } from "./probe-scenario.ts";
import { probeScenario } from "./probe-scenario.ts";

const unfinished = ["queued", "waiting", "running"] as const;

/** The steps of executions on the service's clock: allocation, the closing of intervals in which they can be stopped, the end. */
export class ExecutionSteps implements Source {
  readonly #store: Store;
  readonly #scope: () => Scope;
  readonly #hold: (work: Promise<unknown>) => void;
  /** How far each run was looked at, in milliseconds from its start. */
  readonly #looked = new WeakMap<RunPlan, number>();
  readonly #probing = new Set<number>();
  /** Probe iterations that have ended, by the execution that waits for them. */
  readonly #probed = new Map<number, ProbeOutcome>();
  #known: { readonly version: number; readonly next: number } | undefined;

  constructor(of: {
    readonly store: Store;
    readonly scope: () => Scope;
    /** Time waits for this work. */
    readonly hold: (work: Promise<unknown>) => void;
  }) {
    this.#store = of.store;
    this.#scope = of.scope;
    this.#hold = of.hold;
  }

  next(): number {
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
    for (const row of this.#rows()) {
      const scope = this.#scope();
      if (this.#dueAt(row, scope) > at) continue;
      if (row.plan === null && !this.#probe(row, scope)) continue;
      const stepped = takeStep(this.#store.get("execution", row.id) ?? row, scope);
      if (hasBegun(stepped)) this.#looked.set(stepped.plan, elapsed(stepped, at));
    }
    this.#known = undefined;
  }

  #rows(): readonly ExecutionRecord[] {
    return unfinished.flatMap((phase) => this.#store.where("execution", "phase", phase));
  }

  #dueAt(row: ExecutionRecord, scope: Scope): number {
    const created = Date.parse(row.createdAt);
    if (row.plan === null) return this.#probing.has(row.id) ? Number.POSITIVE_INFINITY : created;
    if (row.phase === "queued") return allocatedAt(row, scope) ?? Number.POSITIVE_INFINITY;
    if (row.phase === "waiting" || !hasBegun(row)) return Number.POSITIVE_INFINITY;
    const looked = this.#looked.get(row.plan) ?? -1;
    return Date.parse(row.startedAt) + Math.max(0, Math.ceil(scope.simulations.of(row).nextChange(looked)));
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

  #ended(id: number, outcome: ProbeOutcome): void {
    this.#probed.set(id, outcome);
    this.#probing.delete(id);
    this.#known = undefined;
  }
}

/** Takes a run as far as it is at the scope's moment: allocated, started, completed. */
export function takeStep(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  const { store, now } = scope;
  if (row.plan === null || row.phase === "completed" || row.phase === "waiting") return row;
  if (row.phase === "queued") {
    const at = allocatedAt(row, scope);
    if (at === undefined || at > now) return row;
    if (row.manualStart) return store.update("execution", row.id, { phase: "waiting" });
    return takeStep(store.update("execution", row.id, { phase: "running", startedAt: store.now() }), scope);
  }
  if (!hasBegun(row)) return row;
  const run = scope.simulations.of(row);
  run.advance(elapsed(row, now));
  return run.finishedMs === undefined ? row : complete(row, run, scope);
}

/** DECISION (API 2, Executions: when runners are allocated): as the setting `allocation` says, counted from the creation of the execution. */
function allocatedAt(row: ExecutionRecord, { settings }: Scope): number | undefined {
  const { allocation } = settings;
  const created = Date.parse(row.createdAt);
  if (allocation === "immediate") return created;
  if ("afterMs" in allocation) return created + allocation.afterMs;
  return row.reads >= allocation.afterReads ? created : undefined;
}

/** A run that was stopped before it began. */
export function completeUnstarted(row: ExecutionRecord, scope: Scope): ExecutionRecord {
  return scope.store.update("execution", row.id, { phase: "completed", finishedAt: scope.store.now(), success: false });
}

function complete(row: BegunExecution, run: SimulatedRun, scope: Scope): ExecutionRecord {
  const finishedMs = run.finishedMs ?? 0;
  const isBreakingPoint = row.plan.profile.type === "BreakingPoint";
  const limitBreached = isBreakingPoint && run.stopped === undefined && row.controls.stoppedAtMs === null;
  const results = resultsOf(row, run, limitBreached);
  const finished = scope.store.update("execution", row.id, {
    phase: "completed",
    finishedAt: new Date(Date.parse(row.startedAt) + Math.ceil(finishedMs)).toISOString(),
    limitBreached,
    results,
  });
  return scope.store.update("execution", row.id, { success: isSuccess(finished, run, scope) });
}

function resultsOf(row: BegunExecution, run: SimulatedRun, limitBreached: boolean): RunResults {
  const regions = row.regions.map(({ id }): RegionResults => {
    const counts = run.counts(0, Number.POSITIVE_INFINITY, id).toData();
    return { id, counts, maxUsers: run.maxUsers(Number.POSITIVE_INFINITY, id), iterations: run.iterationsByChunk(id) };
  });
  const maxUsers = run.maxUsers(Number.POSITIVE_INFINITY);
  const breakingPoint = run.stopped?.by === "trigger" ? run.stopped.users : limitBreached ? maxUsers : null;
  return { regions, maxUsers, breakingPoint, stoppedBy: run.stopped?.reason ?? null };
}

/** DECISION (API 2, Execution: success): all KPIs hold, none stopped the run, the probe iteration did not fail and logged nothing as fatal. */
function isSuccess(row: ExecutionRecord, run: SimulatedRun, scope: Scope): boolean {
  if (run.stopped?.by === "kpi" || row.probe?.failure) return false;
  if (row.probe?.logs.some(({ level }) => level === "Fatal")) return false;
  const { metrics } = figuresOfRun(row, scope);
  return row.kpis.every(({ expr }) => {
    const result = evaluateKpi(expr, metrics);
    return "success" in result && result.success;
  });
}
