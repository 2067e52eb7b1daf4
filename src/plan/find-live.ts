import { parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import { nodeName } from "../model/tree.ts";
import type { Binding } from "./bind-nodes.ts";
import { placeWords } from "./command-place.ts";
import { same } from "./diff-fields.ts";
import type { PlanContext } from "./plan-context.ts";
import { namedPlace, problemAt } from "./plan-context.ts";
import { waysToTake } from "./ways-to-take.ts";

/** The live object that a wish is about. */
export interface Found {
  readonly live?: TreeNode;
  /** It is bound now, and was not before. */
  readonly importing?: true;
  readonly diagnostics: readonly Diagnostic[];
}

interface Wish {
  readonly node: TreeNode;
  readonly kind: AnyKind;
  /** Handle of the parent's live object; undefined at the top, null when the parent is yet to be made. */
  readonly parent: string | undefined | null;
}

/** Finds what a wish is bound to, or what stands in its way (docs/engine.md, Identity). */
export function findLive(context: PlanContext, wish: Wish): Found {
  const { node } = wish;
  const binding = context.bindings.byAddress.get(node.handle);
  if (binding?.foreign) return { diagnostics: [otherObject(context, node.handle, binding.foreign)] };
  if (binding?.live && !isDormant(wish.kind, binding.live)) return { live: binding.live, diagnostics: [] };
  if (wish.parent === null) return { diagnostics: [] };
  const candidates = unboundLike(context, wish);
  if (wish.kind.carried || wish.kind.fields["name"] === undefined) {
    const usable = wish.kind.carried || binding !== undefined || context.input.options.adopt !== undefined;
    const free = candidates.filter(({ handle }) => wish.kind.carried || ownerOf(context, handle) === undefined);
    const asDeclared = usable ? (free.find((each) => hasOwnAsDeclared(wish, each)) ?? free[0]) : undefined;
    const live = asDeclared ?? (binding && savedAnew(context, binding, wish.kind));
    const isTakenOver = live !== undefined && binding === undefined && !wish.kind.carried;
    return { ...(live && { live }), ...(isTakenOver && { importing: true }), diagnostics: [] };
  }
  return adopt(context, wish, candidates);
}

function adopt(context: PlanContext, wish: Wish, candidates: readonly TreeNode[]): Found {
  const [only] = candidates;
  const mode = context.input.options.adopt;
  if (only === undefined) return { diagnostics: [] };
  if (candidates.length > 1) return { diagnostics: [ambiguous(context, wish, candidates)] };
  if (ownerOf(context, only.handle) !== undefined) return { diagnostics: [taken(context, wish, only)] };
  if (mode === "name" || (mode === "exact" && isExact(context, wish, only)))
    return { live: only, importing: true, diagnostics: [] };
  return { diagnostics: [taken(context, wish, only)] };
}

/** The environment that binds a live object, in words. */
function ownerOf({ input }: PlanContext, handle: string): string | undefined {
  return input.boundElsewhere?.get(handle);
}

/** Unbound live siblings with the same name, or, for kinds without one, with the same declared fields. */
function unboundLike(context: PlanContext, { node, kind, parent }: Wish): readonly TreeNode[] {
  const siblings = context.liveNamed.get(namedPlace(kind, parent ?? undefined, nodeName(node))) ?? [];
  return siblings.filter(
    (sibling) =>
      isFree(context, kind, sibling) &&
      (context.adopted.get(sibling.handle) ?? node.handle) === node.handle &&
      !isDormant(kind, sibling) &&
      inSameScope(context, { node, kind }, sibling) &&
      (kind.fields["name"] !== undefined || declaredEqual(context, { node, kind }, sibling)),
  );
}

/**
 * The live object that somebody saved anew in the place of a bound one without a name: its id is another one, and it says
 * what was last applied. Undefined when the bound one is there, or nothing equals it.
 */
export function savedAnew(context: PlanContext, binding: Binding, kind: AnyKind): TreeNode | undefined {
  const above = parentAddress(binding.address);
  const parent = above === undefined ? undefined : context.bindings.byAddress.get(above)?.live;
  if (binding.live || parent === undefined || kind.carried || kind.fields["name"] !== undefined) return undefined;
  const applied = context.resolver.desired(kind, binding.resource.applied);
  const siblings = context.liveNamed.get(namedPlace(kind, parent.handle, "")) ?? [];
  return siblings.find((sibling) => {
    const owner = context.bindings.addressOf.get(sibling.handle) ?? context.adopted.get(sibling.handle);
    return (owner ?? binding.address) === binding.address && saysTheSame(context, kind, { applied, sibling });
  });
}

function saysTheSame(
  { resolver }: PlanContext,
  kind: AnyKind,
  { applied, sibling }: { readonly applied: JsonObject; readonly sibling: TreeNode },
): boolean {
  const live = resolver.live(kind, sibling.fields);
  return Object.entries(kind.fields).every(
    ([name, field]) => field.ownRequest || same(applied[name] ?? field.default, live[name] ?? field.default),
  );
}

/** Bound to nobody here; a tag is free too when it was bound to a key that is declared no more, for tags cannot be moved. */
function isFree({ bindings, desired, isSelected }: PlanContext, kind: AnyKind, { handle }: TreeNode): boolean {
  const owner = bindings.addressOf.get(handle);
  return owner === undefined || (kind.carried === true && !desired.nodes.has(owner) && isSelected(owner));
}

/** A natural key may be unique within what a field refers to: a region within its grid. */
export function inSameScope(
  context: PlanContext,
  { node, kind }: Pick<Wish, "node" | "kind">,
  sibling: TreeNode,
): boolean {
  if (typeof kind.naturalKey !== "object") return true;
  const field = kind.naturalKey.within;
  const wished = context.resolver.desired(kind, node.fields)[field];
  return wished === undefined || same(wished, context.resolver.live(kind, sibling.fields)[field]);
}

function declaredEqual(context: PlanContext, { node, kind }: Pick<Wish, "node" | "kind">, sibling: TreeNode): boolean {
  const wished = context.resolver.desired(kind, node.fields);
  const live = context.resolver.live(kind, sibling.fields);
  return Object.entries(wished).every(
    ([name, value]) => kind.fields[name]?.ownRequest || same(value, live[name] ?? kind.fields[name]?.default),
  );
}

/** Which of several equal objects is meant: one whose fields with requests of their own need none, such as a paused schedule. */
function hasOwnAsDeclared({ node, kind }: Wish, live: TreeNode): boolean {
  const fields = Object.entries(kind.fields).filter(([, { ownRequest }]) => ownRequest);
  return fields.every(([name, field]) => same(node.fields[name] ?? field.default, live.fields[name] ?? field.default));
}

function isExact(context: PlanContext, wish: Wish, live: TreeNode): boolean {
  const sensitive = new Set((wish.node.sensitive ?? []).map((path) => path.split(".")[0]));
  const readable = Object.fromEntries(Object.entries(wish.node.fields).filter(([name]) => !sensitive.has(name)));
  return declaredEqual(context, { ...wish, node: { ...wish.node, fields: readable } }, live);
}

/** Whether an object counts as absent as long as nothing is bound to it. */
export function isDormant(kind: AnyKind, live: TreeNode): boolean {
  return isObject(live.facts) && (kind.remote.dormant?.(live.facts) ?? false);
}

function otherObject(context: PlanContext, address: string, foreign: TreeNode): Diagnostic {
  const found = `found ${foreign.handle} made at ${foreign.identity?.createdAt ?? "?"}`;
  return problemAt(context, address, {
    code: "LF3003",
    summary: `${address} is bound to an object that is not there any more`,
    detail: `${found}, another object than the one that was applied; it is not touched. If the service was reset, run: loadform state rm ${address}${placeWords(context.input)}`,
  });
}

function taken(context: PlanContext, wish: Wish, live: TreeNode): Diagnostic {
  const { node, kind } = wish;
  const name = nodeName(node);
  const isAsDeclared = isExact(context, wish, live);
  const owner = ownerOf(context, live.handle);
  const found = `found ${live.handle} with this name, which ${owner === undefined ? "is not bound to this project" : `${owner} binds`}; expected none.`;
  const summary = `${kind.name} "${name}" exists already`;
  if (owner !== undefined) {
    const detail = `${found} What one environment made another one does not take over: give it another name here, or work on it where it is bound`;
    return problemAt(context, node.handle, { code: "LF3001", summary, detail, path: ["name"] });
  }
  const exact =
    context.input.options.adopt === "exact"
      ? " It differs from what is declared, so --adopt exact does not take it."
      : "";
  return problemAt(context, node.handle, {
    code: "LF3001",
    summary,
    detail: `${found}${exact} ${waysToTake(context.input, node, { live, isAsDeclared })}`,
    path: ["name"],
  });
}

function ambiguous(context: PlanContext, { node, kind }: Wish, candidates: readonly TreeNode[]): Diagnostic {
  const ids = candidates.map((candidate) => candidate.handle).join(", ");
  return problemAt(context, node.handle, {
    code: "LF3002",
    summary: `several objects are called "${nodeName(node)}"`,
    detail: `found ${ids}; expected at most one ${kind.name} of this name here. Rename all but one at the service, or declare another name`,
    path: ["name"],
  });
}
