import { type Json, type JsonObject, sameJson } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { TreeNode } from "../model/tree.ts";
import { withoutInactive } from "../model/variant.ts";
import type { StateResource } from "../state/state.ts";
import { findLive, type LiveMatch } from "./adopt.ts";
import { appliedFields, bindingParts } from "./bind.ts";
import { describeCreate, describeDrift, describeUpdate } from "./describe-change.ts";
import { diffFields, type FieldsDiff } from "./diff-fields.ts";
import type { ObjectPlan } from "./object-plan.ts";
import { groundProblems, lostReferences, problemsNow, unreadReplacement, updateProblems } from "./object-problems.ts";
import type { BindingParts } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";
import { type DiffSides, hiddenPaths, maskSecrets } from "./secrets.ts";

/** The objects that were planned before this one. */
export interface PlannedSoFar {
  /** Handle of an address's live object, when it has one that is not replaced. */
  readonly liveOf: ReadonlyMap<string, string>;
  /** Addresses that get a new id. */
  readonly renewed: ReadonlySet<string>;
}

/** Compares one desired object with the live one. */
export function planObject(context: PlanContext, node: TreeNode, progress: PlannedSoFar): ObjectPlan | undefined {
  const kind = context.kinds.get(node.kind);
  if (kind === undefined) return undefined;
  const parent = node.parent === undefined ? undefined : (progress.liveOf.get(node.parent) ?? null);
  const found = findLive(context, { node, kind, parent });
  const isMoved = found.live !== undefined && found.live.parent !== (parent ?? undefined);
  const { live } = found;
  const desired: ComparedObject = { node, kind, sides: sidesOf(context, { node, kind, live }), found, progress };
  const object = live === undefined ? planCreate(context, desired) : planUpdate(context, { ...desired, live, isMoved });
  return {
    ...object,
    diagnostics: [
      ...found.diagnostics,
      ...lostReferences(context, { kind, node }),
      // A new one is made in a grid that remains.
      ...(object.change.action === "replace" ? [] : groundProblems(context, { ...desired, live, ...progress })),
      ...object.diagnostics,
    ],
  };
}

interface ComparedObject {
  readonly node: TreeNode;
  readonly kind: AnyKind;
  readonly sides: PlainSides;
  readonly found: LiveMatch;
  readonly progress: PlannedSoFar;
}

/** The sides as they are compared, and two of them before they were masked. */
interface PlainSides extends DiffSides {
  readonly plain: Pick<DiffSides, "desired" | "live">;
}

function sidesOf(
  context: PlanContext,
  of: { readonly node: TreeNode; readonly kind: AnyKind; readonly live: TreeNode | undefined },
): PlainSides {
  const { node, kind, live } = of;
  const { resolver, bindings, input } = context;
  const resource = bindings.byAddress.get(node.handle)?.resource;
  const plain = {
    desired: resolver.spell(kind, node.fields),
    live: live === undefined ? {} : resolver.spell(kind, live.fields),
  };
  const masked = maskSecrets({
    kind,
    ...plain,
    applied: live === undefined ? {} : resolver.spell(kind, appliedFields(resource)),
    sensitive: [...(node.sensitive ?? []), ...hiddenPaths(kind, plain)],
    secrets: live === undefined ? {} : (resource?.secrets ?? {}),
    fingerprint: input.fingerprint,
  });
  return { ...masked, plain };
}

/**
 * A finished object equals what was last applied, or its declaration where nothing is known of that (docs/engine.md, Diff); one
 * that somebody made into what has finished does not.
 */
function asBeforeItsEnd({ finished }: AnyKind, sides: PlainSides, facts: JsonObject): PlainSides {
  const live = Object.keys(sides.applied).length === 0 ? sides.desired : sides.applied;
  return finished?.(live, facts) ? { ...sides, live, plain: { ...sides.plain, live } } : sides;
}

/** An object that does not exist: created, or pending when its first use creates it. */
function planCreate(context: PlanContext, { node, kind, sides, progress }: ComparedObject): ObjectPlan {
  const fields = withoutInactive(kind, sides.desired);
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  // One that is activated again has what it had; a reference is never cleared.
  const isSent = ([name, value]: readonly [string, Json]) =>
    value !== null || (kind.remote.deactivated !== undefined && kind.fields[name]?.type !== "reference");
  const { send, separate } = splitSeparate(kind, Object.fromEntries(Object.entries(fields).filter(isSent)));
  const isOther = ([name, value]: readonly [string, Json]) => value !== kind.fields[name]?.default;
  const wasBound = context.bindings.byAddress.has(node.handle);
  const object = {
    address: node.handle,
    kind,
    node,
    liveFields: {},
    send,
    separate: Object.fromEntries(Object.entries(separate).filter(isOther)),
    declared: set,
    binding: bindingParts(kind.name, fields, node),
  };
  if (kind.createdByUse)
    return { ...object, change: describeUpdate({ node, kind, changes: [], before: {}, after: {} }), diagnostics: [] };
  const change = describeCreate({ context, node, kind, after: set, wasBound });
  const drift = wasBound ? { drift: { ...change, action: "delete" as const, fields: [], before: set } } : {};
  return { ...object, change, ...drift, diagnostics: problemsNow(context, { node, kind, renewed: progress.renewed }) };
}

interface ComparedWithLive extends ComparedObject {
  readonly live: TreeNode;
  /** Its live parent is another one than the desired parent's, which is replaced. */
  readonly isMoved: boolean;
}

function planUpdate(context: PlanContext, desired: ComparedWithLive): ObjectPlan {
  const { node, kind, live, sides, progress, found } = desired;
  const { facts = {} } = live;
  const isFinished = kind.finished?.(live.fields, facts) ?? false;
  const compared = isFinished ? asBeforeItsEnd(kind, sides, facts) : sides;
  const diffOf = (ignore: readonly string[]) => diffFields({ kind, ...compared, ignore, renewed: progress.renewed });
  const diff = diffOf(node.lifecycle?.ignore ?? []);
  const needsReplace =
    desired.isMoved ||
    // An object that only its use creates cannot be replaced: --replace '**' does not touch a tag.
    (context.mustReplace(node.handle) && kind.createdByUse !== true) ||
    diff.changes.some(({ field }) => kind.fields[field]?.change === "replace");
  // The new object has every declared value, those of which drift is ignored too.
  if (needsReplace) return planReplacement(context, desired, { ...diff, changes: diffOf([]).changes });
  const { send, separate } = splitSeparate(kind, diff.send);
  const parts = bindingParts(kind.name, diff.applied, node);
  const isBegunAgain = isFinished && diff.changes.length > 0 && kind.pause?.applies(sides.desired);
  const before = pickManaged(sides, diff);
  const drift = describeDrift({ node, kind, live, drifted: diff.drifted });
  return {
    address: node.handle,
    kind,
    node,
    live,
    liveFields: sides.live,
    send,
    // A finished object is not active, and remains so where it becomes what can be paused (API 1, States).
    separate: isBegunAgain && kind.pause ? { [kind.pause.field]: true, ...separate } : separate,
    declared: withoutInactive(kind, sides.desired),
    binding: parts,
    change: describeUpdate({
      ...{ context, node, kind, live, before },
      changes: diff.changes,
      after: afterOf(before, diff),
      ...(!isFinished && { kept: live.fields }),
      ...(found.importing && { importing: true }),
    }),
    ...stateChange(context, { node, live, parts }),
    ...(drift && { drift }),
    diagnostics: updateProblems(context, { node, kind, live, diff, renewed: progress.renewed }),
  };
}

function planReplacement(context: PlanContext, desired: ComparedWithLive, diff: FieldsDiff): ObjectPlan {
  const { node, kind, live, sides, progress } = desired;
  // The object still exists, so the drift of a missing one does not apply.
  const { drift: _missing, ...fresh } = planCreate(context, desired);
  const drift = describeDrift({ node, kind, live, drifted: diff.drifted });
  const reason = desired.isMoved
    ? `its parent is ${progress.renewed.has(node.parent ?? "") ? "replaced" : "another one"}`
    : context.mustReplace(node.handle)
      ? "replace requested"
      : undefined;
  const change = {
    ...describeUpdate({
      ...{ context, node, kind, live, after: fresh.declared },
      ...{ changes: diff.changes, before: pickManaged(sides, diff) },
    }),
    action: "replace" as const,
    reason: reason ?? "cannot change in place",
  };
  const unread = reason === undefined ? unreadReplacement(context, { node, kind, live, diff }) : [];
  const diagnostics = [...fresh.diagnostics, ...unread];
  return { ...fresh, live, liveFields: sides.live, change, diagnostics, ...(drift && { drift }) };
}

function splitSeparate(kind: AnyKind, fields: JsonObject): Pick<ObjectPlan, "send" | "separate"> {
  const isSeparate = (name: string) => kind.fields[name]?.separateRequest === true;
  const entries = Object.entries(fields);
  return {
    send: Object.fromEntries(entries.filter(([name]) => !isSeparate(name))),
    separate: Object.fromEntries(
      entries
        .filter(([name]) => isSeparate(name))
        .map(([name, value]) => [name, value ?? kind.fields[name]?.default ?? null]),
    ),
  };
}

function pickManaged(sides: DiffSides, diff: FieldsDiff): JsonObject {
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

function stateChange(
  context: PlanContext,
  { node, live, parts }: Pick<ComparedWithLive, "node" | "live"> & { readonly parts: BindingParts },
): Pick<ObjectPlan, "stateChange"> {
  const parent = live.parent === undefined ? undefined : context.input.live.nodes.get(live.parent)?.identity?.id;
  const binding: StateResource = {
    ...parts,
    id: live.identity?.id ?? 0,
    createdAt: live.identity?.createdAt ?? "",
    ...(parent === undefined ? {} : { parent }),
    ...(live.contentVersion && { seen: live.contentVersion }),
  };
  const known = context.bindings.byAddress.get(node.handle);
  const isKnown = known?.previousAddress === undefined && sameJson({ ...known?.resource }, { ...binding });
  return isKnown ? {} : { stateChange: binding };
}
