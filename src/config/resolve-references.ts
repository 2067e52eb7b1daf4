import { didYouMean } from "../model/did-you-mean.ts";
import type { Field } from "../model/field.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { holdsReference } from "../model/references.ts";
import type { TreeNode } from "../model/tree.ts";
import type { DeclaredObject } from "./declared-object.ts";
import { pathOf } from "./declared-object.ts";
import { withHint } from "./describe-value.ts";
import type { ObjectIndex } from "./object-index.ts";
import type { DocumentPath, Report } from "./place.ts";

/** Who refers, and what is known of those referred to. */
export interface ReferenceContext {
  readonly object: DeclaredObject;
  readonly index: ObjectIndex;
  readonly report: Report;
  /** Takes the address of an object that is referred to by name. */
  readonly depend: (address: string) => void;
  /** The nodes made so far: what is referred to by name comes first. */
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** Takes the name of an object that is referred to by its key, where the name is sensitive: it stands here too. */
  readonly secret: (name: string) => void;
}

/** Which top-level fields of a kind hold references somewhere. */
export function referringFields(kind: AnyKind): ReadonlySet<Field> {
  return new Set(Object.values(kind.fields).filter(holdsReference));
}

/**
 * References by id become `{ ref: address }`; the name of a declared object takes the place of its key in references
 * by name, where other text is a name at the service and stays.
 */
export function resolveReferences(field: Field, value: Json, path: DocumentPath, context: ReferenceContext): Json {
  const { of } = field;
  if (field.reference) return typeof value === "string" ? resolveText(field, value, path, context) : value;
  if (Array.isArray(value))
    return of ? value.map((item: Json, at) => resolveReferences(of, item, [...path, at], context)) : value;
  return isObject(value) && field.fields ? resolveMembers(field.fields, value, path, context) : value;
}

function resolveMembers(
  fields: Readonly<Record<string, Field>>,
  value: JsonObject,
  path: DocumentPath,
  context: ReferenceContext,
): JsonObject {
  const members: Record<string, Json> = {};
  for (const name of Object.keys(value)) {
    const member = value[name] ?? null;
    const field = fields[name];
    members[name] = field && member !== null ? resolveReferences(field, member, [...path, name], context) : member;
  }
  return members;
}

function resolveText(field: Field, text: string, path: DocumentPath, context: ReferenceContext): Json {
  const { reference } = field;
  if (reference === undefined) return text;
  if (reference.by === "name") return declaredName(reference.kind, text, context);
  const address = context.index.addressOf(text, reference.kind, context.object);
  if (address !== undefined) return { ref: address };
  context.report(unknownReference(reference.kind, text, path, context));
  return { name: text };
}

function declaredName(kind: string, text: string, { index, depend, nodes, secret }: ReferenceContext): string {
  const declared = index.named(text.trim(), kind);
  if (declared === undefined) return text;
  depend(declared.address);
  if (nodes.get(declared.address)?.sensitive?.includes("name")) secret(declared.name);
  return declared.name;
}

function unknownReference(kind: string, text: string, path: DocumentPath, { object, index }: ReferenceContext) {
  const hint = didYouMean(text, index.candidates(kind, object));
  const detail = `found ${text}; expected the key of a declared ${kind}, { id: … } or { name: … }`;
  return {
    severity: "error",
    code: "LF1301",
    summary: `no ${kind} ${text} in this project`,
    detail: withHint(detail, hint),
    address: object.address,
    place: { path: [...pathOf(object), ...path], at: "value" },
  } as const;
}
