import type { Reply } from "../core/handlers.ts";
import { WaitingReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { isKpiProblem, parseKpi } from "../runs/parse-kpi.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { takeStep } from "./execution-steps.ts";
import type { RunOrder } from "./make-execution.ts";
import { makeExecution } from "./make-execution.ts";
import { probeScenario } from "./probe-scenario.ts";

/** Answers a call that starts a run with what `view` makes of the execution; it waits until the probe iteration has ended. */
export function startRun(
  order: Omit<RunOrder, "probe">,
  view: (row: ExecutionRecord, scope: Scope) => Reply,
  scope: Scope,
): Reply {
  const probe = probeScenario(order.configuration, order.given, scope);
  if (typeof probe === "object") return view(begun({ ...order, probe }, scope), scope);
  return WaitingReply.of(probe, (run, later) => view(begun({ ...order, probe: { run } }, later), later));
}

function begun(order: RunOrder, scope: Scope): ExecutionRecord {
  return takeStep(makeExecution(order, scope), scope);
}

/** Adds what is wrong with the expressions of KPIs to the findings, with the column (API 2, KPIs). */
export function checkKpis(kpis: readonly { readonly expr: string }[], scope: Scope, field = "kpis"): void {
  for (const [index, { expr }] of kpis.entries()) {
    const read = parseKpi(expr);
    if (isKpiProblem(read)) scope.findings.add(`${field}[${index}].expr`, `column ${read.column}: ${read.problem}`);
  }
}
