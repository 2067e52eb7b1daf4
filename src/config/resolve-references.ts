import { didYouMean } from "../model/did-you-mean.ts";
import type { Field } from "../model/field.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { DeclaredObject } from "./declared-object.ts";
import type { ObjectIndex } from "./object-index.ts";
import type { DocumentPath, Report } from "./place.ts";

/** Fields with references resolved, and the objects that were named. */
export interface ResolvedFields {
  readonly fields: JsonObject;
  readonly dependsOn: readonly string[];
}

interface Walk {
  readonly object: DeclaredObject;
  readonly index: ObjectIndex;
  readonly report: Report;
  readonly dependsOn: Set<string>;
}

/** Which top-level fields of a kind hold references somewhere. */
export function referringFields(kind: AnyKind): readonly string[] {
  return Object.keys(kind.fields).filter((name) => {
    const field = kind.fields[name];
    return field !== undefined && refers(field);
  });
}

function refers(field: Field): boolean {
  if (field.reference) return true;
  return (field.of !== undefined && refers(field.of)) || Object.values(field.fields ?? {}).some(refers);
}

/**
 * References by id become `{ ref: address }`; the name of a declared object takes the place of its key in references
 * by name, where other text is a name at the service and stays.
 */
export function resolveReferences(
  object: DeclaredObject,
  input: JsonObject,
  context: { readonly names: readonly string[]; readonly index: ObjectIndex; readonly report: Report },
): ResolvedFields {
  const walk: Walk = { ...context, object, dependsOn: new Set() };
  const changed: Record<string, Json> = {};
  for (const name of context.names) {
    const [field, value] = [object.kind.fields[name], input[name]];
    if (field && value !== undefined && value !== null) changed[name] = resolve(field, value, [name], walk);
  }
  return { fields: { ...input, ...changed }, dependsOn: [...walk.dependsOn] };
}

function resolve(field: Field, value: Json, path: DocumentPath, walk: Walk): Json {
  const { of, fields } = field;
  if (field.reference) return typeof value === "string" ? resolveText(field, value, path, walk) : value;
  if (Array.isArray(value)) return of ? value.map((item: Json, at) => resolve(of, item, [...path, at], walk)) : value;
  if (!isObject(value) || fields === undefined) return value;
  const members = Object.entries(value).map(([name, member]): [string, Json] => {
    const inner = fields[name];
    return [name, inner && member !== null ? resolve(inner, member, [...path, name], walk) : member];
  });
  return Object.fromEntries(members);
}

function resolveText(field: Field, text: string, path: DocumentPath, walk: Walk): Json {
  const { reference } = field;
  if (reference === undefined) return text;
  if (reference.by === "name") return declaredName(reference.kind, text, walk);
  const address = walk.index.addressOf(text, reference.kind, walk.object);
  if (address !== undefined) return { ref: address };
  walk.report(unknownReference(reference.kind, text, path, walk));
  return { name: text };
}

function declaredName(kind: string, text: string, { index, dependsOn }: Walk): string {
  const declared = index.named(text.trim(), kind);
  if (declared === undefined) return text;
  dependsOn.add(declared.address);
  return declared.name;
}

function unknownReference(kind: string, text: string, path: DocumentPath, { object, index }: Walk) {
  const hint = didYouMean(text, index.candidates(kind, object));
  const detail = `found ${text}; expected the key of a declared ${kind}, { id: … } or { name: … }.${hint}`;
  return {
    severity: "error",
    code: "LF1301",
    summary: `no ${kind} ${text} in this project`,
    detail,
    address: object.address,
    place: { path: [...object.path, ...path], at: "value" },
  } as const;
}
