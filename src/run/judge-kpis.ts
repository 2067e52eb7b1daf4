import { type Allowance, type GateKpi, misfit, type NoWorse } from "../model/gates/gate.ts";
import { type FigureName, figureText, isKpiProblem, type Kpi, meets } from "../model/gates/kpi.ts";
import { amountIn, type Figure, thresholdIn } from "../model/gates/metric.ts";
import { wildMatcher } from "../model/wildcards.ts";
import type { Measured } from "./read-figures.ts";
import type { Resources } from "./read-resources.ts";
import type { KpiVerdict, NoWorseVerdict } from "./run-document.ts";

/** A judged part, and the sentence that says why it is missed. */
export interface Judged<T> {
  readonly verdict: T;
  readonly reason?: string;
  /** Unit of the figure, where the verdict does not have it. */
  readonly unit?: string | null;
}

const anything = { accepts: () => true, repeats: true };

/** Judges a KPI over a whole run; one about resources must hold for each that it names. */
export async function judgeKpi(
  { expr, kpi, resource }: GateKpi,
  run: Measured,
  resources: () => Promise<Resources>,
): Promise<Judged<KpiVerdict>> {
  if (resource === undefined) return judgeOne({ expr }, kpi, run);
  const isMeant = wildMatcher([...resource].map((character) => (character === "*" ? anything : character)));
  const all = await resources();
  const meant = (all ?? []).filter(({ name }) => isMeant(name));
  const judged = await Promise.all(meant.map(({ measured }) => judgeOne({ expr, resource }, kpi, measured)));
  const worst = judged.reduce<Judged<KpiVerdict> | undefined>((found, each) => worse(found, each, kpi), undefined);
  if (worst !== undefined) return worst;
  const names = all === undefined ? "its resources cannot be read" : `it has ${listed(all.map(({ name }) => name))}`;
  const verdict = { expr, resource, value: null, unit: null, ok: false };
  return { verdict, reason: `${expr}: no resource of the run matches ${resource}; ${names}` };
}

/** The first KPI that ends a run as it does not hold; what is not measured ends none. */
export function brokenKpi(asked: readonly GateKpi[], verdicts: readonly KpiVerdict[]): string | undefined {
  const isMissed = (verdict?: KpiVerdict) => verdict?.ok === false && verdict.value !== null;
  return asked.find(({ breakOnFail }, index) => breakOnFail && isMissed(verdicts[index]))?.expr;
}

async function judgeOne(
  named: { readonly expr: string; readonly resource?: string },
  kpi: Kpi,
  measured: Measured,
): Promise<Judged<KpiVerdict>> {
  const figure = await measured.figure(kpi, kpi.unit === "%");
  if ("problem" in figure) return missed(named, `${named.expr}: ${figure.problem}`);
  const { value, unit } = figure;
  if (value === null) {
    const detail = `${figureText(kpi)} was not measured; measured were ${listed(measured.names)}`;
    return { verdict: { ...named, value, unit, ok: false }, reason: `${named.expr}: ${detail}` };
  }
  const threshold = thresholdIn(kpi, unit);
  if (isProblem(threshold)) return missed(named, `${named.expr}: ${threshold.problem}`);
  const ok = meets(value, kpi.operator, threshold);
  const verdict = { ...named, value, unit, ok };
  return ok ? { verdict } : { verdict, reason: `${named.expr}: it was ${figureWords(value, unit)}` };
}

function isProblem(threshold: number | object): threshold is { readonly column: number; readonly problem: string } {
  return typeof threshold === "object" && isKpiProblem(threshold);
}

function missed(named: { readonly expr: string; readonly resource?: string }, reason: string): Judged<KpiVerdict> {
  return { verdict: { ...named, value: null, unit: null, ok: false }, reason };
}

/** The worse one: what was not measured, then what is missed, then what is nearer to it. */
function worse(left: Judged<KpiVerdict> | undefined, right: Judged<KpiVerdict>, { operator }: Kpi): Judged<KpiVerdict> {
  if (left === undefined) return right;
  if (left.verdict.ok !== right.verdict.ok) return left.verdict.ok ? right : left;
  const [one, other] = [left.verdict.value, right.verdict.value];
  if (one === null || other === null) return one === null ? left : right;
  const isGreaterWorse = operator === "<" || operator === "<=";
  return (isGreaterWorse ? other > one : other < one) ? right : left;
}

/** A figure of the baseline; null where it was not measured, undefined without a baseline. */
export type BaselineFigure = (name: FigureName) => Promise<number | null | undefined>;

/** Judges a figure against the baseline's; a bucket is always its share. */
export async function judgeNoWorse(
  { metric, figure: name, allowances }: NoWorse,
  measured: Measured,
  baselineOf: BaselineFigure,
): Promise<Judged<NoWorseVerdict>> {
  const figure = await measured.figure(name, true);
  if ("problem" in figure)
    return {
      verdict: { metric, value: null, baseline: null, change: null, ok: false },
      reason: `${metric}: ${figure.problem}`,
    };
  const { value } = figure;
  const problem = allowances.map((each) => misfit(each, figure.unit)).find((each) => each !== undefined);
  if (value !== null && problem !== undefined)
    return {
      verdict: { metric, value, baseline: null, change: null, ok: false },
      reason: `noWorse ${metric}: ${problem}`,
    };
  const baseline = await baselineOf(name);
  if (value === null) {
    const reason = `noWorse ${metric}: it was not measured; measured were ${listed(measured.names)}`;
    return {
      verdict: { metric, value, baseline: baseline ?? null, change: null, ok: false },
      reason,
      unit: figure.unit,
    };
  }
  if (baseline === undefined || baseline === null)
    return { verdict: { metric, value, baseline: null, change: null, ok: null }, unit: figure.unit };
  const change = value - baseline;
  const ok = !allowances.every((allowance) => isExceeded(allowance, change, { value: baseline, unit: figure.unit }));
  const verdict = { metric, value, baseline, change, ok };
  if (ok) return { verdict, unit: figure.unit };
  const words = `${figureWords(value, figure.unit)} after ${figureWords(baseline, figure.unit)} in the baseline`;
  return { verdict, reason: `noWorse ${metric}: it was ${words}`, unit: figure.unit };
}

function isExceeded(
  { sign, amount, unit }: Allowance,
  change: number,
  { value: baseline, unit: own }: { readonly value: number; readonly unit: string | null },
): boolean {
  const most = unit === "%" ? (Math.abs(baseline) * amount) / 100 : (amountIn(amount, unit, own) ?? amount);
  // A share that is added and taken away again is not exactly the same.
  return change * sign > most + Math.abs(baseline) * 1e-12;
}

/** A figure in words, with its unit. */
function figureWords(value: number, unit: Figure["unit"]): string {
  const text = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 }).format(value);
  return unit === null ? text : `${text} ${unit}`;
}

const mostListed = 12;

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length - mostListed;
  return `${names.slice(0, mostListed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
