import { SimulatedRun } from "../runs/simulate-run.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";

/** As many runs are remembered; another one is computed anew from its plan when it is read. */
const mostRemembered = 16;

/** An execution that has begun. */
export type BegunExecution = ExecutionRecord & {
  readonly startedAt: string;
  readonly plan: NonNullable<ExecutionRecord["plan"]>;
};

/** Whether an execution has numbers: its probe iteration has ended and it has started. */
export function hasBegun(row: ExecutionRecord): row is BegunExecution {
  return row.startedAt !== null && row.plan !== null;
}

/** The runs of one service, as far as they were simulated. */
export class Simulations {
  readonly #known = new Map<number, { readonly row: ExecutionRecord; readonly run: SimulatedRun }>();

  /** The run of an execution: the same one as long as nothing was done to it. */
  of(row: BegunExecution): SimulatedRun {
    const known = this.#known.get(row.id);
    const isSame = known?.row.plan === row.plan && known.row.controls === row.controls;
    const run = isSame ? known.run : new SimulatedRun(row.plan, row.controls);
    this.#known.delete(row.id);
    this.#known.set(row.id, { row, run });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest);
    return run;
  }
}

/** Milliseconds from the start of an execution to a moment. */
export function elapsed(row: BegunExecution, moment: number): number {
  return moment - Date.parse(row.startedAt);
}
