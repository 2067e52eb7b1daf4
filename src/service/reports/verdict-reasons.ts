import type { Wire } from "../../api/routes.ts";
import { formatCount, formatFigure, formatPercent } from "../../pictures/figures.ts";

/** The facts that explain a verdict. */
export interface VerdictFacts {
  readonly state: keyof typeof waitsFor;
  readonly kpis: readonly Kpi[];
  /** Origin of the figures, where it is known. */
  readonly engine: keyof typeof origins | null;
  /** The first failure: of the scenario's first iteration, of one of real load, or of the load itself. */
  readonly failure: string | null;
  readonly totals: { readonly requests: number; readonly failures: number; readonly breakingPoint: number | null };
}

interface Kpi {
  readonly expression: string;
  readonly value: number | null;
  readonly holds: boolean | null;
}

/** Why a run passed or failed, or what it waits for: short sentences, the weightiest first. What was not measured is said before all else. */
export function reasonsOf(execution: Wire<"execution">, facts: VerdictFacts): readonly string[] {
  const origin = facts.engine === null ? [] : origins[facts.engine];
  if (!execution.completed) return [...origin, waitsFor[facts.state]];
  return [
    ...origin,
    ...brokenScenario(facts),
    ...brokenKpis(facts.kpis),
    ...endings(execution, facts),
    ...outcomes(facts),
  ];
}

const origins = {
  model: ["Simulated: no request was sent."],
  script: ["Simulated: the requests of one iteration were sent, no others."],
  live: ["Real load: nothing was simulated."],
} as const;

const waitsFor = {
  queued: "It waits for test runners.",
  waiting: "Its test runners are ready; it waits for its manual start.",
  running: "It is running; the figures are those so far.",
  completed: "It is completed.",
} as const;

/** Of simulated runs the first iteration is the only one that runs the scenario. */
function brokenScenario({ engine, failure }: VerdictFacts): readonly string[] {
  if (failure === null) return [];
  return [engine === "live" ? `It failed: ${failure}` : `Its scenario failed in its first iteration: ${failure}`];
}

function brokenKpis(kpis: readonly Kpi[]): readonly string[] {
  const broken = kpis.filter((kpi) => kpi.holds === false);
  if (broken.length === 0 && kpis.length > 0 && kpis.every((kpi) => kpi.holds))
    return [kpis.length === 1 ? "Its KPI holds." : `All ${kpis.length} KPIs hold.`];
  return broken.map(({ expression, value }) =>
    value === null
      ? `${expression} does not hold: nothing was measured.`
      : `${expression} does not hold: it was ${formatFigure(value)}.`,
  );
}

function endings({ cancelledByUser, limitBreached }: Wire<"execution">, { totals }: VerdictFacts) {
  return [
    ...(cancelledByUser ? ["It was stopped by a user before its end."] : []),
    ...(limitBreached ? ["It reached the most users that the account allows."] : []),
    ...(totals.breakingPoint === null ? [] : [`It broke at ${formatCount(totals.breakingPoint)} users.`]),
  ];
}

function outcomes({ engine, totals: { requests, failures } }: VerdictFacts): readonly string[] {
  const noun = engine === "model" || engine === "script" ? "simulated requests" : "requests";
  if (requests === 0) return ["No request was made."];
  if (failures === 0) return [`All ${formatCount(requests)} ${noun} succeeded.`];
  const share = formatPercent(failures / requests);
  return [`${formatCount(failures)} of ${formatCount(requests)} ${noun} failed (${share}).`];
}
