/** One figure of a metric: `[namespace/]name[selector]`. */
export interface FigureName {
  /** Absent: the system's metrics, then User's. */
  readonly namespace?: string;
  readonly name: string;
  /** An aggregator, a percentile, a bucket, `largest` or `total`. */
  readonly selector?: string;
}

export type KpiOperator = "<" | "<=" | ">" | ">=" | "=" | "!=";
type KpiUnit = "%" | "ms" | "s" | "bytes";

/** A KPI that was read (API 2, KPIs); columns count from 1. */
export interface Kpi extends FigureName {
  readonly operator: KpiOperator;
  readonly threshold: number;
  readonly unit?: KpiUnit;
  readonly columns: { readonly selector: number; readonly operator: number; readonly unit: number };
}

/** The mistake in an expression, and its column, from 1. */
export interface KpiProblem {
  readonly column: number;
  readonly problem: string;
}

export function isKpiProblem(read: object): read is KpiProblem {
  return "problem" in read;
}

const units: readonly KpiUnit[] = ["%", "ms", "s", "bytes"];

const word = "[^\\[\\]<>=!/]*[^\\[\\]<>=!/\\s][^\\[\\]<>=!/]*";
const words = "[^\\[\\]<>=!]*[^\\[\\]<>=!\\s][^\\[\\]<>=!]*";

/** The language of KPIs as a regular expression, for editors: it matches the texts that {@link parseKpi} reads. */
export const kpiPattern =
  `^(?:${word}/${words}|${word})(?:\\[[^\\]]*[^\\]\\s][^\\]]*\\])?\\s*(?:<=|>=|==|!=|<|>|=)\\s*` +
  "[-+]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][-+]?\\d+)?\\s*(?:%|ms|s|bytes)?\\s*$";

/** Reads `[namespace/]name[selector] operator number [unit]`, or says at which column it is wrong. */
export function parseKpi(expr: string): Kpi | KpiProblem {
  const figure = readFigure(expr);
  if (isKpiProblem(figure)) return figure;
  const operator = /^\s*(<=|>=|==|!=|<|>|=)/.exec(expr.slice(figure.end));
  if (operator === null) return noComparison(expr, figure.end);
  const text = operator[1] ?? "";
  const after = figure.end + operator[0].length;
  const number = /^\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*$/is.exec(expr.slice(after));
  if (number === null || !Number.isFinite(Number(number[1]))) return noNumber(expr, after);
  const unit = number[2] ?? "";
  const unitColumn = expr.trimEnd().length - unit.length + 1;
  if (unit !== "" && !isUnit(unit))
    return {
      column: unitColumn,
      problem: `found the unit ${JSON.stringify(unit)}; expected none, or %, ms, s or bytes`,
    };
  return {
    ...figure.name,
    operator: text === "==" ? "=" : (text as KpiOperator),
    threshold: Number(number[1]),
    ...(isUnit(unit) && { unit }),
    columns: { selector: figure.selectorColumn, operator: after - text.length + 1, unit: unitColumn },
  };
}

/** Reads the name of a figure alone, as `noWorse` takes it. */
export function parseFigureName(text: string): FigureName | KpiProblem {
  const figure = readFigure(text);
  if (isKpiProblem(figure)) return figure;
  const rest = text.slice(figure.end).trim();
  if (rest === "") return figure.name;
  return {
    column: text.indexOf(rest, figure.end) + 1,
    problem: `found ${JSON.stringify(rest)} after the metric; expected its end`,
  };
}

/** The name as it is written in an expression. */
export function figureText({ namespace, name, selector }: FigureName): string {
  return `${namespace === undefined ? "" : `${namespace}/`}${name}${selector === undefined ? "" : `[${selector}]`}`;
}

/** True where a value meets a comparison. */
export function meets(value: number, operator: KpiOperator, threshold: number): boolean {
  const holds: Readonly<Record<KpiOperator, boolean>> = {
    "<": value < threshold,
    "<=": value <= threshold,
    ">": value > threshold,
    ">=": value >= threshold,
    "=": value === threshold,
    "!=": value !== threshold,
  };
  return holds[operator];
}

function isUnit(text: string): text is KpiUnit {
  return (units as readonly string[]).includes(text);
}

interface ReadFigure {
  readonly name: FigureName;
  /** Offset of the first character behind it. */
  readonly end: number;
  readonly selectorColumn: number;
}

function readFigure(text: string): ReadFigure | KpiProblem {
  const [before = ""] = /^[^[\]<>=!]*/.exec(text) ?? [];
  const [namespace, ...names] = before.split("/");
  const isSpaced = names.length > 0;
  const name = (isSpaced ? names.join("/") : (namespace ?? "")).trim();
  if (name === "" || (isSpaced && namespace?.trim() === ""))
    return { column: 1, problem: "found no metric; expected its name, such as count or firstReceivedMs[p95]" };
  const named = { ...(isSpaced && { namespace: namespace?.trim() ?? "" }), name };
  if (text[before.length] === "]")
    return { column: before.length + 1, problem: 'found "]" without its "["; expected a selector such as [p95]' };
  if (text[before.length] !== "[")
    return { name: named, end: before.length, selectorColumn: before.trimEnd().length + 1 };
  const close = text.indexOf("]", before.length);
  if (close < 0)
    return { column: before.length + 1, problem: 'found "[" without its "]"; expected a selector such as [p95]' };
  const selector = text.slice(before.length + 1, close).trim();
  const selectorColumn = before.length + 2;
  if (selector === "")
    return {
      column: selectorColumn,
      problem: "found an empty selector; expected an aggregator, a percentile or a bucket",
    };
  return { name: { ...named, selector }, end: close + 1, selectorColumn };
}

function noComparison(expr: string, end: number): KpiProblem {
  const rest = expr.slice(end).trim();
  const expected = "expected a comparison (<, <=, >, >=, =, !=) and a number";
  if (rest === "") return { column: expr.trimEnd().length + 1, problem: `found no comparison; ${expected}` };
  return { column: expr.indexOf(rest, end) + 1, problem: `found ${JSON.stringify(rest)}; ${expected}` };
}

function noNumber(expr: string, after: number): KpiProblem {
  const rest = expr.slice(after).trim();
  const found = rest === "" ? "nothing" : JSON.stringify(rest);
  const column = rest === "" ? expr.trimEnd().length + 1 : expr.indexOf(rest, after) + 1;
  return { column, problem: `found ${found} after the comparison; expected a finite number` };
}
