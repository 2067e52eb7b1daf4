import { grouped } from "../model/group-by.ts";
import { isObject, itemsOf, type Json, objectOf } from "../model/json.ts";
import { type AnyKind, groundKind, isDeactivated, kindsByName } from "../model/kind.ts";
import { kindReferencePaths, referredHandles } from "../model/references.ts";
import { childIndex, liveHandle, nodeName, type Tree, type TreeNode } from "../model/tree.ts";
import { byLiveHandle, groundHandle, type ObjectPlan } from "./object-plan.ts";
import { type Change, isEnding } from "./plan.ts";
import { liveAddress, openName, type PlanContext } from "./plan-context.ts";

/** Everything that would be lost with one object. */
export interface Losses {
  /** History by its noun: "executions" to how many. */
  readonly history: ReadonlyMap<string, number>;
  readonly running: number;
  /** Objects below that are deleted with it although the plan does not delete them: unmanaged, or to be forgotten. */
  readonly unmanaged: number;
  readonly bound: readonly string[];
  /** All of it in words, rows of data included. */
  readonly words: readonly string[];
}

/** The losses of one delete or replacement, counted once at the topmost object that is deleted. */
export function findLosses(context: PlanContext, object: ObjectPlan, ending: readonly ObjectPlan[]): Losses {
  const { live } = object;
  const none: Losses = { history: new Map(), running: 0, unmanaged: 0, bound: [], words: [] };
  if (live === undefined) return none;
  const lost = [live, ...lostBelow(context, live, new Set(ending.map((each) => each.live?.handle)))];
  const history = new Map<string, number>();
  let running = 0;
  for (const node of lost) {
    const found = context.input.history.get(node.handle);
    if (found === undefined) continue;
    if (found.count > 0) history.set(found.what, (history.get(found.what) ?? 0) + found.count);
    running += found.running;
  }
  const bound = lost.flatMap((node) => (node === live ? [] : (context.bindings.addressOf.get(node.handle) ?? [])));
  const losses = { history, running, unmanaged: lost.length - 1, bound };
  return { ...losses, words: [...totalLoss(losses), ...rowsIn(lost)] };
}

/** Live objects below one that no delete of their own ends. */
function lostBelow(context: PlanContext, root: TreeNode, ending: ReadonlySet<string | undefined>): readonly TreeNode[] {
  const children = [...(context.liveChildren().get(root.handle) ?? []), ...referringWithin(context, root)].filter(
    (child) => !ending.has(child.handle) && !isAbsent(context, child) && !isDeclared(context, child),
  );
  return children.flatMap((child) => [child, ...lostBelow(context, child, ending)]);
}

/** Objects that are named within another one without being its children: the regions of a grid are deleted with it. */
function referringWithin({ input, kinds }: PlanContext, root: TreeNode): readonly TreeNode[] {
  const within = [...kinds.values()].flatMap(({ name, naturalKey, fields }) => {
    const field = typeof naturalKey === "object" ? naturalKey.within : undefined;
    return field !== undefined && fields[field]?.reference?.kind === root.kind ? [{ kind: name, field }] : [];
  });
  if (within.length === 0) return [];
  const isWithin = (node: TreeNode) =>
    within.some(({ kind, field }) => {
      const value = node.kind === kind ? node.fields[field] : undefined;
      return isObject(value) && value["id"] === root.identity?.id;
    });
  return [...input.live.nodes.values()].filter(isWithin);
}

function isAbsent({ kinds }: PlanContext, node: TreeNode): boolean {
  const kind = kinds.get(node.kind);
  return kind !== undefined && isDeactivated(kind, node);
}

/** The losses that block a plan without `--allow-destroy`. */
export function totalLoss({ history, unmanaged }: Pick<Losses, "history" | "unmanaged">): readonly string[] {
  const counted = [...history].map(([what, count]) => `${count} ${count === 1 ? what.replace(/s$/, "") : what}`);
  return unmanaged > 0 ? [...counted, `${unmanaged} unmanaged ${unmanaged === 1 ? "object" : "objects"}`] : counted;
}

function rowsIn(nodes: readonly TreeNode[]): readonly string[] {
  const counts = nodes.map(({ facts }) => (typeof facts?.["numRows"] === "number" ? facts["numRows"] : 0));
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return rows > 0 ? [`${rows} data ${rows === 1 ? "row" : "rows"}`] : [];
}

/** Live objects whose history has to be counted before these changes can be guarded (docs/engine.md, Guards). */
export function historyToCount(changes: readonly Change[], live: Tree, kinds: readonly AnyKind[]): readonly TreeNode[] {
  const ending = changes.filter(isEnding);
  if (ending.length === 0) return [];
  const children = childIndex(live);
  const byName = kindsByName(kinds);
  const found = new Set<TreeNode>();
  const collect = (node: TreeNode): void => {
    if (byName.get(node.kind)?.history) found.add(node);
    for (const child of children.get(node.handle) ?? []) collect(child);
  };
  for (const { id, kind } of ending) {
    const node = id === undefined ? undefined : live.nodes.get(liveHandle(kind, id));
    if (node) collect(node);
  }
  return [...found];
}

/**
 * The remaining users of an object that a delete or replacement ends, in words by its address; the service refuses such
 * a delete. Managed users are changed first, so mostly these are unmanaged.
 */
export function findUsers(
  context: PlanContext,
  objects: readonly ObjectPlan[],
  ending: readonly ObjectPlan[],
): ReadonlyMap<string, readonly string[]> {
  if (ending.length === 0) return new Map();
  const deleted = deletedBy(context, ending);
  const named = ending.filter(({ kind, live }) => live !== undefined && groundKind(kind) !== undefined);
  return remainingUsers(context, { objects, deleted }, ({ node, kind, fields }) => {
    if (kindReferencePaths(kind).length === 0 || isLeftOut(context, node)) return [];
    const using = isDeclared(context, node) ? fields : usingFields(kind, fields);
    const taken = isDeclared(context, node) ? [] : takenHandles(kind, using, named);
    return [...new Set([...referredHandles(kind, using), ...taken])].flatMap((used) => deleted.get(used) ?? []);
  });
}

/** Live handles of those among some objects whose names the fields take: the regions that a configuration runs on. */
function takenHandles(kind: AnyKind, fields: TreeNode["fields"], named: readonly ObjectPlan[]): readonly string[] {
  if (named.length === 0) return [];
  return (kind.takes?.(fields) ?? []).flatMap(({ kind: of, from, names }) =>
    named.flatMap(({ kind: each, live }) => {
      if (each.name !== of || live === undefined || !names.includes(nodeName(live))) return [];
      const ground = liveHandle(groundKind(each) ?? "", Number(objectOf(from).id));
      return groundHandle(each, live) === ground ? [live.handle] : [];
    }),
  );
}

/** The objects that remain, as they are once the plan is carried out: in words, by the addresses that each uses. */
function remainingUsers(
  context: PlanContext,
  { objects, deleted }: { readonly objects: readonly ObjectPlan[]; readonly deleted: ReadonlyMap<string, string> },
  used: (remaining: Pick<ObjectPlan, "kind"> & Pick<TreeNode, "fields"> & { node: TreeNode }) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const planned = byLiveHandle(objects);
  return grouped(
    [...context.input.live.nodes.values()].flatMap((node) => {
      const kind = context.kinds.get(node.kind);
      if (kind === undefined || deleted.has(node.handle)) return [];
      const fields = { ...node.fields, ...planned.get(node.handle)?.send };
      return used({ node, kind, fields }).map((address) => [address, inWords(context, node)] as const);
    }),
  );
}

/**
 * The carriers of an object that only its use creates and that the plan would delete, in words by its address:
 * scenarios with a tag, as they are once the plan is carried out. The service takes a deleted tag off all of them.
 */
export function findCarriers(
  context: PlanContext,
  objects: readonly ObjectPlan[],
): ReadonlyMap<string, readonly string[]> {
  const ending = objects.filter(({ change }) => isEnding(change));
  const carried = ending.filter(({ kind, live }) => kind.createdByUse === true && live !== undefined);
  if (carried.length === 0) return new Map();
  return remainingUsers(context, { objects, deleted: deletedBy(context, ending) }, ({ kind, fields }) =>
    carried.flatMap(({ address, kind: named, live }) =>
      live && namesUsed(kind, named, fields).includes(nodeName(live)) ? [address] : [],
    ),
  );
}

/** Names of objects of another kind that the fields of an object of a kind list: the tags of a scenario. */
export function namesUsed(kind: AnyKind, named: AnyKind, fields: TreeNode["fields"]): readonly Json[] {
  return Object.entries(kind.fields).flatMap(([field, { of }]) =>
    of?.reference?.kind === named.name ? itemsOf(fields[field]) : [],
  );
}

/** Handles of everything that is deleted, with the address of the nearest object that a separate request deletes or replaces. */
function deletedBy(context: PlanContext, ending: readonly ObjectPlan[]): ReadonlyMap<string, string> {
  const deleted = new Map([...byLiveHandle(ending)].map(([handle, { address }]) => [handle, address]));
  const below = (handle: string, address: string): void => {
    for (const child of context.liveChildren().get(handle) ?? []) {
      if (deleted.has(child.handle)) continue;
      deleted.set(child.handle, address);
      below(child.handle, address);
    }
  };
  for (const [handle, address] of [...deleted]) below(handle, address);
  return deleted;
}

/** Objects that a `--target` leaves out are reported by expand-targets.ts. */
function isLeftOut({ bindings, isSelected }: PlanContext, { handle }: TreeNode): boolean {
  const address = bindings.addressOf.get(handle);
  return address !== undefined && !isSelected(address);
}

function isDeclared({ bindings, desired }: PlanContext, { handle }: TreeNode): boolean {
  return desired.nodes.has(bindings.addressOf.get(handle) ?? "");
}

/** A region refers to the grid that it is named within: unless it remains, that is no use of it, for they are deleted together. */
function usingFields({ naturalKey }: AnyKind, fields: TreeNode["fields"]): TreeNode["fields"] {
  if (typeof naturalKey !== "object") return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== naturalKey.within));
}

function inWords(context: PlanContext, node: TreeNode): string {
  const address = liveAddress(context, node);
  return context.bindings.addressOf.has(node.handle)
    ? address
    : `${address} ${JSON.stringify(openName(context, node))}`;
}
