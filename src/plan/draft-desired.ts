import type { Json, JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import { withoutForeign } from "../model/variant.ts";
import type { StateResource } from "../state/state.ts";
import { appliedFields, bindingParts, sameBinding } from "./binding-of.ts";
import { describeCreate, describeDrift, describeUpdate } from "./describe-change.ts";
import type { FieldsDiff } from "./diff-fields.ts";
import { diffFields } from "./diff-fields.ts";
import type { Draft } from "./draft.ts";
import { lostReferences, problemsNow, updateProblems } from "./draft-problems.ts";
import type { Found } from "./find-live.ts";
import { findLive } from "./find-live.ts";
import type { Sides } from "./mask-secrets.ts";
import { maskSecrets } from "./mask-secrets.ts";
import type { PlanContext } from "./plan-context.ts";

/** What is known of the objects that were looked at before this one. */
export interface Progress {
  /** Handle of an address's live object, when it has one that stays. */
  readonly liveOf: ReadonlyMap<string, string>;
  /** Addresses that get a new id. */
  readonly renewed: ReadonlySet<string>;
}

/** One wish against what stands at the service. */
export function draftDesired(context: PlanContext, node: TreeNode, progress: Progress): Draft | undefined {
  const kind = context.kinds.get(node.kind);
  if (kind === undefined) return undefined;
  const parent = node.parent === undefined ? undefined : (progress.liveOf.get(node.parent) ?? null);
  const found = findLive(context, { node, kind, parent });
  const isOrphan = found.live !== undefined && found.live.parent !== (parent ?? undefined);
  const { live } = found;
  const sides = sidesOf(context, { node, kind, live });
  const wish: Wish = { node, kind, sides, found, progress };
  const draft = live === undefined ? draftNew(context, wish) : draftBound(context, { ...wish, live, isOrphan });
  return {
    ...draft,
    diagnostics: [...found.diagnostics, ...lostReferences(context, { kind, node }), ...draft.diagnostics],
  };
}

interface Wish {
  readonly node: TreeNode;
  readonly kind: AnyKind;
  readonly sides: PlainSides;
  readonly found: Found;
  readonly progress: Progress;
}

/** The sides as they are compared, and two of them as they were before they were masked. */
interface PlainSides extends Sides {
  readonly plain: Pick<Sides, "desired" | "live">;
}

function sidesOf(
  context: PlanContext,
  of: { readonly node: TreeNode; readonly kind: AnyKind; readonly live: TreeNode | undefined },
): PlainSides {
  const { node, kind, live } = of;
  const { resolver, bindings, input } = context;
  const resource = bindings.byAddress.get(node.handle)?.resource;
  const plain = {
    desired: resolver.desired(kind, node.fields),
    live: live === undefined ? {} : resolver.live(kind, live.fields),
  };
  const masked = maskSecrets({
    kind,
    ...plain,
    applied: live === undefined ? {} : resolver.desired(kind, appliedFields(resource)),
    sensitive: node.sensitive ?? [],
    secrets: live === undefined ? {} : (resource?.secrets ?? {}),
    fingerprint: input.fingerprint,
  });
  return { ...masked, plain };
}

/** An object that is not there: to be created, or pending when it comes with its carriers. */
function draftNew(context: PlanContext, { node, kind, sides }: Wish): Draft {
  const fields = withoutForeign(kind, sides.desired);
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const { unit, own } = splitOwn(kind, set);
  const ownChanges = Object.fromEntries(
    Object.entries(own).filter(([name, value]) => value !== kind.fields[name]?.default),
  );
  const wasBound = context.bindings.byAddress.has(node.handle);
  const draft = {
    address: node.handle,
    kind,
    node,
    liveFields: {},
    send: unit,
    own: ownChanges,
    declared: set,
    binding: bindingParts(kind.name, fields, node),
  };
  if (kind.carried)
    return { ...draft, change: describeUpdate({ node, kind, changes: [], before: {}, after: {} }), diagnostics: [] };
  const change = describeCreate({ context, node, kind, after: set, wasBound });
  const drift = wasBound ? { drift: { ...change, action: "delete" as const, fields: [], before: set } } : {};
  return { ...draft, change, ...drift, diagnostics: problemsNow(context, { node, kind }) };
}

interface BoundWish extends Wish {
  readonly live: TreeNode;
  /** It stands under a parent that goes. */
  readonly isOrphan: boolean;
}

function draftBound(context: PlanContext, wish: BoundWish): Draft {
  const { node, kind, live, sides, progress, found } = wish;
  const ignore = node.lifecycle?.ignore ?? [];
  const isSpent = kind.spent?.(live.fields, live.facts ?? {}) ?? false;
  const diff = isSpent ? spentDiff(sides) : diffFields({ kind, ...sides, ignore, renewed: progress.renewed });
  const needsReplace =
    wish.isOrphan ||
    // What comes with its carriers cannot be made anew: --replace '**' leaves a tag alone.
    (context.mustReplace(node.handle) && kind.carried !== true) ||
    diff.changes.some(({ field }) => kind.fields[field]?.change === "replace");
  if (needsReplace) return draftReplace(context, wish, diff);
  const { unit, own } = splitOwn(kind, diff.send);
  const parts = bindingParts(kind.name, diff.applied, node);
  const before = pickManaged(sides, diff);
  const drift = describeDrift({ node, kind, live, drifted: diff.drifted });
  return {
    address: node.handle,
    kind,
    node,
    live,
    liveFields: sides.live,
    send: unit,
    own,
    declared: withoutForeign(kind, sides.desired),
    binding: parts,
    change: describeUpdate({
      context,
      node,
      kind,
      live,
      changes: diff.changes,
      before,
      after: afterOf(before, diff),
      ...(found.importing && { importing: true }),
    }),
    ...settled(context, { node, live, parts }),
    ...(drift && { drift }),
    diagnostics: updateProblems(context, { node, kind, live, diff }),
  };
}

function draftReplace(context: PlanContext, wish: BoundWish, diff: FieldsDiff): Draft {
  const { node, kind, live, sides } = wish;
  // The former object is there still, so it did not vanish, whatever else was changed of it.
  const { drift: _gone, ...fresh } = draftNew(context, wish);
  const drift = describeDrift({ node, kind, live, drifted: diff.drifted });
  const asked = context.mustReplace(node.handle) ? "replace requested" : "cannot change in place";
  const change = {
    ...describeUpdate({
      context,
      node,
      kind,
      live,
      changes: diff.changes,
      before: pickManaged(sides, diff),
      after: fresh.declared,
    }),
    action: "replace" as const,
    reason: wish.isOrphan ? "its parent is replaced" : asked,
  };
  return { ...fresh, live, liveFields: sides.live, change, ...(drift && { drift }) };
}

/** Fields with a request of their own, apart from those of the object's request. */
function splitOwn(kind: AnyKind, send: JsonObject): { readonly unit: JsonObject; readonly own: JsonObject } {
  const isOwn = (name: string) => kind.fields[name]?.ownRequest === true;
  const entries = Object.entries(send);
  return {
    unit: Object.fromEntries(entries.filter(([name]) => !isOwn(name))),
    own: Object.fromEntries(
      entries
        .filter(([name]) => isOwn(name))
        .map(([name, value]) => [name, value ?? kind.fields[name]?.default ?? null]),
    ),
  };
}

/** What has done all it ever will equals what was declared (docs/engine.md, Diff). */
function spentDiff(sides: Sides): FieldsDiff {
  return { changes: [], send: {}, applied: sides.desired, released: [], drifted: [] };
}

/** Managed fields as they stand. */
function pickManaged(sides: Sides, diff: FieldsDiff): JsonObject {
  const names = new Set([...Object.keys(sides.desired), ...diff.changes.map(({ field }) => field)]);
  return Object.fromEntries(
    [...names].flatMap((name): [string, Json][] =>
      sides.live[name] === undefined ? [] : [[name, sides.live[name] as Json]],
    ),
  );
}

function afterOf(before: JsonObject, diff: FieldsDiff): JsonObject {
  const after: Record<string, Json> = { ...before };
  for (const change of diff.changes) {
    if (change.after === undefined) delete after[change.field];
    else after[change.field] = change.after;
  }
  return after;
}

function settled(
  context: PlanContext,
  {
    node,
    live,
    parts,
  }: { readonly node: TreeNode; readonly live: TreeNode; readonly parts: Omit<StateResource, "id" | "createdAt"> },
): { readonly settle?: StateResource } {
  const parent = live.parent === undefined ? undefined : context.input.live.nodes.get(live.parent)?.identity?.id;
  const settle: StateResource = {
    ...parts,
    id: live.identity?.id ?? 0,
    createdAt: live.identity?.createdAt ?? "",
    ...(parent === undefined ? {} : { parent }),
    ...(live.seen && { seen: live.seen }),
  };
  const known = context.bindings.byAddress.get(node.handle);
  return known && known.previousAddress === undefined && sameBinding(known.resource, settle) ? {} : { settle };
}
