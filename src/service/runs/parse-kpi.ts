/** Comparisons of a KPI. */
export type KpiOperator = "<" | "<=" | ">" | ">=" | "=" | "!=";

/** A KPI that was read: what is compared with what. */
export interface Kpi {
  /** Null where the expression names none: System, then User. */
  readonly namespace: string | null;
  readonly name: string;
  /** The figure that is read off the metric: an aggregator, a percentile, a bucket, `total` or `largest`. */
  readonly selector: string | null;
  readonly operator: KpiOperator;
  /** As it is written, in `unit`. */
  readonly threshold: number;
  /** The unit that is written behind the number; "" for none. */
  readonly unit: KpiUnit;
  /** The column of the unit, from 1. */
  readonly unitColumn: number;
}

/** Units of a KPI's number. */
export type KpiUnit = "" | "%" | "ms" | "s" | "bytes";

/** Why an expression cannot be read, and at which column, from 1. */
export interface KpiProblem {
  readonly column: number;
  readonly problem: string;
}

const units: ReadonlySet<string> = new Set<KpiUnit>(["", "%", "ms", "s", "bytes"]);
const tail = /^\s*(?<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\s*(?<unit>\S*)\s*$/;

/**
 * Reads the expression of a KPI (API 2, KPIs): `[namespace/]name[selector] op number [unit]`.
 * One of `%`, `ms`, `s` and `bytes` may follow the number; whether it fits says the metric.
 */
export function parseKpi(expr: string): Kpi | KpiProblem {
  const found = operatorIn(expr);
  if (found === undefined)
    return {
      column: expr.length + 1,
      problem: "found no comparison; expected one of <, <=, >, >=, =, ==, != and a number",
    };
  if ("problem" in found) return found;
  const left = readLeft(expr.slice(0, found.at));
  if ("problem" in left) return left;
  const right = readRight(expr.slice(found.at + found.text.length), found.at + found.text.length);
  if ("problem" in right) return right;
  return { ...left, operator: found.text === "==" ? "=" : found.text, ...right };
}

export function isKpiProblem(read: object): read is KpiProblem {
  return "problem" in read;
}

interface FoundOperator {
  readonly at: number;
  readonly text: KpiOperator | "==";
}

/** The first comparison outside brackets. */
function operatorIn(expr: string): FoundOperator | KpiProblem | undefined {
  let open = -1;
  for (let at = 0; at < expr.length; at++) {
    const char = expr[at];
    if (char === "[" && open < 0) open = at;
    else if (char === "]") open = -1;
    const text = /^(?:<=|>=|==|!=|<|>|=)/.exec(expr.slice(at, at + 2))?.[0];
    if (open < 0 && text !== undefined) return { at, text: text as FoundOperator["text"] };
  }
  return open < 0
    ? undefined
    : { column: open + 1, problem: 'found "[" without its "]"; expected a selector such as [p95]' };
}

function readLeft(text: string): Pick<Kpi, "namespace" | "name" | "selector"> | KpiProblem {
  const open = text.indexOf("[");
  const close = text.indexOf("]", open);
  const stray = open < 0 ? text.indexOf("]") : text.slice(close + 1).search(/\S/);
  if (stray >= 0) {
    const column = (open < 0 ? stray : close + 1 + stray) + 1;
    return { column, problem: `found "${text.slice(column - 1).trim()}"; expected a comparison after the selector` };
  }
  const whole = (open < 0 ? text : text.slice(0, open)).trim();
  const selector = open < 0 ? null : text.slice(open + 1, close).trim();
  if (selector === "")
    return { column: open + 2, problem: "found an empty selector; expected an aggregator, a percentile or a bucket" };
  const slash = whole.indexOf("/");
  const namespace = slash < 0 ? null : whole.slice(0, slash).trim();
  const name = whole.slice(slash + 1).trim();
  if (name === "" || namespace === "")
    return { column: 1, problem: "found no metric; expected its name before the comparison" };
  return { namespace, name, selector };
}

function readRight(text: string, offset: number): Pick<Kpi, "threshold" | "unit" | "unitColumn"> | KpiProblem {
  const match = tail.exec(text);
  const start = offset + Math.max(0, text.search(/\S|$/)) + 1;
  if (match?.groups === undefined)
    return {
      column: start,
      problem: `found "${text.trim()}"; expected a number${text.trim() === "" ? " after the comparison" : ""}`,
    };
  const { number = "", unit = "" } = match.groups;
  const unitColumn = offset + text.lastIndexOf(unit) + 1;
  if (!isUnit(unit))
    return { column: unitColumn, problem: `found the unit "${unit}"; expected none or one of %, ms, s, bytes` };
  return { threshold: Number(number), unit, unitColumn };
}

function isUnit(text: string): text is KpiUnit {
  return units.has(text);
}
