import type { Field } from "../model/field.ts";
import { isSecretMark } from "../model/fingerprint.ts";
import { groupBy } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { nodeName, type TreeNode } from "../model/tree.ts";
import { type Written, type WrittenMember, writtenPlain } from "../model/written.ts";

/** The spelling of an object's references and secrets. */
export interface ValueContext {
  /** An object by id, with a word about it where the id says nothing. */
  readonly reference: (kind: string, id: number) => { readonly value: Written; readonly note?: string };
  /** An object by name: the key where one is declared. */
  readonly named: (kind: string, name: string) => string;
  /** A write-only value at a dotted path, when there is one. */
  readonly secret: (path: string) => Written | undefined;
}

/** The keys of objects at the top, by kind and name; where several have a name (regions of two grids), it is written itself. */
export function keysOfNames(nodes: Iterable<TreeNode>): ValueContext["named"] {
  const tops = [...nodes].filter(({ parent }) => parent === undefined);
  const byName = groupBy(tops, (node) => `${node.kind} ${nodeName(node)}`);
  return (kind, name) => {
    const [first, ...others] = byName.get(`${kind} ${name}`) ?? [];
    return first === undefined || others.length > 0 ? name : first.key;
  };
}

const unread = "set this: it cannot be read back, so the first apply sends it";

/** A field's value as it is written in a file. */
export function writeValue(
  field: Field | undefined,
  value: Json,
  at: { readonly path: string; readonly context: ValueContext },
): { readonly value: Written; readonly note?: string } {
  const { path, context } = at;
  if (isSecretMark(value)) return { value: { is: "environment", name: value.$secret } };
  const secret = context.secret(path);
  if (secret) return { value: secret, note: unread };
  if (field?.reference?.by === "id" && isObject(value) && typeof value["id"] === "number")
    return context.reference(field.reference.kind, value["id"]);
  if (field?.reference?.by === "id" && isObject(value) && typeof value["ref"] === "string")
    return { value: { is: "reference", address: value["ref"] } };
  if (field?.reference?.by === "name" && typeof value === "string")
    return { value: writtenPlain(context.named(field.reference.kind, value)) };
  if (Array.isArray(value)) return { value: writeList(field, value, at) };
  if (!isObject(value)) return { value: writtenPlain(value as string | number | boolean | null) };
  if (field?.alsoText && needsText(value)) return { value: writtenPlain(JSON.stringify(value)) };
  return { value: { is: "map", members: writeMembers(field, value, at) } };
}

function writeList(
  field: Field | undefined,
  values: readonly Json[],
  at: { readonly path: string; readonly context: ValueContext },
): Written {
  const items = values.map((item) => writeValue(field?.of, item, at).value);
  const [only] = items;
  return field?.alsoOne && only && items.length === 1 ? only : { is: "list", items };
}

/** Members of an inner object in the order of its fields, those of a mapping in their order. */
function writeMembers(
  field: Field | undefined,
  value: JsonObject,
  { path, context }: { readonly path: string; readonly context: ValueContext },
): readonly WrittenMember[] {
  const names = field?.fields
    ? Object.keys(field.fields).filter((name) => value[name] !== undefined)
    : Object.keys(value);
  return names.map((name) => {
    const member = field?.fields?.[name] ?? field?.of;
    return { name, ...writeValue(member, value[name] ?? null, { path: `${path}.${name}`, context }) };
  });
}

/** True for a mapping that only JSON text can express: values in values, null, or names that no file takes as keys. */
export function needsText(value: Json): boolean {
  return (
    isObject(value) &&
    Object.entries(value).some(([key, member]) => typeof member === "object" || key === "" || key === "__proto__")
  );
}
