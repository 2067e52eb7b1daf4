import { type Diagnostic, type DocumentPath, errorOf, wrongValue } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject, mappingsIn } from "../../model/json.ts";
import { isTimeZone, type Limits, parseWeekSpans } from "../../model/limits.ts";
import { limitFields, projectFields } from "../../schema/project-fields.ts";
import { yamlLocator } from "../../yaml/locate-yaml.ts";
import { parseYaml } from "../../yaml/parse-yaml.ts";
import { checkShape } from "../check-shape.ts";
import type { DocumentProblem, Report } from "../collect-problems.ts";
import { describeValue } from "../describe-value.ts";
import { expandField, needsExpansion, type Scope } from "../expand.ts";

/** Path of the limits in a project. */
const top = ["limits"];

/** The project's own limits; undefined where it declares none. */
export function limitsOf(
  declared: Json | undefined,
  context: { readonly scope: Scope; readonly report: Report },
): Limits | undefined {
  if (!isObject(declared)) return undefined;
  const { limits: field } = projectFields;
  const { value, secrets } = expandField(field, declared, { ...context, path: top });
  if (secrets.length > 0) refuseSecrets(context.report);
  if (needsExpansion(declared))
    checkShape(field, value, top, { report: context.report, live: false, names: new Map(), expanded: true });
  return limitsIn(value, top, context.report);
}

/** Limits from outside the project: the keys of `limits` but `enforce`, and nothing is replaced in them. */
export function readOutsideLimits(
  text: string,
  file: string,
): { readonly limits: Limits; readonly diagnostics: readonly Diagnostic[] } {
  const { value: parsed, diagnostics } = parseYaml(text, file);
  if (parsed === undefined) return { limits: {}, diagnostics };
  const locate = yamlLocator(file, text);
  const problems: DocumentProblem[] = [];
  const report: Report = (problem) => void problems.push(problem);
  checkShape({ ...projectFields.limits, fields: limitFields }, parsed, top, { report, live: false, names: new Map() });
  refuseUnclear(parsed, top, report);
  const limits = limitsIn(parsed, top, report) ?? {};
  const located = problems.map(({ place, ...problem }): Diagnostic => {
    const at = place && locate({ ...place, path: place.path.slice(top.length) });
    return { ...problem, file, line: 1, column: 1, ...at };
  });
  return { limits, diagnostics: [...diagnostics, ...located] };
}

/** Messages show limits and saved plans contain them, which no secret may be. */
function refuseSecrets(report: Report): void {
  const detail =
    "Every value from ${env:…} is a secret, and messages show limits. Use a variable and set it with --var or $LOADFORM_VAR_<name>, or keep the limits outside the project, in a file that $LOADFORM_LIMITS names";
  const place = { path: top, at: "key" } as const;
  report({ severity: "error", code: "LF1104", summary: "limits cannot come from ${env:…}", detail, place });
}

function refuseUnclear(value: Json, path: DocumentPath, report: Report): void {
  // An item that is null has a wrong type already.
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) item === null || refuseUnclear(item, [...path, index], report);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) refuseUnclear(member, [...path, name], report);
  else if (value === null ? path.length > top.length : typeof value === "string" && /\$\{(env|file|var):/.test(value)) {
    const why = value === null ? "Null limits nothing" : "Nothing is replaced in limits from outside the project";
    const summary = `${String(path.at(-1))} does not take this value`;
    report({ ...errorOf("LF1104", summary, `${why}: write the value itself`), place: { path, at: "value" } });
  }
}

/** A checked value as limits, without what is cleared; hours that cannot be read are reported. */
function limitsIn(value: Json, path: DocumentPath, report: Report): Limits | undefined {
  if (!isObject(value)) return undefined;
  for (const [index, hours] of mappingsIn(value.hours)) checkHours(hours, [...path, "hours", index], report);
  return withoutNulls(value) as Limits;
}

function checkHours({ deny, timeZone }: JsonObject, path: DocumentPath, report: Report): void {
  const refuse = (name: string, detail: string) => {
    const place = { path: [...path, name], at: "value" } as const;
    report({ ...errorOf("LF1104", `${name} does not take this value`, detail), place });
  };
  if (typeof deny === "string" && parseWeekSpans(deny) === undefined)
    refuse("deny", wrongValue(describeValue(deny), "days and times, as in Mon-Fri 08:00-18:00 or Sat,Sun 22:00-06:00"));
  if (typeof timeZone === "string" && !isTimeZone(timeZone))
    refuse("timeZone", wrongValue(describeValue(timeZone), "a time zone such as Europe/Berlin or UTC"));
}

/** A value without members that say nothing. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
