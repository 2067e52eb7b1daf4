import { type Reply, WaitingReply } from "../core/handlers.ts";
import { engines } from "../core/run-engine.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { evaluateKpi } from "../runs/evaluate-kpi.ts";
import { measure } from "../runs/measure-run.ts";
import { isKpiProblem } from "../runs/parse-kpi.ts";
import { RunCounts } from "../runs/run-counts.ts";
import { beyondLimits } from "../scripts/load-limits.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { takeStep } from "./execution-steps.ts";
import { beyondUsers, makeExecution, type RunOrder } from "./make-execution.ts";
import { probeScenario } from "./probe-scenario.ts";

/** A call that starts a run. */
export interface RunStart {
  /**
   * The order. It may write, and is made again when the probe iteration took its time: everything written before is taken back.
   * It must be, for other requests are answered while the iteration runs: they may not see half a start, and may change what
   * the order is made of.
   */
  readonly order: (scope: Scope) => Omit<RunOrder, "probe">;
  /** The answer. */
  readonly view: (row: ExecutionRecord, scope: Scope) => Reply;
}

/** Answers a call that starts a run; it waits until the probe iteration has ended. */
export function startRun({ order, view }: RunStart, scope: Scope): Reply {
  const asked = order(scope);
  const beyond = beyondUsers(asked, scope);
  if (beyond !== undefined) throw new Refusal(400, beyond);
  const probe = probeScenario(asked, scope);
  if (typeof probe === "object") return view(begun({ ...asked, probe }, scope), scope);
  return WaitingReply.of(probe, (run, later) => view(begun({ ...order(later), probe: { run } }, later), later));
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

/** DECISION (API 2, Starting a run: who carries it out): the setting `engine`, unless the header X-Loadform-Engine of the starting call names another one. */
export function readEngine(
  named: string | undefined,
  { settings, findings, permits, whyNoLoad }: Scope,
): ExecutionRecord["engine"] {
  const engine = engines.find((each) => each === named?.trim().toLowerCase());
  if (named !== undefined && engine === undefined)
    findings.add("X-Loadform-Engine", `found "${named}"; expected ${engines.join(", ")}`);
  findings.check();
  const wanted = engine ?? settings.engine;
  if (wanted === "live" && whyNoLoad !== undefined)
    throw new Refusal(permits.live ? 409 : 400, `engine live: ${whyNoLoad}`);
  return wanted;
}

/** What is measured of every run, as it is before one: the types of these metrics are known. */
const unmeasured = () =>
  measure({ requests: [], restMs: 0, metrics: [] }, new RunCounts(0), {
    ...{ users: 0, maxUsers: 0, maxOnRunner: 0, ms: 0, breakingPoint: 0 },
  });

/** The mistake in the expression of a KPI, with its column (API 2, KPIs); undefined when it can be judged. */
export function kpiProblem(expr: string): string | undefined {
  if (expr.trim() === "") return "found none; expected an expression, such as Outcome[success] > 95%";
  const read = evaluateKpi(expr, unmeasured());
  return isKpiProblem(read) ? `column ${read.column}: ${read.problem}` : undefined;
}
