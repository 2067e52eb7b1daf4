import { type Reply, WaitingReply } from "../core/handlers.ts";
import { engineHeader, readEngine } from "../core/run-engine.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { beyondLimits } from "../scripts/load-limits.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { takeStep } from "./execution-steps.ts";
import { beyondBounds, makeExecution, type RunOrder } from "./make-execution.ts";
import { probeScenario } from "./probe-scenario.ts";

/** A call that starts a run. */
export interface RunStart {
  /** Of the call: one may name who carries the run out. */
  readonly headers: ReadonlyMap<string, string>;
  /**
   * The order. It may write, and is made again when the probe iteration took its time: everything written before is taken back.
   * It must be, for other requests are answered while the iteration runs: they may not see half a start, and may change what
   * the order is made of.
   */
  readonly order: (scope: Scope) => Omit<RunOrder, "probe" | "engine">;
  /** The answer. */
  readonly view: (row: ExecutionRecord, scope: Scope) => Reply;
}

/** Answers a call that starts a run; it waits until the probe iteration has ended. */
export function startRun({ headers, order, view }: RunStart, scope: Scope): Reply {
  const engine = readEngine(headers.get(engineHeader), scope);
  const asked = { ...order(scope), engine };
  const beyond = beyondBounds(asked, scope);
  if (beyond !== undefined) throw new Refusal(400, beyond);
  const probe = probeScenario(asked, scope);
  if (typeof probe === "object") return view(begun({ ...asked, probe }, scope), scope);
  return WaitingReply.of(probe, (run, later) => {
    if (later.turns.isClosed) throw new Refusal(503, "the service was closed; expected it open");
    return view(begun({ ...order(later), engine, probe: { run } }, later), later);
  });
}

function begun(order: RunOrder, scope: Scope): ExecutionRecord {
  const row = makeExecution(order, scope);
  if (row.plan?.measured) {
    const beyond = beyondLimits(row.plan);
    if (beyond !== undefined)
      throw new Refusal(
        400,
        `${beyond}. Make it smaller, or have it modelled with the header X-Loadform-Engine: model`,
      );
    scope.loads.give(row.id, order.given);
  }
  return takeStep(row, scope);
}
