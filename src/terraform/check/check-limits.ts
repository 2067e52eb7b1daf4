import { wrongValue } from "../../model/diagnostic.ts";
import { brokenLimit, type Field } from "../../model/field.ts";
import type { Json } from "../../model/json.ts";
import type { RuleFinding } from "../../model/kind.ts";
import { quoted } from "../resource/provider-problem.ts";
import { isMixedObject, type Mixed } from "../values/decode-fields.ts";
import { UNKNOWN } from "../wire/values.ts";
import type { RuleResult } from "./check-rules.ts";

/** Values outside the limits and words of their fields; types are the schema's affair, unknown values nobody's. */
export function checkLimits(field: Field, value: Mixed | undefined, path: RuleFinding["path"]): readonly RuleResult[] {
  if (value === UNKNOWN || value === undefined || value === null || field.content !== undefined || field.secret)
    return [];
  const { of, fields } = field;
  if (Array.isArray(value))
    return of === undefined ? [] : value.flatMap((item: Mixed, index) => checkLimits(of, item, [...path, index]));
  if (isMixedObject(value)) return fields === undefined ? [] : checkMembers(fields, value, path);
  return checkScalar(field, value as Json, path);
}

function checkMembers(
  fields: Readonly<Record<string, Field>>,
  value: Readonly<Record<string, Mixed>>,
  path: RuleFinding["path"],
): readonly RuleResult[] {
  return Object.entries(fields).flatMap(([name, field]) => checkLimits(field, value[name], [...path, name]));
}

function checkScalar(field: Field, value: Json, path: RuleFinding["path"]): readonly RuleResult[] {
  const wanted = wantedOf(field, value);
  if (wanted === undefined) return [];
  const name = String(path.findLast((step) => typeof step === "string") ?? "");
  const finding = {
    path,
    summary: `${name} does not take this value`,
    detail: wrongValue(quoted(value), wanted),
  };
  return [{ finding, origin: field.origin ?? "documented" }];
}

function wantedOf(field: Field, value: Json): string | undefined {
  if (field.type === "integer" && !Number.isInteger(value)) return "a whole number";
  if (field.type === "choice" && !field.values?.includes(String(value))) return `one of ${field.values?.join(", ")}`;
  return brokenLimit(field, value);
}
