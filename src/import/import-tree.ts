import { childAddress, firstFree } from "../model/address.ts";
import { isContentMark } from "../model/fingerprint.ts";
import { groupBy } from "../model/group-by.ts";
import { isObject, type Json, type JsonObject, objectOf, sameJson } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { holdsReference } from "../model/references.ts";
import { liveHandle, nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import type { StateResource } from "../state/state.ts";
import { keyFromChoices, keyFromName, reservedNames } from "./choose-names.ts";
import { draftObject, type ObjectDraft } from "./draft-object.ts";
import { type WrittenObjects, writeObjects } from "./write-objects.ts";

export interface ImportRequest {
  readonly live: Tree;
  /** Handles of the live objects that are wanted. */
  readonly wanted: ReadonlySet<string>;
  /** Objects that the project declares already. */
  readonly declared: Tree;
  /** Addresses of the objects that are bound already, by live handle. */
  readonly bound: ReadonlyMap<string, string>;
  /** Addresses in the state, whether their objects exist or not. */
  readonly known: ReadonlySet<string>;
  /** The project's `defaults`, by kind. */
  readonly defaults: JsonObject;
  /** The service is not the bundled one: our own reading of its rules does not count. */
  readonly isLive: boolean;
  /** Where a module declares an object, in words; undefined for all others. */
  readonly moduleOf?: (address: string) => string | undefined;
  /** Fields by address that are not read back as they are. */
  readonly dropped: ReadonlyMap<string, ReadonlySet<string>>;
  /** True where the project needs the file at a path already, so that it may not be written. */
  readonly isTaken: (path: string, data?: string | Uint8Array) => boolean;
  /** That of the files; see {@link WriteRequest}. */
  readonly language?: "terraform";
}

/** A live object that is not imported, and why. */
export interface LeftOut {
  readonly handle: string;
  readonly name: string;
  readonly why: string;
  /** Handle of the parent. */
  readonly parent?: string;
}

/** The files of an import and its bindings. */
export interface Imported extends WrittenObjects {
  /** Bindings to make, without last-applied values: planning works those out. */
  readonly bindings: Readonly<Record<string, StateResource>>;
  /** Addresses that were declared already and are bound now. */
  readonly adopted: ReadonlySet<string>;
  readonly leftOut: readonly LeftOut[];
}

/** Live objects as objects of a project's files, and the bindings that make them ours (docs/engine.md, Drift and import). Pure. */
export function importTree(kinds: readonly AnyKind[], request: ImportRequest): Imported {
  const place = placeObjects(kinds, request);
  const written = writeObjects(kinds, place);
  return {
    ...written,
    bindings: Object.fromEntries([...place.taken].map(([address, node]) => [address, bindingOf(request.live, node)])),
    adopted: place.adopted,
    leftOut: place.leftOut,
  };
}

interface Placing extends ImportRequest {
  /** Addresses by live handle: of objects that were bound before, and of those that are imported. */
  readonly addressOf: Map<string, string>;
  /** Live objects that are bound already, by address. */
  readonly taken: Map<string, TreeNode>;
  readonly adopted: Set<string>;
  readonly leftOut: LeftOut[];
  /** Names of other objects that a key must not equal, by kind. */
  readonly reserved: ReadonlyMap<string, ReadonlySet<string>>;
  /** Live objects by kind, parent and name. */
  readonly namesakes: ReadonlyMap<string, readonly TreeNode[]>;
  /** Declared objects without a binding, by kind, parent and name. */
  readonly unbound: ReadonlyMap<string, readonly TreeNode[]>;
}

/** Gives every wanted object its address, parents first. */
function placeObjects(kinds: readonly AnyKind[], request: ImportRequest) {
  // An address whose object was deleted may be bound again.
  const alive = new Set(request.bound.values());
  const unbound = [...request.declared.nodes.values()].filter(({ handle }) => !alive.has(handle));
  const placing: Placing = {
    ...request,
    addressOf: new Map(request.bound),
    taken: new Map(),
    adopted: new Set(),
    leftOut: [],
    reserved: reservedNames(kinds, request.live),
    namesakes: groupBy(request.live.nodes.values(), (node) => siblingKey(node, node.parent)),
    unbound: groupBy(unbound, (node) => siblingKey(node, node.parent)),
  };
  const drafts = kinds.flatMap((kind) => inIdOrder(kind, request).flatMap((node) => placeOne(placing, kind, node)));
  if (placing.leftOut.length === 0) return { ...placing, drafts };
  const missing = groupBy(placing.leftOut, ({ parent }) => parent ?? "");
  // An omission is noted where it would be declared.
  const noted = drafts.map((draft) => {
    const notes = (missing.get(draft.node.handle) ?? []).map(({ handle, why }) => `${handle} is left out: ${why}`);
    return { ...draft, notes: [...draft.notes, ...notes] };
  });
  return { ...placing, drafts: noted };
}

function inIdOrder(kind: AnyKind, { live, wanted, bound }: ImportRequest): readonly TreeNode[] {
  return [...live.nodes.values()]
    .filter((node) => node.kind === kind.name && wanted.has(node.handle) && !bound.has(node.handle))
    .sort((left, right) => (left.identity?.id ?? 0) - (right.identity?.id ?? 0));
}

function placeOne(placing: Placing, kind: AnyKind, node: TreeNode): readonly ObjectDraft[] {
  const parent = parentOf(placing, node);
  if (node.parent !== undefined && parent === undefined) return [];
  const declared = findDeclared(placing, kind, node);
  if (declared !== undefined) {
    take(placing, declared, node);
    placing.adopted.add(declared);
    return [];
  }
  const key = chooseKey(placing, kind, node);
  const address = childAddress(parent, kind.name, key);
  const draft = draftObject(
    kind,
    node,
    { key, address, ...(parent === undefined ? {} : { parent }) },
    {
      isLive: placing.isLive,
      ...(placing.language && { language: placing.language }),
      defaults: objectOf(placing.defaults[kind.name]),
      dropped: placing.dropped.get(address) ?? new Set(),
      referred: (field) => referredFields(placing.live, kind, node.fields[field]),
    },
  );
  const why = "refused" in draft ? draft.refused : (lostParent(placing, parent) ?? unreadContent(placing.live, node));
  if (why !== undefined) {
    const below = node.parent === undefined ? {} : { parent: node.parent };
    placing.leftOut.push({ handle: node.handle, name: nodeName(node), why, ...below });
    return [];
  }
  take(placing, address, node);
  return "refused" in draft ? [] : [{ ...draft, notes: [...numberNote(placing, { kind, node, key }), ...draft.notes] }];
}

/** A note for a numbered key: which of several objects of the same name it is, or whose key it would have had. */
function numberNote(
  { namesakes }: Placing,
  { kind, node, key }: { readonly kind: AnyKind; readonly node: TreeNode; readonly key: string },
): readonly string[] {
  if (kind.fields["name"] === undefined) return [];
  const name = JSON.stringify(nodeName(node));
  const wanted = keyFromName(kind, node);
  if (key === wanted) return [];
  const isTwin = (namesakes.get(siblingKey(node, node.parent)) ?? []).length > 1;
  const why = isTwin ? `${name} is not the only one here` : `the key ${wanted} belongs to another ${kind.name}`;
  return [`numbered: ${why}; this is ${isTwin ? "" : `${name}, `}id ${node.key}`];
}

/** The address of the object above one; undefined at the top, and where that one is not imported. */
function parentOf({ addressOf }: Placing, { parent }: TreeNode): string | undefined {
  return parent === undefined ? undefined : addressOf.get(parent);
}

function unreadContent({ contents }: Tree, { fields }: TreeNode): string | undefined {
  const unread = Object.entries(fields).find(([, mark]) => isContentMark(mark) && !contents.has(mark.$content));
  return unread && `its ${unread[0]} was not read`;
}

function take(placing: Placing, address: string, node: TreeNode): void {
  placing.addressOf.set(node.handle, address);
  placing.taken.set(address, node);
}

/** The reason why nothing can be declared below a parent: a module declares it, or it is bound and no longer declared. */
function lostParent({ declared, taken, adopted, moduleOf }: Placing, parent: string | undefined): string | undefined {
  if (parent === undefined || (taken.has(parent) && !adopted.has(parent))) return undefined;
  const module = moduleOf?.(parent);
  if (module !== undefined)
    return `${parent} is declared ${module}, and nothing is imported below a module: declare it there or under patch, and bind it with loadform apply --adopt name`;
  return declared.nodes.has(parent) ? undefined : `${parent} is bound, but the project no longer declares it`;
}

function referredFields(live: Tree, kind: AnyKind, value: Json | undefined): JsonObject | undefined {
  const id = isObject(value) ? value["id"] : undefined;
  const target = Object.values(kind.fields).flatMap(({ reference }) => reference?.kind ?? []);
  return typeof id === "number"
    ? target.map((name) => live.nodes.get(liveHandle(name, id))?.fields).find((fields) => fields !== undefined)
    : undefined;
}

function chooseKey(placing: Placing, kind: AnyKind, node: TreeNode): string {
  const { declared, taken, known, reserved } = placing;
  const isTaken = (key: string) => {
    const address = childAddress(parentOf(placing, node), kind.name, key);
    const isAnothers = key !== nodeName(node) && (reserved.get(kind.name)?.has(key) ?? false);
    return isAnothers || declared.nodes.has(address) || taken.has(address) || known.has(address);
  };
  const wanted = kind.fields["name"] ? keyFromName(kind, node) : keyFromChoices(kind, node.fields);
  return firstFree(wanted, isTaken);
}

function bindingOf(live: Tree, node: TreeNode): StateResource {
  const parent = node.parent === undefined ? undefined : live.nodes.get(node.parent)?.identity?.id;
  return {
    kind: node.kind,
    id: node.identity?.id ?? 0,
    createdAt: node.identity?.createdAt ?? "",
    ...(parent === undefined ? {} : { parent }),
    applied: {},
  };
}

/** The unbound address that declares this object: the only one of its name, else the first with equal fields. */
function findDeclared(placing: Placing, kind: AnyKind, node: TreeNode): string | undefined {
  const { unbound, taken } = placing;
  const siblings = unbound.get(siblingKey(node, parentOf(placing, node))) ?? [];
  const namesakes = siblings.filter(({ handle }) => !taken.has(handle));
  const [only] = namesakes;
  if (kind.fields["name"] !== undefined && namesakes.length === 1) return only?.handle;
  return namesakes.find((desired) => isEqual(kind, desired, node))?.handle;
}

function siblingKey(node: TreeNode, parent: string | undefined): string {
  return `${node.kind} ${parent ?? ""} ${node.fields["name"] === undefined ? "" : nodeName(node)}`;
}

/** References are spelled in two ways here, and a write-only value equals everything. */
function isEqual(kind: AnyKind, desired: TreeNode, node: TreeNode): boolean {
  const unreadable = new Set((desired.sensitive ?? []).map((path) => path.split(".")[0]));
  return Object.entries(desired.fields).every(([name, value]) => {
    const field = kind.fields[name];
    if (unreadable.has(name) || (field && holdsReference(field))) return true;
    return sameJson(value, node.fields[name] ?? field?.default);
  });
}
