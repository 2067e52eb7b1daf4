import { MeasuredRun } from "../runs/measured-run.ts";
import { SimulatedRun } from "../runs/simulate-run.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";

/** As many runs are remembered; another one is computed anew from its plan when it is read. */
export const mostRemembered = 16;

/** An execution that has begun. */
export type BegunExecution = ExecutionRecord & {
  readonly startedAt: string;
  readonly plan: NonNullable<ExecutionRecord["plan"]>;
};

/** True once an execution has numbers: its probe iteration has ended and it has started. */
export function hasBegun(row: ExecutionRecord): row is BegunExecution {
  return row.startedAt !== null && row.plan !== null;
}

/** The runs of one service, as far as they were simulated or measured. */
export class Simulations {
  readonly #known = new Map<number, { readonly row: ExecutionRecord; readonly run: SimulatedRun | MeasuredRun }>();
  /** Those whose load is being made. */
  readonly #measured = new Map<number, MeasuredRun>();

  /** The run of an execution: the same one as long as nothing was done to it. */
  of(row: BegunExecution): SimulatedRun | MeasuredRun {
    const measured = row.plan.measured && row.phase === "running" ? this.#measured.get(row.id) : undefined;
    if (measured) return measured;
    const known = this.#known.get(row.id);
    const isSame = known?.row.plan === row.plan && known.row.controls === row.controls;
    const run = isSame && known.row.measured === row.measured ? known.run : newRun(row);
    this.#known.delete(row.id);
    this.#known.set(row.id, { row, run });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest);
    return run;
  }

  /** The run of an execution whose load is or was really made. */
  measured(row: BegunExecution): MeasuredRun | undefined {
    const run = row.plan.measured ? this.of(row) : undefined;
    return run instanceof MeasuredRun ? run : undefined;
  }

  /** Takes the numbers of an execution from `run` from now on; without one, from the store again. */
  listen(id: number, run?: MeasuredRun): void {
    if (run) this.#measured.set(id, run);
    else this.#measured.delete(id);
  }
}

function newRun(row: BegunExecution): SimulatedRun | MeasuredRun {
  if (!row.plan.measured) return new SimulatedRun(row.plan, row.controls);
  return row.measured ? MeasuredRun.of(row.plan, row.measured) : new MeasuredRun(row.plan);
}

/** Milliseconds from the start of an execution to a moment. */
export function elapsed(row: BegunExecution, moment: number): number {
  return moment - Date.parse(row.startedAt);
}

/** The moment that a run has come to: that of the service's clock, or of its own clock where that is ahead. */
export function reachedMoment({ ownClock }: Pick<ExecutionRecord, "ownClock">, now: number): number {
  return ownClock === undefined ? now : Math.max(now, Date.parse(ownClock));
}

/** Milliseconds from the start of a run to the moment that it has come to; a run whose load is really made has its own time. */
export function elapsedNow(
  row: BegunExecution,
  { now, simulations }: { readonly now: number; readonly simulations: Simulations },
): number {
  return simulations.measured(row)?.progressMs ?? elapsed(row, reachedMoment(row, now));
}
