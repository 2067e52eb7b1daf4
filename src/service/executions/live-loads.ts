import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { type BegunExecution, hasBegun } from "../core/simulations.ts";
import { MeasuredRun } from "../runs/measured-run.ts";
import { beyondLimits } from "../scripts/load-limits.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import type { Store } from "../store/store.ts";
import { completeExecution } from "./complete-execution.ts";
import type { LiveLoad } from "./live-load.ts";
import { defineMeasured, fileRecord } from "./make-execution.ts";

/** The loads that one service makes: what becomes of them is written as an event on its clock. */
export class LiveLoads {
  readonly #store: Store;
  readonly #hold: (work: Promise<unknown>) => void;
  readonly #wake: () => void;
  readonly #making = new Map<number, LiveLoad | undefined>();
  readonly #news = new Set<number>();

  constructor(of: {
    readonly store: Store;
    readonly hold: (work: Promise<unknown>) => void;
    readonly wake: () => void;
  }) {
    this.#store = of.store;
    this.#hold = of.hold;
    this.#wake = of.wake;
  }

  get hasNews(): boolean {
    return this.#news.size > 0;
  }

  has(id: number): boolean {
    return this.#making.has(id);
  }

  /** Makes the load of a run that was started here; one that another process began is over. */
  begin(row: BegunExecution, scope: Scope): void {
    const given = scope.loads.take(row.id);
    const ended = "the service that made its load ended, and what had been measured is not kept";
    if (given === undefined) return void interrupt(row, ended, scope);
    const why = scope.whyNoLoad ?? beyondLimits(row.plan);
    if (why !== undefined) return void interrupt(row, `the load was not made: ${why}`, scope);
    this.#making.set(row.id, undefined);
    this.#hold(scope.turns.outside((end) => this.#make(row, { given, scope, end })));
  }

  /** Writes what was heard of loads since. */
  write(scope: Scope): void {
    for (const id of this.#news) {
      const row = this.#store.get("execution", id);
      const load = this.#making.get(id);
      if (row && hasBegun(row) && row.phase === "running" && load) this.#writeOne(row, load, scope);
      if (load === undefined || load.hasEnded || row === undefined) this.#forget(id, scope);
    }
    this.#news.clear();
  }

  async #make(
    row: BegunExecution,
    of: { readonly given: Readonly<Record<string, JsonValue>>; readonly scope: Scope; readonly end: AbortSignal },
  ): Promise<void> {
    const { LiveLoad } = await import("./live-load.ts");
    const load = new LiveLoad(row, of.given, {
      scope: of.scope,
      look: () => this.#current(row),
      news: () => this.#tell(row.id),
    });
    this.#making.set(row.id, load);
    of.scope.simulations.listen(row.id, load.run);
    await load.make(of.end);
  }

  /** The same execution, not another one of its id: the state may have been replaced. */
  #current(row: BegunExecution): ExecutionRecord | undefined {
    const current = this.#store.get("execution", row.id);
    return current?.createdAt === row.createdAt && current.plan?.seed === row.plan.seed ? current : undefined;
  }

  #tell(id: number): void {
    this.#news.add(id);
    this.#wake();
  }

  #forget(id: number, scope: Scope): void {
    this.#making.delete(id);
    scope.simulations.listen(id);
  }

  #writeOne(row: BegunExecution, load: LiveLoad, scope: Scope): void {
    const { run, memory } = load;
    const logs = [
      ...(row.probe?.logs.filter((line) => line.level === "Info" && !line.of && line.atMs === 0) ?? []),
      ...memory.logs,
    ];
    const { tests, failure } = memory;
    const files = load.hasEnded ? memory.files.map((file) => fileRecord(file, scope.store.takeId("outputFile"))) : [];
    const probe = { logs, tests: [...tests], files, durationMs: 0, failure };
    const measured = load.hasEnded ? { measured: run.toData() } : {};
    const written = scope.store.update("execution", row.id, { plan: run.plan, probe, ...measured });
    if (load.hasEnded && hasBegun(written)) defineMeasured(completeExecution(written, run, scope), scope);
  }
}

/** DECISION (API 2, Executions: what becomes of a run that is really made when its service ends): it ended when that did, and failed; what had been measured is not kept. */
function interrupt(row: BegunExecution, message: string, scope: Scope): ExecutionRecord {
  const run = new MeasuredRun(row.plan);
  run.finish(0);
  const probe = { logs: [{ level: "Error", message, atMs: 0 }], tests: [], files: [], durationMs: 0, failure: message };
  const written = scope.store.update("execution", row.id, { probe, measured: run.toData() });
  return hasBegun(written) ? completeExecution(written, run, scope) : written;
}
