import type { Field } from "../model/field.ts";
import { type Hash, isContentMark, type SecretFingerprint, same } from "../model/fingerprint.ts";
import { byText, isEmptyJson, isObject, type Json, type JsonObject, valueAt } from "../model/json.ts";
import { type AnyKind, isDeactivated, kindsByName } from "../model/kind.ts";
import { holdsReference } from "../model/references.ts";
import type { Target } from "../model/target.ts";
import { liveHandle, type Tree, type TreeNode } from "../model/tree.ts";
import type { State, StateResource } from "../state/state.ts";
import {
  type Hides,
  hiddenMark,
  holdsHidden,
  isOneExpression,
  type ReferenceWords,
  referenceWords,
  replaceValues,
  sourceHash,
} from "./hidden-value.ts";
import { type BoundObject, type LiveObject, type OtherObject, type Snapshot, snapshotFormat } from "./snapshot.ts";

/** Everything that a snapshot is made from. */
export interface SnapshotInput {
  readonly kinds: readonly AnyKind[];
  readonly target: Target;
  readonly organization?: number | string;
  readonly state: State;
  readonly live: Tree;
  /** Declared objects: what is sensitive in them is hidden, whether it was applied or not. */
  readonly desired: Tree;
  readonly fingerprint: SecretFingerprint;
  readonly hash: Hash;
  /** True for texts with a secret in them. */
  readonly hides: Hides;
  /** Secrets, of which a hash would be a fingerprint. */
  readonly secrets: readonly string[];
  readonly withContents: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The snapshot of a live tree and of what is bound in it. */
export function makeSnapshot(input: SnapshotInput): Snapshot {
  const { state, target, organization, live, now } = input;
  const hashes = new Set(input.secrets.flatMap((secret) => [input.hash(secret), input.hash(secret.trim())]));
  const handles = Object.entries(state.resources).map(
    ([address, each]) => [liveOf(live, each)?.handle, address] as const,
  );
  const taken = new Map(handles.flatMap(([handle, address]) => (handle === undefined ? [] : [[handle, address]])));
  const words = referenceWords({ ...input, bound: taken });
  const bound = Object.entries(state.resources).map(([address, resource]): [string, BoundObject] => [
    address,
    boundObject(input, address, { resource, hashes, words }),
  ]);
  return {
    format: snapshotFormat,
    project: state.project,
    ...(state.environment !== undefined && { environment: state.environment }),
    target,
    ...(organization !== undefined && { organization }),
    lineage: state.lineage,
    serial: state.serial,
    takenAt: new Date(now).toISOString(),
    bound: Object.fromEntries(bound.sort(([left], [right]) => byText(left, right))),
    others: [...live.nodes.values()]
      .filter(({ handle }) => !taken.has(handle))
      .map((node) => otherObject(input, node))
      .sort((left, right) => byText(left.kind, right.kind) || left.id - right.id),
    ...(input.withContents && { contents: contentsOf(input, bound) }),
  };
}

/** The live object of a binding; another one under the same id is none. */
function liveOf({ nodes }: Tree, { kind, id, createdAt }: StateResource): TreeNode | undefined {
  const node = nodes.get(liveHandle(kind, id));
  return node?.identity?.createdAt === createdAt ? node : undefined;
}

/** A binding; `hashes` are those that would give a secret away. */
function boundObject(
  input: SnapshotInput,
  address: string,
  {
    resource,
    hashes,
    words,
  }: {
    readonly resource: StateResource;
    readonly hashes: ReadonlySet<string>;
    readonly words: ReferenceWords;
  },
): BoundObject {
  const { seen: _seen, secrets = {}, content = {}, applied, ...binding } = resource;
  const paths = new Set([...Object.keys(secrets), ...(input.desired.nodes.get(address)?.sensitive ?? [])]);
  const mustHide = (value: Json, path: readonly string[]): boolean => {
    if (value === null) return false;
    if (paths.has(path.join("."))) return true;
    if (isContentMark(value)) return hashes.has(value.$content);
    const isInner = isObject(value) && !Object.keys(value).some(input.hides);
    return !isInner && holdsHidden(value, input.hides);
  };
  const live = liveOf(input.live, resource);
  const spelled = live === undefined ? {} : words.spell(live.kind, live.fields);
  const asApplied = (shown: Json, path: readonly string[]) => {
    const [known, value] = [secrets[path.join(".")], valueAt(spelled, path) ?? shown];
    if (known === undefined) return same(value, valueAt({ ...applied, ...markedContents(content) }, path));
    return known === input.fingerprint(resource.kind, path.join("."), isContentMark(value) ? value.$content : value);
  };
  const shown = Object.entries(content).filter(([, hash]) => !hashes.has(hash));
  const node = input.desired.nodes.get(address);
  const sources = node ? sourcesOf(input, node, { words, resource }) : [];
  return {
    ...binding,
    applied: replaceValues(applied, (value, path) => (mustHide(value, path) ? hiddenMark(true) : undefined)),
    ...(shown.length > 0 && { content: Object.fromEntries(shown) }),
    ...(Object.keys(secrets).length > 0 && { hidden: Object.keys(secrets).sort() }),
    ...(sources.length > 0 && { sources: Object.fromEntries(sources) }),
    ...(live && {
      live: {
        ...liveObject(input, live),
        fields: replaceValues(openFields(input, address, { resource, live }), (value, path) =>
          mustHide(value, path) ? hiddenMark(asApplied(value, path)) : undefined,
        ),
      },
    }),
  };
}

/** The hashes of what the files say of hidden values: the rest of a text or list with one may change, and nothing else tells. */
function sourcesOf(
  { kinds, fingerprint, hash }: SnapshotInput,
  node: TreeNode,
  { words, resource }: { readonly words: ReferenceWords; readonly resource: StateResource },
): readonly (readonly [string, string])[] {
  const { kind, secrets = {} } = resource;
  const declared = words.spell(node.kind, node.fields);
  return (node.sensitive ?? []).flatMap((path): (readonly [string, string])[] => {
    const [value, source] = [valueAt(declared, path.split(".")) ?? null, words.sourceOf(node, path)];
    const field = kindsByName(kinds).get(kind)?.fields[path];
    // The hash of a secret that the files spell out, or that a variable gives, would be a fingerprint of it.
    if (field && holdsWriteOnly(field) && !isOneExpression(source)) return [];
    if (path.includes(".") && typeof value === "string" && holdsHidden(source, (text) => text.includes(value)))
      return [];
    const isApplied = secrets[path] === fingerprint(kind, path, isContentMark(value) ? value.$content : value);
    return [[path, isApplied ? sourceHash(source, hash) : ""]];
  });
}

/** True for a field of which the service may answer some part to nobody. */
function holdsWriteOnly({ secret, maybeSecret, secretKeys, of, fields = {} }: Field): boolean {
  const isSecret = secret !== undefined || maybeSecret === true || secretKeys !== undefined;
  return isSecret || (of !== undefined && holdsWriteOnly(of)) || Object.values(fields).some(holdsWriteOnly);
}

/**
 * The live fields without what nobody declared and applied, as far as a person may have written anything there; what is empty, is
 * chosen from a few words, or leads to other objects decides plans and remains.
 */
function openFields(
  { kinds, desired }: SnapshotInput,
  address: string,
  { resource, live }: { readonly resource: StateResource; readonly live: TreeNode },
): JsonObject {
  const managed = { ...resource.applied, ...resource.content, ...desired.nodes.get(address)?.fields };
  const fields = kindsByName(kinds).get(resource.kind)?.fields ?? {};
  return Object.fromEntries(
    Object.entries(live.fields).map(([name, value]): [string, Json] => {
      const field = fields[name];
      const isOpen = field === undefined || name in managed || same(value, field.default ?? null) || isEmptyJson(value);
      if (isOpen || !freeTypes.has(field.type)) return [name, value];
      return [name, holdsReference(field) ? referringPart(field, value) : hiddenMark(false)];
    }),
  );
}

const freeTypes: ReadonlySet<Field["type"]> = new Set(["string", "list", "object", "map"]);

function markedContents(content: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(content).map(([field, $content]) => [field, { $content, bytes: 0 }]));
}

function liveObject(
  { hides }: SnapshotInput,
  { parent, facts, offers, deactivatedOffers }: TreeNode,
): Omit<LiveObject, "fields"> {
  const open = Object.entries(facts ?? {}).filter(([name, value]) => !hides(name) && !holdsHidden(value, hides));
  return {
    ...(parent !== undefined && { parent }),
    ...(open.length > 0 && { facts: Object.fromEntries(open) }),
    ...(offers && !offers.some(hides) && { offers, ...(deactivatedOffers && { deactivatedOffers }) }),
  };
}

function otherObject(input: SnapshotInput, node: TreeNode): OtherObject {
  const { kind: kindName, identity, fields } = node;
  const { facts = {}, ...rest } = liveObject(input, node);
  const kind = kindsByName(input.kinds).get(kindName);
  const flags = Object.entries(facts).filter(([name, value]) => isDecisive(kind, name, value));
  const references = referringParts(kind?.fields ?? {}, fields).filter(([, value]) => !holdsHidden(value, input.hides));
  return {
    kind: kindName,
    id: identity?.id ?? 0,
    createdAt: identity?.createdAt ?? "",
    ...rest,
    ...(typeof fields["name"] === "string" && !input.hides(fields["name"]) && { name: fields["name"] }),
    ...(flags.length > 0 && { facts: Object.fromEntries(flags) }),
    ...(references.length > 0 && { references: Object.fromEntries(references) }),
  };
}

/** A public object is not listed as unmanaged, a deactivated one counts as absent, and one that is read-only cannot be adopted. */
function isDecisive(kind: AnyKind | undefined, name: string, value: Json): boolean {
  if (value === true) return name === "public" || name === "readonly";
  return value === false && kind !== undefined && isDeactivated(kind, { facts: { [name]: value } });
}

/** The members that lead to other objects, without anything else that is set beside them. */
function referringParts(declared: Readonly<Record<string, Field>>, value: JsonObject): readonly [string, Json][] {
  return Object.entries(declared).flatMap(([name, field]): [string, Json][] => {
    const part = value[name];
    if (part === undefined || part === null || !holdsReference(field)) return [];
    return [[name, referringPart(field, part)]];
  });
}

function referringPart({ of, fields }: Field, value: Json): Json {
  if (of && Array.isArray(value)) return value.map((item: Json) => referringPart(of, item));
  return fields && isObject(value) ? Object.fromEntries(referringParts(fields, value)) : value;
}

/** Texts of bound objects that are UTF-8 and have no secret in them. */
function contentsOf({ live, hides }: SnapshotInput, bound: readonly (readonly [string, BoundObject])[]) {
  const entries = bound.flatMap(([, { live: own }]) =>
    Object.values(own?.fields ?? {}).flatMap((value): [string, string][] => {
      const text = isContentMark(value) ? live.contents.get(value.$content) : undefined;
      return isContentMark(value) && typeof text === "string" && !hides(text) ? [[value.$content, text]] : [];
    }),
  );
  return Object.fromEntries(entries.sort(([left], [right]) => byText(left, right)));
}
