import { canonicalSet } from "./canonical.ts";
import type { Field } from "./field.ts";
import type { Json, JsonObject } from "./json.ts";
import { isObject } from "./json.ts";
import type { AnyKind } from "./kind.ts";
import { liveHandle } from "./tree.ts";
import { referencePaths } from "./wire-fields.ts";

const pathsOfKind = new WeakMap<AnyKind, readonly (readonly string[])[]>();

/** Where a kind refers to others by id; worked out once per kind. */
export function kindReferencePaths(kind: AnyKind): readonly (readonly string[])[] {
  const known = pathsOfKind.get(kind);
  if (known) return known;
  const paths = referencePaths(kind.fields);
  pathsOfKind.set(kind, paths);
  return paths;
}

/** Whether a field is a reference, by id or by name, or holds one somewhere. */
export function holdsReference({ reference, of, fields }: Field): boolean {
  if (reference !== undefined) return true;
  return (of !== undefined && holdsReference(of)) || Object.values(fields ?? {}).some(holdsReference);
}

/** The fields with every reference replaced by what `change` makes of it; sets are put in order again. */
export function mapReferences(
  kind: AnyKind,
  fields: JsonObject,
  change: (value: Json, kind: string) => Json,
): JsonObject {
  let mapped = fields;
  for (const path of kindReferencePaths(kind)) {
    const name = path[0] ?? "";
    const value = mapped[name];
    const field = kind.fields[name];
    if (value === undefined || value === null || field === undefined) continue;
    const target = referredKind(kind, path);
    const next = mapAt(value, { path, change: (reference) => change(reference, target) }, 1);
    if (next !== value) mapped = { ...mapped, [name]: field.set && Array.isArray(next) ? canonicalSet(next) : next };
  }
  return mapped;
}

/** Every reference in the fields, with the kind it leads to. */
function referencesIn(kind: AnyKind, fields: JsonObject): readonly { readonly kind: string; readonly value: Json }[] {
  const found: { kind: string; value: Json }[] = [];
  mapReferences(kind, fields, (value, target) => {
    found.push({ kind: target, value });
    return value;
  });
  return found;
}

/** Addresses of the objects that the fields refer to. */
export function referredAddresses(kind: AnyKind, fields: JsonObject): readonly string[] {
  return referencesIn(kind, fields).flatMap(({ value }) =>
    isObject(value) && typeof value["ref"] === "string" ? [value["ref"]] : [],
  );
}

/** Live handles of the objects that the fields refer to by id. */
export function referredHandles(kind: AnyKind, fields: JsonObject): readonly string[] {
  return referencesIn(kind, fields).flatMap(({ kind: target, value }) =>
    isObject(value) && typeof value["id"] === "number" ? [liveHandle(target, value["id"])] : [],
  );
}

/** The kind that a reference at this path leads to. */
export function referredKind(kind: AnyKind, path: readonly string[]): string {
  let field = kind.fields[path[0] ?? ""];
  for (const step of path.slice(1)) field = step === "*" ? field?.of : field?.fields?.[step];
  return field?.reference?.kind ?? "";
}

/** What to do at the end of a path. */
interface Mapping {
  readonly path: readonly string[];
  readonly change: (value: Json) => Json;
}

function mapAt(value: Json, mapping: Mapping, depth: number): Json {
  const step = mapping.path[depth];
  if (step === undefined) return mapping.change(value);
  if (step === "*") return Array.isArray(value) ? mapEach(value, mapping, depth + 1) : value;
  if (!isObject(value)) return value;
  const member = value[step];
  if (member === undefined || member === null) return value;
  const next = mapAt(member, mapping, depth + 1);
  return next === member ? value : { ...value, [step]: next };
}

function mapEach(values: readonly Json[], mapping: Mapping, depth: number): Json {
  const next = values.map((item) => mapAt(item, mapping, depth));
  return next.some((item, index) => item !== values[index]) ? next : values;
}
