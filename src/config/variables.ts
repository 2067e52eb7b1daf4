import { errorOf } from "../model/diagnostic.ts";
import { hinted, nearest } from "../model/did-you-mean.ts";
import { isObject, type Json, type JsonObject, objectOf } from "../model/json.ts";
import { normalNumber } from "../model/normal-form.ts";
import { escaped } from "../model/written.ts";
import type { Report } from "./collect-problems.ts";
import {
  type Expanded,
  type ExpandProblem,
  expandText,
  expression,
  longestText,
  type Scope,
  takenAsText,
  type VariableValue,
} from "./expand.ts";

/** The sources of a variable's value besides its declaration. */
export interface VariableSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var name=value`. */
  readonly vars: Readonly<Record<string, string>>;
  /** Name of the chosen environment, `${var:environment}`; "" when none is. */
  readonly environment: string;
}

/** The variables of a project, each worked out when it is first used. */
export interface Variables {
  readonly names: readonly string[];
  get(name: string): VariableValue | undefined;
}

/**
 * Variables in the order --var, $LOADFORM_VAR_<name>, environment, default. Defaults may use
 * `${…}` themselves; what uses itself is reported once.
 */
export function resolveVariables(
  declared: Json | undefined,
  sources: VariableSources,
  context: { readonly scope: Omit<Scope, "variable" | "variableNames">; readonly report: Report },
): Variables {
  const declarations = objectOf(declared);
  const names = Object.keys(declarations).filter((name) => name !== reserved);
  const { environment } = sources;
  const known = new Map<string, VariableValue>([
    [reserved, { value: environment, sensitive: false, source: escaped(environment) }],
  ]);
  const open = new Set<string>();
  const scope: Scope = { ...context.scope, variable: get, variableNames: [...names, reserved] };
  function get(name: string): VariableValue | undefined {
    const value = known.get(name);
    if (value) return value;
    if (!names.includes(name)) return undefined;
    if (open.has(name)) return usesItself(name, context.report);
    open.add(name);
    const made = resolveVariable(name, declarations[name], { sources, scope, report: context.report });
    known.set(name, made);
    return made;
  }
  for (const name of names) get(name);
  if (Object.hasOwn(declarations, reserved)) {
    const detail = "It contains the name of the chosen environment: give your variable another name";
    const place = { path: ["variables", reserved], at: "key" } as const;
    context.report({ ...errorOf("LF1302", `the variable ${reserved} is reserved`, detail), place });
  }
  reportUnknown(sources.vars, names, context.report);
  return { names, get };
}

/** The variable that holds the name of the chosen environment. */
const reserved = "environment";

/** The variables for output; values from `${env:…}` are hidden. */
export function shownVariables(variables: Variables): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    variables.names.map((name) => {
      const found = variables.get(name);
      return [name, found?.sensitive ? "(sensitive)" : (found?.value ?? null)];
    }),
  );
}

/** A value with its variables replaced by the text they are made of; `${env:…}` and `${file:…}` remain. */
export function withoutVariables(value: Json, variables: Pick<Variables, "get">): Json {
  if (typeof value === "string") return textWithoutVariables(value, variables);
  if (Array.isArray(value)) return value.map((item: Json) => withoutVariables(item, variables));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutVariables(member, variables)]));
}

function textWithoutVariables(text: string, variables: Pick<Variables, "get">): Json {
  const [whole, kind, name] = expression.exec(text) ?? [];
  expression.lastIndex = 0;
  if (whole === text && kind === "var") return variables.get(name ?? "")?.source ?? text;
  let added = 0;
  return text.replace(expression, (found, source: string | undefined, variable: string | undefined) => {
    const made = source === "var" ? variables.get(variable ?? "")?.source : undefined;
    if (typeof made === "string") added += made.length;
    // A longer text is refused where it is used.
    if (added > longestText) return found;
    return made === undefined ? found : typeof made === "string" ? made : JSON.stringify(made);
  });
}

function resolveVariable(
  name: string,
  declared: Json | undefined,
  { sources, scope, report }: { readonly sources: VariableSources; readonly scope: Scope; readonly report: Report },
): VariableValue {
  const declaration = objectOf(declared);
  const given = Object.hasOwn(sources.vars, name) ? sources.vars[name] : undefined;
  const outside = given ?? sources.env[`LOADFORM_VAR_${name}`];
  const path = ["variables", name];
  const say = (problem: ExpandProblem, at: "key" | "value", member: readonly string[] = []) =>
    report({ ...problem, place: { path: [...path, ...member], at } });
  if (outside !== undefined) {
    const origin = given === undefined ? `$LOADFORM_VAR_${name}` : `--var ${name}`;
    return typed({ value: outside, sensitive: false, source: escaped(outside) }, declaration, (found) =>
      say(wrongVariable(name, origin, found), "key"),
    );
  }
  const fallback = declaration.default;
  if (fallback === undefined || fallback === null) {
    // A value in the place of the declaration is refused for its shape.
    const detail = `Give it one with --var ${name}=…, $LOADFORM_VAR_${name} or a default`;
    if (isObject(declared ?? {})) say(errorOf("LF1305", `variable ${name} has no value`, detail), "key");
    return noValue;
  }
  const expanded: Expanded =
    typeof fallback === "string" ? expandText(fallback, scope) : { value: fallback, sensitive: false, problems: [] };
  for (const problem of expanded.problems) say(problem, "value", ["default"]);
  const { misspelt } = expanded;
  if (misspelt) say(takenAsText(misspelt.found, misspelt.meant), "value", ["default"]);
  const plain = {
    value: expanded.value as Json,
    sensitive: expanded.sensitive,
    source: withoutVariables(fallback, { get: scope.variable }),
  };
  return typed(plain, declaration, (found) => say(wrongVariable(name, "its default", found), "value", ["default"]));
}

/** The types of variables; another word is reported where the shape is checked. */
const types = ["string", "number", "boolean"];

function typed(
  given: { readonly value: Json; readonly sensitive: boolean; readonly source: Json },
  declaration: JsonObject,
  complain: (expected: string) => void,
): VariableValue {
  const fallback = declaration.default;
  const type = typeof declaration.type === "string" ? declaration.type : typeof (fallback ?? "");
  if (!types.includes(type)) return given;
  const value = converted(given.value, type);
  if (value === undefined) complain(type);
  return { ...given, value };
}

function converted(value: Json, type: string): Json | undefined {
  if (typeof value === type || typeof value === "object") return value;
  if (type === "string") return String(value);
  const read = Number.isSafeInteger(Number(value)) || !/^\s*-?\d+\s*$/.test(`${value}`) ? normalNumber(value) : value;
  if (type === "number") return typeof read === "number" ? read : undefined;
  if (value === "true" || value === "false") return value === "true";
  return undefined;
}

function wrongVariable(name: string, origin: string, expected: string): ExpandProblem {
  const detail = `The value of ${origin} (not shown) cannot be read as a ${expected}`;
  return { severity: "error", code: "LF1102", summary: `variable ${name} is not a ${expected}`, detail };
}

function usesItself(name: string, report: Report): VariableValue {
  const detail = `\${var:${name}} is part of the value of ${name}`;
  const place = { path: ["variables", name], at: "key" } as const;
  report({ severity: "error", code: "LF1305", summary: `variable ${name} uses itself`, detail, place });
  return noValue;
}

const noValue: VariableValue = { value: undefined, sensitive: false, source: "" };

function reportUnknown(vars: Readonly<Record<string, string>>, names: readonly string[], report: Report): void {
  for (const name of Object.keys(vars)) {
    if (names.includes(name)) continue;
    const why = name === reserved ? "is not a variable: use --env NAME" : "is not declared under variables";
    const near = nearest(name, names);
    const otherwise = names.length > 0 ? ` Declared: ${names.slice(0, 10).join(", ")}.` : "";
    const { detail } = hinted(`--var sets ${name}, which ${why}`, { found: name, among: names, otherwise });
    const place = { path: near ? ["variables", near] : ["variables"], at: "key" } as const;
    report({ severity: "error", code: "LF1302", summary: `unknown variable ${name}`, detail, place });
  }
}
