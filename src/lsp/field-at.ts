import type { DocumentPath } from "../model/diagnostic.ts";
import type { Field } from "../model/field.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/** The field that a path of a document leads to; undefined where there is none. */
export function fieldAt(document: Field, path: DocumentPath): Field | undefined {
  let field: Field | undefined = document;
  for (const step of path) field = field && fieldBelow(field, step);
  return field;
}

function fieldBelow(field: Field, step: string | number): Field | undefined {
  if (field.type === "list") return typeof step === "number" ? field.of : undefined;
  if (field.type === "map") return field.of;
  return Object.hasOwn(field.fields ?? {}, step) ? field.fields?.[step] : undefined;
}

/** Calls `visit` for every plain value of a document that a field is known for. */
export function visitFields(
  field: Field,
  value: Json,
  visit: (field: Field, value: string, path: DocumentPath) => void,
  path: DocumentPath = [],
): void {
  if (typeof value === "string") visit(field, value, path);
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  for (const [step, member] of members) {
    const below = fieldBelow(field, step);
    if (below !== undefined) visitFields(below, member as Json, visit, [...path, step]);
  }
}
