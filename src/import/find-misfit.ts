import { brokenLimit, type Field } from "../model/field.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { AnyKind, RuleFinding } from "../model/kind.ts";

/** Why a value of the service cannot be written into a project's files, in words; undefined when it can. */
export function findMisfit(field: Field, value: Json, isLive: boolean): string | undefined {
  if (field.alsoText && typeof value === "string") return undefined;
  if (field.alsoOne && field.of && !Array.isArray(value)) return findMisfit(field.of, value, isLive);
  switch (field.type) {
    case "list":
      return Array.isArray(value)
        ? inEach(value, (item) => field.of && findMisfit(field.of, item as Json, isLive))
        : kindOf(field, value);
    case "object":
      return isObject(value) ? inMembers(field, value, isLive) : kindOf(field, value);
    case "map":
      return isObject(value) ? inKeys(field, value, isLive) : kindOf(field, value);
    case "reference":
      return isObject(value) ? undefined : kindOf(field, value);
    default:
      return inScalar(field, value, isLive);
  }
}

function inEach(values: readonly Json[], look: (value: Json) => string | false | undefined): string | undefined {
  for (const value of values) {
    const found = look(value);
    if (found) return found;
  }
  return undefined;
}

/** Keys that no file takes are written as one text, too, where the field takes that. */
function inKeys(field: Field, value: JsonObject, isLive: boolean): string | undefined {
  if (!field.alsoText && Object.keys(value).some((key) => key === "" || key === "__proto__"))
    return "has a key that no file takes: an empty one, or __proto__";
  return inEach(Object.values(value), (member) => member !== null && inMap(field, member, isLive));
}

/** Values that the language of maps does not know are written as one text where the field takes that. */
function inMap({ of, alsoText }: Field, member: Json, isLive: boolean): string | undefined {
  if (typeof member === "object") return alsoText ? undefined : "has mappings or lists as values";
  return of && findMisfit(of, member, isLive);
}

function inMembers(field: Field, value: JsonObject, isLive: boolean): string | undefined {
  for (const [name, member] of Object.entries(field.fields ?? {})) {
    const found = value[name];
    if (found === undefined && member.required) return `has no ${name}`;
    const words = found === undefined ? undefined : findMisfit(member, found, isLive);
    if (words !== undefined) return `has ${name}, which ${words}`;
  }
  return undefined;
}

function inScalar(field: Field, value: Json, isLive: boolean): string | undefined {
  if (!isOfType(field, value)) return kindOf(field, value);
  if (isLive && field.origin === "decision") return undefined;
  if (field.values && !field.values.includes(String(value))) return kindOf(field, value);
  const limit = brokenLimit(field, value);
  if (limit === undefined) return undefined;
  return typeof value === "number" ? `is ${value} and must be ${limit}` : `must be ${limit}`;
}

function isOfType(field: Field, value: Json): boolean {
  switch (field.type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string";
    default:
      return typeof value === "string" || (field.alsoScalar === true && typeof value !== "object");
  }
}

function kindOf(field: Field, value: Json): string {
  const expected = field.values ? `none of ${field.values.join(", ")}` : `no ${field.type}`;
  return `is ${JSON.stringify(value)}, ${expected}`;
}

/** Findings of the kind's rules in an object as it would be written; on a live service our own reading does not count. */
export function ruleFindings(kind: AnyKind, input: JsonObject, isLive: boolean): readonly RuleFinding[] {
  return (kind.rules ?? []).flatMap((rule) => (isLive && rule.origin === "decision" ? [] : rule.check(input)));
}
