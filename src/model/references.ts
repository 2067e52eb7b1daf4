import type { Field } from "./field.ts";
import { getOrMake, grouped } from "./group-by.ts";
import { canonicalSet, isObject, type Json, type JsonObject } from "./json.ts";
import type { AnyKind } from "./kind.ts";
import { liveHandle, nodeName, type Tree, type TreeNode } from "./tree.ts";

/** Where a kind refers to others by id. */
export function kindReferencePaths(kind: AnyKind): readonly (readonly string[])[] {
  return kindReferences(kind).map(({ path }) => path);
}

interface KindReference {
  readonly path: readonly string[];
  readonly name: string;
  readonly isSet: boolean;
  readonly target: string;
}

const referencesOfKind = new WeakMap<AnyKind, readonly KindReference[]>();

/** Worked out once per kind: every object of a project is asked for them. */
function kindReferences(kind: AnyKind): readonly KindReference[] {
  const known = referencesOfKind.get(kind);
  if (known) return known;
  const references = referencePaths(kind.fields).map((path) => {
    const name = path[0] ?? "";
    return { path, name, isSet: kind.fields[name]?.set === true, target: referredKind(kind, path) };
  });
  referencesOfKind.set(kind, references);
  return references;
}

const referringFields = new WeakMap<Field, boolean>();

/** True for a reference, by id or by name, and for a field with one somewhere in it; worked out once per field. */
export function holdsReference(field: Field): boolean {
  const known = referringFields.get(field);
  if (known !== undefined) return known;
  const { reference, of, fields = {} } = field;
  const isWithin = (of !== undefined && holdsReference(of)) || Object.values(fields).some(holdsReference);
  referringFields.set(field, reference !== undefined || isWithin);
  return reference !== undefined || isWithin;
}

/** The fields with every reference replaced by what `change` makes of it; sets are put in order again. */
export function mapReferences(
  kind: AnyKind,
  fields: JsonObject,
  change: (value: Json, kind: string) => Json,
): JsonObject {
  let mapped = fields;
  for (const { path, name, isSet, target } of kindReferences(kind)) {
    const value = mapped[name];
    if (value === undefined || value === null) continue;
    const next = mapAt(value, { path, target, change }, 1);
    if (next !== value) mapped = { ...mapped, [name]: isSet && Array.isArray(next) ? canonicalSet(next) : next };
  }
  return mapped;
}

/** Where the ids are found that references to declared objects stand for. */
export interface BoundIds {
  /** The id of a declared object by its address; undefined when it has none yet. */
  readonly idOf: (address: string) => number | undefined;
}

/** References as a request carries them. */
export function referencesAsIds(kind: AnyKind, fields: JsonObject, { idOf }: BoundIds): JsonObject {
  return mapReferences(kind, fields, (value) => {
    if (!isObject(value)) return value;
    if (isReferenceById(value)) return value.id;
    const id = typeof value["ref"] === "string" ? idOf(value["ref"]) : undefined;
    if (id === undefined) throw new Error(`reference to ${JSON.stringify(value)} has no id yet`);
    return id;
  });
}

/** References in the spelling of a live tree. */
export function referencesAsLive(kind: AnyKind, fields: JsonObject, ids: BoundIds): JsonObject {
  return mapReferences(kind, referencesAsIds(kind, fields, ids), (id) => ({ id }));
}

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

/** Turns both sides' references into one spelling: the address of a bound object, else the id. */
export type ReferenceResolver = ReturnType<typeof referenceResolver>;

/** A resolver over one live tree, for the kinds that were read; `addressOf` is the address that is bound to a live handle or adopts it. */
export function referenceResolver(of: {
  readonly live: Tree;
  readonly addressOf: (handle: string) => string | undefined;
  readonly readKinds: ReadonlySet<string>;
  /** The name that a live object will have, undefined for one that is deleted. Default: the present one. */
  readonly nameAfter?: (node: TreeNode) => string | undefined;
}) {
  const { live, addressOf, readKinds, nameAfter = nodeName } = of;
  const byName = new Map<string, ReadonlyMap<string, readonly TreeNode[]>>();
  const named = (kind: string, name: string): readonly TreeNode[] =>
    getOrMake(byName, kind, () => nameIndex(live, kind)).get(name) ?? [];
  const toAddress = (kind: string, value: { readonly id: number }): Json => {
    const address = addressOf(liveHandle(kind, value.id));
    return address === undefined ? value : { ref: address };
  };
  const resolve = (value: Json, kind: string): Json => {
    if (!isObject(value)) return value;
    if (isReferenceById(value)) return toAddress(kind, value);
    const found = typeof value["name"] === "string" ? named(kind, value["name"]) : [];
    const id = found.length === 1 ? found[0]?.identity?.id : undefined;
    return id === undefined ? value : toAddress(kind, { id });
  };
  return {
    spell: (kind: AnyKind, fields: JsonObject) => mapReferences(kind, fields, resolve),
    /** References that match nothing, several objects, or one that the plan deletes or renames: their kinds, and the names or ids that were looked for. */
    lost: (kind: AnyKind, fields: JsonObject) => {
      const found: { readonly kind: string; readonly sought: Json }[] = [];
      mapReferences(kind, fields, (value, target) => {
        if (isObject(value) && readKinds.has(target) && isLost(value, target))
          found.push({ kind: target, sought: value["name"] ?? value["id"] ?? null });
        return value;
      });
      return found;
    },
  };

  function isLost({ name, id }: JsonObject, kind: string): boolean {
    const isNamed = typeof name === "string";
    if (!isNamed && typeof id !== "number") return false;
    const [one, other] = isNamed ? named(kind, name) : [live.nodes.get(liveHandle(kind, Number(id)))];
    const after = one && nameAfter(one);
    return other !== undefined || after === undefined || (isNamed && after !== name);
  }
}

function isReferenceById(value: JsonObject): value is { readonly id: number } {
  return typeof value["id"] === "number";
}

function nameIndex(live: Tree, kind: string): ReadonlyMap<string, readonly TreeNode[]> {
  return grouped(
    [...live.nodes.values()].flatMap((node) => {
      const name = node.kind === kind ? node.fields["name"] : undefined;
      return typeof name === "string" ? [[name, node] as const] : [];
    }),
  );
}

interface Mapping {
  readonly path: readonly string[];
  readonly target: string;
  readonly change: (value: Json, kind: string) => Json;
}

function mapAt(value: Json, mapping: Mapping, depth: number): Json {
  const step = mapping.path[depth];
  if (step === undefined) return mapping.change(value, mapping.target);
  if (step === "*") return Array.isArray(value) ? mapEach(value, mapping, depth + 1) : value;
  if (!isObject(value)) return value;
  const member = value[step];
  if (member === undefined || member === null) return value;
  const next = mapAt(member, mapping, depth + 1);
  return next === member ? value : { ...value, [step]: next };
}

function mapEach(values: readonly Json[], mapping: Mapping, depth: number): Json {
  let next: Json[] | undefined;
  for (let index = 0; index < values.length; index++) {
    const item = values[index] ?? null;
    const mapped = mapAt(item, mapping, depth);
    if (mapped === item) continue;
    next ??= [...values];
    next[index] = mapped;
  }
  return next ?? values;
}

/** The paths of references by id in a kind's fields; `*` is every element of a list. */
function referencePaths(fields: Readonly<Record<string, Field>>): readonly (readonly string[])[] {
  return Object.entries(fields).flatMap(([name, field]) => pathsWithin(field).map((path) => [name, ...path]));
}

function pathsWithin(field: Field): readonly (readonly string[])[] {
  if (field.type === "reference") return [[]];
  if (field.type === "list" && field.of) return pathsWithin(field.of).map((path) => ["*", ...path]);
  if (field.type === "object" && field.fields) return referencePaths(field.fields);
  return [];
}
