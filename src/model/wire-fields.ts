import type { Field } from "./field.ts";
import type { Json, JsonObject } from "./json.ts";
import { isObject } from "./json.ts";
import type { AnyKind } from "./kind.ts";
import { normalValue } from "./normal-form.ts";
import { withoutForeign } from "./variant.ts";

/** The fields of a service's answer in normal form; null counts as absent, texts are still plain text. */
export function readFields(kind: AnyKind, wire: JsonObject): JsonObject {
  const normal: Record<string, Json> = {};
  for (const name in kind.fields) {
    const field = kind.fields[name];
    if (field === undefined || field.secret) continue;
    const value = readField(name, field, wire);
    if (value !== undefined && value !== null) normal[name] = normalValue(field, value);
  }
  return withoutForeign(kind, normal);
}

function readField(name: string, field: Field, wire: JsonObject): Json | undefined {
  if (field.wire?.read) return field.wire.read(wire);
  if (field.type !== "reference") return wire[field.wire?.name ?? name];
  const nested = wire[name];
  if (isObject(nested)) return typeof nested.id === "number" ? { id: nested.id } : undefined;
  const id = wire[field.wire?.name ?? name];
  return typeof id === "number" ? { id } : undefined;
}

/** The body of a request for these fields; references must be numbers and contents plain by now. */
export function writeFields(kind: AnyKind, fields: JsonObject): JsonObject {
  const body: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    const field = kind.fields[name];
    if (field) body[field.wire?.name ?? name] = value === null ? null : (field.wire?.write?.(value) ?? value);
  }
  return body;
}

/** Where references by id stand in a kind's fields; `*` is every element of a list. */
export function referencePaths(fields: Readonly<Record<string, Field>>): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, field]) => pathsWithin(field).map((path) => [name, ...path]));
}

function pathsWithin(field: Field): readonly (readonly string[])[] {
  if (field.type === "reference") return [[]];
  if (field.type === "list" && field.of) return pathsWithin(field.of).map((path) => ["*", ...path]);
  if (field.type === "object" && field.fields) return referencePaths(field.fields);
  return [];
}
