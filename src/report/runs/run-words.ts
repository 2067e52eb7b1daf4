import { formatCount } from "../../pictures/figures.ts";
import type { JudgedRun, KpiVerdict, NoWorseVerdict, RunDetails, Verdict } from "../../run/run-document.ts";
import { cleanLine, counted } from "../terminal-text.ts";

/** One thing that was asked of a run, in words. */
export interface RunCheck {
  readonly kind: "kpi" | "noWorse" | "minimum";
  /** A KPI as it was written, `noWorse METRIC`, or `minimum requests`; unique within its run. */
  readonly name: string;
  /** Undefined where it was not decided. */
  readonly ok: boolean | undefined;
  /** The value that was found, with its unit. */
  readonly measured: string;
  /** Beside the value: what it is compared with. */
  readonly beside?: string;
}

/** The name of a run: its gate, or the address of its configuration. */
export function runName({ gate, address }: Pick<JudgedRun, "gate" | "address">): string {
  return gate ?? address;
}

/** True where the figures of a run decided about it. */
export function isJudged({ verdict }: Pick<JudgedRun, "verdict">): boolean {
  return verdict === "passed" || verdict === "failed";
}

/** Facts that a reader must know beside the verdict: that it is no measurement, or not of what is declared. */
export function runMarks({ simulated, stale }: Pick<JudgedRun, "simulated" | "stale">): readonly string[] {
  return [
    ...(simulated ? ["simulated: no request was sent, the figures are modelled"] : []),
    ...(stale ? ["stale: what ran is not what is declared"] : []),
  ];
}

/** The marks of a run as words in parentheses, and nothing where there is none. */
export function shortMarks({ simulated, stale }: Pick<JudgedRun, "simulated" | "stale">): string {
  const words = [...(simulated ? ["simulated"] : []), ...(stale ? ["stale"] : [])];
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}

/** The sign before a check or a verdict, where there is no colour. */
export function signOfCheck(ok: boolean | undefined): string {
  return ok === undefined ? "·" : ok ? "✓" : "✗";
}

/** The sign of a verdict. */
export const verdictSigns: Readonly<Record<Verdict, string>> = {
  passed: "✓",
  failed: "✗",
  stopped: "■",
  error: "✗",
  unknown: "?",
};

/** "2 passed, 1 failed"; verdicts that no run has are left out. */
export function verdictCounts(runs: readonly Pick<JudgedRun, "verdict">[]): string {
  const verdicts: readonly Verdict[] = ["passed", "failed", "stopped", "error", "unknown"];
  const counts = verdicts.map((verdict) => [runs.filter((run) => run.verdict === verdict).length, verdict] as const);
  const shown = counts.filter(([count]) => count > 0).map(([count, verdict]) => `${count} ${verdict}`);
  return shown.length === 0 ? "no run" : shown.join(", ");
}

/** Everything that was asked of a run, in the order in which its gate has it. */
export function checksOf({ run, minimum, noWorseUnits }: RunDetails): readonly RunCheck[] {
  const decided = isJudged(run);
  const checks: readonly RunCheck[] = [
    ...run.kpis.map((kpi) => kpiCheck(kpi, run.kpis)),
    ...run.noWorse.map((entry, index) => noWorseCheck(entry, noWorseUnits[index] ?? null)),
    minimumCheck(run.summary.requests, minimum),
  ];
  return decided ? checks : checks.map((check) => ({ ...check, ok: undefined }));
}

/** A KPI is named by its expression alone, unless another resource is asked the same. */
function kpiCheck({ expr, resource, value, unit, ok }: KpiVerdict, all: readonly KpiVerdict[]): RunCheck {
  const isRepeated = all.filter((each) => each.expr === expr).length > 1;
  const about = resource === undefined ? [] : [isRepeated ? "" : `worst of ${resource}`].filter((word) => word !== "");
  const name = isRepeated && resource !== undefined ? `${expr} (${resource})` : expr;
  return { kind: "kpi", name, ok, measured: valueText(value, unit), ...(about[0] && { beside: about[0] }) };
}

function noWorseCheck({ metric, value, baseline, change, ok }: NoWorseVerdict, unit: string | null): RunCheck {
  const beside =
    baseline === null
      ? "no baseline"
      : `baseline ${valueText(baseline, unit)}${change === null ? "" : `, ${changeWords(change, unit)}`}`;
  return {
    kind: "noWorse",
    name: `noWorse ${metric}`,
    ok: ok ?? undefined,
    measured: valueText(value, unit),
    beside,
  };
}

function minimumCheck(requests: number | null, minimum: number): RunCheck {
  return {
    kind: "minimum",
    name: "minimum requests",
    ok: requests !== null && requests >= minimum,
    measured: valueText(requests, null),
    beside: `at least ${formatCount(minimum)}`,
  };
}

/** The checks that a reader is shown: a minimum that is met says nothing. */
export function shownChecks(details: RunDetails): readonly RunCheck[] {
  return checksOf(details).filter(({ kind, ok }) => kind !== "minimum" || ok === false);
}

/** The reasons of a verdict that no missed check tells already; why a figure was not measured is told by none. */
export function otherReasons({ run: { kpis, noWorse, reasons } }: RunDetails): readonly string[] {
  const missed = [
    ...kpis.map(({ expr, ok, value }) => ({ words: `${expr}: `, ok, value })),
    ...noWorse.map(({ metric, ok, value }) => ({ words: `noWorse ${metric}: `, ok, value })),
  ].filter(({ ok, value }) => ok === false && value !== null);
  return reasons.filter(
    (reason) => !minimumReason.test(reason) && !missed.some(({ words }) => reason.startsWith(words)),
  );
}

/** The reason that the check of the minimum shows with both numbers. */
const minimumReason = /; the minimum is [\d,]+$/;

/** A value with its unit; as exact as it is compared, so that 300.4 never reads as 300. */
export function valueText(value: number | null, unit: string | null): string {
  if (value === null) return "not measured";
  return `${exactFigure(value)}${unit === null ? "" : ` ${cleanLine(unit, 20)}`}`;
}

/** A difference with its sign; of shares in percentage points. */
function changeWords(change: number, unit: string | null): string {
  const size = exactFigure(Math.abs(change));
  const sign = change === 0 ? "±" : change < 0 ? "−" : "+";
  return `${sign}${size}${unit === null ? "" : unit === "%" ? " pp" : ` ${cleanLine(unit, 20)}`}`;
}

/** Three decimals at most, unless they would make a fraction look whole. */
function exactFigure(value: number): string {
  const rounded = Number(value.toFixed(3));
  const shown = Number.isInteger(rounded) && !Number.isInteger(value) ? Number(value.toPrecision(12)) : rounded;
  const [whole = "0", fraction] = String(Math.abs(shown)).split(".");
  const grouped = /^\d+$/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return `${shown < 0 ? "−" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** Where and when a run was: "testCase.shop/configuration.smoke, execution 17". */
export function runPlace({ gate, address, execution }: JudgedRun): string {
  const id = execution === null ? "no execution" : `execution ${execution}`;
  return gate === undefined ? id : `${address}, ${id}`;
}

/** ISO 8601 as 2026-11-20 10:07 UTC; any other text as it is. */
export function momentWords(moment: string | null): string {
  if (moment === null) return "–";
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(moment) && !Number.isNaN(Date.parse(moment));
  return isMoment ? `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC` : moment;
}

/** The executions that a run was compared with, in words; undefined where there is none. */
export function baselineWords({ baseline }: Pick<JudgedRun, "baseline">): string | undefined {
  if (baseline === undefined || baseline.length === 0) return undefined;
  const ids = baseline.join(", ");
  return baseline.length === 1 ? `execution ${ids}` : `the median of ${counted(baseline.length, "execution")}: ${ids}`;
}
