import { type Hinted, hinted, meaning, nearest } from "../did-you-mean.ts";
import type { FigureName, Kpi, KpiProblem } from "./kpi.ts";
import { type Figure, figureOf, findMetric, type Metric, systemMetrics, thresholdIn } from "./metric.ts";

/** A mistake that can be told before a run, or a doubt about a metric that nobody knows yet. */
export interface Doubted {
  readonly problem?: KpiProblem;
  readonly doubt?: Hinted;
}

/** The mistakes of a KPI. */
export function doubtKpi(kpi: Kpi): Doubted {
  const { figure, ...doubted } = doubtFigure(kpi, { isShare: kpi.unit === "%", column: kpi.columns.selector });
  const threshold = figure && thresholdIn(kpi, figure.unit);
  return typeof threshold === "object" ? { problem: threshold } : doubted;
}

/** The mistakes of a figure that is compared with a baseline; `unit` is undefined where nobody knows the metric yet. */
export function doubtCompared(name: FigureName, column: number): Doubted & { readonly unit?: string | null } {
  const { figure, ...doubted } = doubtFigure(name, { isShare: true, column });
  return { ...doubted, ...(figure && { unit: figure.unit }) };
}

function doubtFigure(
  name: FigureName,
  { isShare, column }: { readonly isShare: boolean; readonly column: number },
): Doubted & { readonly figure?: Figure } {
  const known = Object.entries(systemMetrics).map(
    ([each, { type, units }]): Metric => ({ ...emptyMetric, name: each, type, units }),
  );
  const metric = findMetric(known, name);
  if (metric === undefined) return doubtName(name);
  const figure = figureOf({ ...metric, ...sampleOf(metric, name) }, name, isShare);
  if ("problem" in figure) return { problem: { column, problem: figure.problem } };
  const doubt = figure.missing === true ? oddPercentile(name) : oddBucket(metric, name);
  return { figure, ...(doubt !== undefined && { doubt }) };
}

function oddPercentile({ selector }: FigureName): Hinted {
  return { detail: `${selector} is measured only where the run was told to; p50, p95 and p99 always are` };
}

const outcomes: readonly string[] = ["success", "failure"];

/** A misspelt bucket counts as none of it, whatever was measured; others than these there may be. */
function oddBucket({ name: metric }: Metric, { selector = "" }: FigureName): Hinted | undefined {
  const isKnown = metric !== "outcome" || outcomes.includes(selector.toLowerCase());
  const instead = isKnown ? undefined : nearest(selector, outcomes);
  if (instead === undefined) return undefined;
  return meaning(`[${selector}] is 0 where no outcome has this name`, { found: selector, instead });
}

const emptyMetric = { namespace: "System" } as const;

/** Enough of a measured metric for its figures to have their units. */
function sampleOf({ type }: Metric, { selector = "" }: FigureName): Pick<Metric, "value" | "values"> {
  if (type === "Counter") return { value: 0 };
  if (type === "Histogram") return { values: { [selector]: 1 } };
  return {
    values: Object.fromEntries(
      ["count", "mean", "sd", "var", "min", "max", "sum", "p50", "p95", "p99"].map((key) => [key, 1]),
    ),
  };
}

/** A name that is none of the system's may be a metric of the user's own: it is doubted where it resembles one. */
function doubtName({ namespace, name }: FigureName): { readonly doubt?: Hinted } {
  if (namespace !== undefined && namespace.toLowerCase() !== "system") return {};
  const names = Object.entries(systemMetrics).flatMap(([each, { label }]) => [each, label]);
  const detail = `${name} is no metric that the service measures by itself; one that a script reports is written User/${name}`;
  const otherwise = ` The service measures ${Object.keys(systemMetrics).join(", ")}`;
  return { doubt: hinted(detail, { found: name, among: names, otherwise }) };
}
