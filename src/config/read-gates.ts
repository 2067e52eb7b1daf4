import type { DocumentPath, DocumentPlace } from "../model/diagnostic.ts";
import { hinted } from "../model/did-you-mean.ts";
import { doubtCompared, doubtKpi } from "../model/gates/doubt-kpi.ts";
import {
  type Allowance,
  type Baseline,
  type Gate,
  type GateKpi,
  misfit,
  type NoWorse,
  plainGate,
  readAllowance,
} from "../model/gates/gate.ts";
import { isKpiProblem, type KpiProblem, parseFigureName, parseKpi } from "../model/gates/kpi.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { Report } from "./collect-problems.ts";
import { expandField, isUnset, type Scope } from "./expand.ts";

/** The project around the gates. */
export interface GateContext {
  readonly scope: Scope;
  readonly report: Report;
  /** Addresses of the declared objects. */
  readonly declared: { has(address: string): boolean; keys(): Iterable<string> };
}

/** The gates of a document, those with a mistake left out; each mistake is reported at its line and column. */
export function readGates(document: JsonObject, { scope, report, declared }: GateContext): readonly Gate[] {
  if (!isObject(document.gates)) return [];
  return Object.entries(document.gates).flatMap(([name, written]) => {
    if (!isObject(written)) return [];
    const path = ["gates", name];
    const input = expandField(undefined, written, { scope, report, path }).value;
    if (!isObject(input)) return [];
    const address = addressOf(input["configuration"], [...path, "configuration"], { declared, report });
    if (hasUnset(input)) return [{ ...plainGate(address ?? ""), name, isUnset: true }];
    const kpis = elementsOf(input["kpis"]).map((kpi, at) => readKpi(kpi, [...path, "kpis", at], report));
    const noWorse = readNoWorse(input["noWorse"], [...path, "noWorse"], report);
    const baseline = readBaseline(input["baseline"], [...path, "baseline"], report);
    if (address === undefined || baseline === undefined || [...kpis, ...noWorse].includes(undefined)) return [];
    return [
      { ...plainGate(address), ...plainParts(input), name, kpis: present(kpis), noWorse: present(noWorse), baseline },
    ];
  });
}

function hasUnset(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isUnset(value) || Object.values(value).some(hasUnset);
}

function present<T>(all: readonly (T | undefined)[]): readonly T[] {
  return all.filter((each) => each !== undefined);
}

function plainParts(input: JsonObject): Partial<Gate> {
  const { minimum, tags, waitSecs, endedEarly } = input;
  const requests = isObject(minimum) ? minimum["requests"] : undefined;
  return {
    ...(typeof requests === "number" && { minimumRequests: requests }),
    tags: elementsOf(tags).filter((tag) => typeof tag === "string"),
    ...(typeof waitSecs === "number" && { waitSecs }),
    mayEndEarly: endedEarly === "allow",
  };
}

function elementsOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** `checkout/smoke`, or a whole address. */
function addressOf(
  written: Json | undefined,
  path: DocumentPath,
  { declared, report }: Omit<GateContext, "scope">,
): string | undefined {
  if (typeof written !== "string") return undefined;
  const [testCase, key, ...rest] = written.split("/");
  const isShort = rest.length === 0 && key !== undefined && !written.startsWith("testCase.");
  const address = isShort ? `testCase.${testCase}/configuration.${key}` : written;
  if (declared.has(address) && /\/configuration\.[^/]+$/.test(address)) return address;
  const known = [...declared.keys()].filter((each) => /\/configuration\.[^/]+$/.test(each));
  const short = known.map((each) => each.replace(/^testCase\./, "").replace("/configuration.", "/"));
  const meant = { found: written, among: isShort ? short : known };
  const hint = hinted("A gate is about one configuration of the project", meant);
  const summary = `${written} is no declared configuration`;
  report({ severity: "error", code: "LF1301", summary, ...hint, place: { path, at: "value" } });
  return undefined;
}

function readKpi(written: Json, path: DocumentPath, report: Report): GateKpi | undefined {
  const isText = typeof written === "string";
  const input = isObject(written) ? written : {};
  const expr = isText ? written : input["expr"];
  const place = { path: isText ? path : [...path, "expr"], at: "value" } as const;
  if (typeof expr !== "string") return undefined;
  const kpi = parseKpi(expr);
  if (isKpiProblem(kpi)) return refuseText(report, "expression", place, kpi);
  const { problem, doubt } = doubtKpi(kpi);
  if (problem !== undefined) return refuseText(report, "expression", place, problem);
  if (doubt !== undefined) report({ ...unmeasured(kpi.name), ...doubt, place });
  const { resource, breakOnFail } = input;
  return { expr, kpi, breakOnFail: breakOnFail === true, ...(typeof resource === "string" && { resource }) };
}

function unmeasured(name: string) {
  return { severity: "warning", code: "LF1208", summary: `${name} may not be measured` } as const;
}

function refuseText(report: Report, what: string, place: DocumentPlace, { column, problem }: KpiProblem): undefined {
  const summary = `the ${what} cannot be read at column ${column}`;
  report({ severity: "error", code: "LF1207", summary, detail: problem, place: { ...place, within: column } });
}

function readNoWorse(written: Json | undefined, path: DocumentPath, report: Report): readonly (NoWorse | undefined)[] {
  if (!isObject(written)) return [];
  return Object.entries(written).map(([metric, allowed]) => {
    const at = [...path, metric];
    const key = { path: at, at: "key" } as const;
    const figure = parseFigureName(metric);
    if (isKpiProblem(figure)) return refuseText(report, "metric", key, figure);
    const { problem, doubt, unit } = doubtCompared(figure, metric.indexOf("[") + 2);
    if (problem !== undefined) return refuseText(report, "metric", key, problem);
    if (doubt !== undefined) report({ ...unmeasured(figure.name), ...doubt, place: key });
    if (isObject(allowed)) return undefined;
    const refuse = (detail: string, path = at) =>
      report({
        ...{ severity: "error", code: "LF1207", summary: "the allowance cannot be read", detail },
        place: { path, at: "value" },
      });
    const allowances = elementsOf(allowed).map((each, index) =>
      readAllowed(each, unit, (detail) => refuse(detail, Array.isArray(allowed) ? [...at, index] : at)),
    );
    if (allowances.includes(undefined)) return undefined;
    const senseless = senselessList(present(allowances));
    if (senseless === undefined) return { metric, figure, allowances: present(allowances) };
    refuse(`found ${JSON.stringify(allowed)}; ${senseless}`);
    return undefined;
  });
}

/** Why allowances of one figure would decide nothing: all of them must be exceeded. */
function senselessList(allowances: readonly Allowance[]): string | undefined {
  if (allowances.length === 0) return "expected at least one allowance, such as +10%";
  const signs = new Set(allowances.map(({ sign }) => sign));
  if (signs.size === 1) return undefined;
  return "expected one sign, that of the worse direction: of a list all must be exceeded, and no figure becomes both more and less";
}

function readAllowed(
  written: Json,
  unit: string | null | undefined,
  refused: (detail: string) => void,
): Allowance | undefined {
  const allowance = readAllowance(Object.is(written, -0) ? "-0" : String(written));
  const expected = "expected a sign, a number and %, pp, ms, s or bytes, such as +10% or -0.5pp";
  const detail =
    allowance === undefined
      ? `found ${JSON.stringify(written)}; ${expected}`
      : unit === undefined
        ? undefined
        : misfit(allowance, unit);
  if (detail === undefined) return allowance;
  refused(detail);
  return undefined;
}

function readBaseline(written: Json | undefined, path: DocumentPath, report: Report): Baseline | undefined {
  if (written === undefined || written === null || written === "previous") return { is: "previous" };
  if (written === "none") return { is: "none" };
  const { last, tag, execution } = isObject(written) ? written : {};
  const given = [last, tag, execution].filter((each) => each !== undefined);
  if (given.length === 1 && typeof last === "number") return { is: "last", count: last };
  if (given.length === 1 && typeof tag === "string") return { is: "tag", tag };
  if (given.length === 1 && typeof execution === "number") return { is: "execution", id: execution };
  // A member of another type has been reported with the document's shape.
  if (isObject(written) && given.length === 1) return undefined;
  const detail = `found ${JSON.stringify(written)}; expected previous, none, or one of { last: N }, { tag: NAME }, { execution: ID }`;
  const place = { path, at: "value" } as const;
  report({ severity: "error", code: "LF1207", summary: "the baseline cannot be read", detail, place });
  return undefined;
}
