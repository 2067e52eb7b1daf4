import type { Field } from "../model/field.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Scope, UnsetMark } from "./expand.ts";
import { expandText, mayExpand } from "./expand.ts";
import type { DocumentPath, Report } from "./place.ts";

/** A field's value with everything replaced. */
export interface ExpandedField {
  readonly value: Json;
  /** The single values that came from `${env:…}`, or from a file where the field is secret. */
  readonly secrets: readonly Json[];
}

/** Whether anything in the value may have to be replaced; most values have nothing. */
export function needsExpansion(value: Json): boolean {
  if (typeof value === "string") return mayExpand(value);
  if (Array.isArray(value)) return value.some(needsExpansion);
  if (!isObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (member !== undefined && needsExpansion(member)) return true;
  }
  return false;
}

interface Walk {
  readonly scope: Scope;
  readonly report: Report;
  readonly secrets: Json[];
}

/** Replaces in every scalar of a value; what replaced a whole scalar takes the type that its field has. */
export function expandField(
  field: Field | undefined,
  value: Json,
  context: { readonly scope: Scope; readonly report: Report; readonly path: DocumentPath },
): ExpandedField {
  const walk: Walk = { scope: context.scope, report: context.report, secrets: [] };
  return { value: expand(field, value, context.path, walk), secrets: walk.secrets };
}

function expand(field: Field | undefined, value: Json, path: DocumentPath, walk: Walk): Json {
  if (typeof value === "string") return mayExpand(value) ? expandScalar(field, value, path, walk) : value;
  if (Array.isArray(value)) return value.map((item: Json, index) => expand(field?.of, item, [...path, index], walk));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => [
    name,
    expand(memberField(field, name), member, [...path, name], walk),
  ]);
  return Object.fromEntries(members);
}

function memberField(field: Field | undefined, name: string): Field | undefined {
  if (field?.type === "object") return field.fields?.[name];
  const of = field?.of;
  return of && field?.secretKeys?.includes(name) ? { ...of, secret: true } : of;
}

function expandScalar(field: Field | undefined, text: string, path: DocumentPath, walk: Walk): Json {
  const { value, sensitive, problems } = expandText(text, walk.scope);
  for (const problem of problems) walk.report({ ...problem, place: { path, at: "value" } });
  // A list that may be written as its only element takes one value for that.
  const plain = ofType(field?.alsoOne ? field.of : field, value as Json);
  const kept = field?.secret && plain === "" ? emptySecret(text, path, walk) : plain;
  if (sensitive || field?.secret) walk.secrets.push(kept);
  return kept;
}

/** A pipeline gives the name of a secret that it does not have an empty value; sent, it would wipe the real one. */
function emptySecret(text: string, path: DocumentPath, { scope, report }: Walk): UnsetMark {
  const detail = `found an empty value for ${text}; expected the secret: set it before the command runs. To clear it, write null`;
  const problem = { severity: scope.unsetEnv, code: "LF1303", summary: `${text} is empty`, detail } as const;
  report({ ...problem, place: { path, at: "value" } });
  return { $unset: text };
}

function ofType(field: Field | undefined, value: Json): Json {
  if (field === undefined) return value;
  if (field.secret && typeof value === "string") return withoutLineEnd(value);
  if (field.type === "boolean") return value === "true" ? true : value === "false" ? false : value;
  if (field.type === "integer" || field.type === "number") return asNumber(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

function asNumber(value: Json): Json {
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** A secret in a file of one line is that line; files of several lines (keys) stay as they are. */
function withoutLineEnd(value: string): string {
  return value.replace(/^([^\r\n]*)\r?\n$/, "$1");
}
