import { lastStep } from "../model/address.ts";
import { isContentMark, same } from "../model/fingerprint.ts";
import { sameJson } from "../model/json.ts";
import { type AnyKind, isDeactivated } from "../model/kind.ts";
import { nodeName, type TreeNode } from "../model/tree.ts";
import type { StateResource } from "../state/state.ts";
import { savedAnew } from "./adopt.ts";
import { appliedFields, type Binding } from "./bind.ts";
import { describeEnd } from "./describe-change.ts";
import { refersTo } from "./diff-fields.ts";
import { neededTargets } from "./expand-targets.ts";
import { namesUsed } from "./losses.ts";
import { groundHandle, type ObjectPlan } from "./object-plan.ts";
import { deactivatedUses, groundProblems } from "./object-problems.ts";
import type { PlanContext } from "./plan-context.ts";
import { type PlannedSoFar, planObject } from "./plan-object.ts";
import { type DiffSides, maskSecrets } from "./secrets.ts";
import { selectedBy } from "./select-targets.ts";

export interface DesiredPlan {
  readonly objects: readonly ObjectPlan[];
  /** Desired objects that plainly need no change. */
  readonly unchanged: readonly TreeNode[];
  readonly progress: GrowingPlan;
}

/** The plan so far, as it grows. */
interface GrowingPlan extends PlannedSoFar {
  readonly liveOf: Map<string, string>;
  readonly renewed: Set<string>;
}

/**
 * Plans the objects that the targets name, desired ones and orphans, and expands the targets until they need nothing more: the context has
 * them.
 */
export function planObjects(start: PlanContext) {
  let context = start;
  for (;;) {
    const desired = planDesired(context);
    const objects = [...desired.objects, ...planOrphans(context)];
    const { more, problems } = neededTargets(context, objects);
    if (more.length === 0 || context.selection === undefined) {
      const uses = deactivatedUses(context, objects, desired.progress);
      return { context, desired, objects, problems: [...problems, ...uses] };
    }
    context = { ...context, ...selectedBy(context.selection.with(more)) };
  }
}

/** Plans every desired object, kind by kind, so that parents and referred objects come before those that need them. */
function planDesired(context: PlanContext): DesiredPlan {
  const progress: GrowingPlan = { liveOf: new Map(), renewed: new Set() };
  const objects: ObjectPlan[] = [];
  const unchanged: TreeNode[] = [];
  for (const node of inKindOrder(context)) {
    const isSelected = context.isSelected(node.handle);
    const live = isSelected
      ? unchangedLive(context, node, progress)
      : context.bindings.byAddress.get(node.handle)?.live;
    if (live) progress.liveOf.set(node.handle, live.handle);
    if (isSelected && live) unchanged.push(node);
    else if (isSelected) objects.push(...planNext(context, node, progress));
  }
  return { objects, unchanged, progress };
}

function inKindOrder({ input, desired }: PlanContext): readonly TreeNode[] {
  const ofKind = new Map<string, TreeNode[]>(input.kinds.map((kind) => [kind.name, []]));
  for (const node of desired.nodes.values()) ofKind.get(node.kind)?.push(node);
  return [...ofKind.values()].flat();
}

/** One desired object, recorded for those that need it. */
export function planNext(context: PlanContext, node: TreeNode, progress: GrowingPlan): readonly ObjectPlan[] {
  const object = planObject(context, node, progress);
  if (object === undefined) return [];
  const { action, reason } = object.change;
  if (object.live && context.bindings.addressOf.get(object.live.handle) !== node.handle)
    context.adopted.set(object.live.handle, node.handle);
  if (object.live && action !== "replace") progress.liveOf.set(node.handle, object.live.handle);
  if (action === "replace" || (action === "create" && reason !== undefined)) progress.renewed.add(node.handle);
  return [object];
}

/**
 * The live object of a desired one when desired, binding and live object are plainly equal: its plan would be a no-op with
 * nothing to store. Most objects of most plans are such, so they are recognized cheaply; undefined is not yet a change.
 */
function unchangedLive(context: PlanContext, node: TreeNode, progress: PlannedSoFar): TreeNode | undefined {
  const kind = context.kinds.get(node.kind);
  const binding = context.bindings.byAddress.get(node.handle);
  if (kind === undefined || binding?.live === undefined || binding.previousAddress !== undefined) return undefined;
  const { live, resource } = binding;
  const parent = node.parent === undefined ? undefined : progress.liveOf.get(node.parent);
  const isSameObject = live.parent === parent && !isDeactivated(kind, live) && !context.mustReplace(node.handle);
  if (!isSameObject || !isBoundAs(context, node, { live, resource })) return undefined;
  const { resolver } = context;
  const sides = { desired: resolver.spell(kind, node.fields), live: resolver.spell(kind, live.fields) };
  const isUnchanged = isAsApplied(resource, sides, progress) && resolver.lost(kind, node.fields).length === 0;
  const isSound = isUnchanged && groundProblems(context, { kind, node, live, renewed: progress.renewed }).length === 0;
  return isSound ? live : undefined;
}

/** Equality of a binding but for the fields; an object with secrets takes the full comparison. */
function isBoundAs(
  { input }: PlanContext,
  { sensitive, lifecycle }: TreeNode,
  { live, resource }: { readonly live: TreeNode; readonly resource: StateResource },
): boolean {
  const parent = live.parent === undefined ? undefined : input.live.nodes.get(live.parent)?.identity?.id;
  return (
    sensitive === undefined &&
    resource.secrets === undefined &&
    resource.parent === parent &&
    sameJson(resource.seen, live.contentVersion) &&
    (resource.protect ?? false) === (lifecycle?.protect ?? false) &&
    sameJson(resource.ignore, lifecycle?.ignore)
  );
}

/** Every declared field equals the applied and the live value, and nothing else was applied. */
function isAsApplied(
  { applied, content = none }: StateResource,
  { desired, live }: Pick<DiffSides, "desired" | "live">,
  { renewed }: PlannedSoFar,
): boolean {
  let contents = 0;
  let declared = 0;
  for (const name in desired) {
    const value = desired[name];
    const isContent = isContentMark(value);
    if (isContent ? value.$content !== content[name] : !sameJson(value, applied[name])) return false;
    if (value === undefined || !same(value, live[name]) || refersTo(value, renewed)) return false;
    if (isContent) contents++;
    else declared++;
  }
  return declared === Object.keys(applied).length && contents === Object.keys(content).length;
}

const none: Readonly<Record<string, string>> = {};

/** Orphans, bound and no longer desired: deleted, forgotten, or deleted outside already. */
function planOrphans(context: PlanContext): readonly ObjectPlan[] {
  const objects: ObjectPlan[] = [];
  for (const binding of context.bindings.byAddress.values()) {
    if (context.desired.nodes.has(binding.address)) continue;
    const kind = context.kinds.get(binding.resource.kind);
    if (kind === undefined || !context.isSelected(binding.address)) continue;
    objects.push(planOrphan(context, withSavedAnew(context, binding, kind), kind));
  }
  const deleted = new Set(objects.flatMap(({ live, change }) => (change.action === "delete" ? live?.handle : [])));
  const isAlong = ({ kind, live, change }: ObjectPlan) =>
    change.action === "forget" && change.reason === undefined && deleted.has(live?.parent ?? groundHandle(kind, live));
  return objects.map((object) =>
    isAlong(object) ? { ...object, change: { ...object.change, reason: "deleted with its parent" } } : object,
  );
}

/** The binding with the object that was saved again outside in place of its own; one object replaces one only. */
function withSavedAnew(context: PlanContext, binding: Binding, kind: AnyKind): Binding {
  const live = savedAnew(context, binding, kind);
  if (live === undefined) return binding;
  context.adopted.set(live.handle, binding.address);
  return { ...binding, live };
}

function planOrphan(context: PlanContext, binding: Binding, kind: AnyKind): ObjectPlan {
  const { address, live } = binding;
  const isMissing = live === undefined || isDeactivated(kind, live);
  const owner = context.bindings.addressOf.get(live?.handle ?? "") ?? address;
  const isAdopted = live !== undefined && kind.createdByUse === true && context.adopted.has(live.handle);
  const block = context.removedBlock(address);
  const isUntouched = isAdopted || owner !== address || block?.destroy === false || isStillUsed(context, binding, kind);
  const action = isMissing || isUntouched ? "forget" : "delete";
  const liveFields = maskedLive(context, binding, kind);
  const change = describeEnd({
    address,
    kind,
    action,
    name: live?.fields.name === undefined ? lastStep(address).key : nodeName(live),
    ...(live && { live }),
    before: live ? liveFields : binding.resource.applied,
    ...(isMissing && { reason: binding.replacedBy ? "another object has its id now" : "deleted outside" }),
  });
  return {
    address,
    kind,
    change,
    ...(live && { live }),
    liveFields,
    send: {},
    separate: {},
    declared: {},
    ...(action === "forget" && { stateChange: null }),
    ...(isMissing && { drift: { ...change, action: "delete" } }),
    diagnostics: [],
  };
}

function maskedLive(context: PlanContext, { resource, live }: Binding, kind: AnyKind) {
  const applied = appliedFields(resource);
  const actual = live === undefined ? {} : context.resolver.spell(kind, live.fields);
  const secrets = resource.secrets ?? {};
  const { fingerprint } = context.input;
  const masked = maskSecrets({ kind, desired: {}, applied, live: actual, sensitive: [], secrets, fingerprint }).live;
  const managed = new Set(["name", ...Object.keys(applied), ...Object.keys(secrets).map((path) => path.split(".")[0])]);
  return Object.fromEntries(Object.entries(masked).filter(([name]) => managed.has(name)));
}

/** A tag remains as long as a scenario of the project still names it. */
function isStillUsed({ desired, kinds }: PlanContext, { live }: Binding, kind: AnyKind): boolean {
  if (!kind.createdByUse || live === undefined) return false;
  const name = nodeName(live);
  return [...desired.nodes.values()].some((node) => {
    const user = kinds.get(node.kind);
    return user !== undefined && namesUsed(user, kind, node.fields).includes(name);
  });
}
