import { anyMatcher, parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { byText } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { referredAddresses } from "../model/references.ts";
import type { StateResource } from "../state/state.ts";
import { guardPlan, isEverythingGone, renamedProject } from "./guards.ts";
import { findCarriers } from "./losses.ts";
import { moveProblems } from "./move-problems.ts";
import { isPending, liveReferences, type ObjectPlan, pendingOf } from "./object-plan.ts";
import { makeOperations } from "./operations.ts";
import { orderOperations } from "./order.ts";
import type { Change, Plan, Summary, Unmanaged } from "./plan.ts";
import { liveAddress, openName, type PlanContext, planContext, problemAt } from "./plan-context.ts";
import type { PlanInput } from "./plan-input.ts";
import { type DesiredPlan, planNext, planObjects } from "./plan-objects.ts";
import { planPauses } from "./plan-pauses.ts";
import { planUnmanaged } from "./plan-unmanaged.ts";
import { nameConflicts } from "./sibling-names.ts";

/** The difference between the desired and the live tree (docs/engine.md): pure, synchronous, the same for the same input. */
export function makePlan(input: PlanInput): Plan {
  const owned = planObjects(planContext(input));
  const { context, desired } = owned;
  const unmanaged = planUnmanaged(context, owned.objects, desired.progress.liveOf);
  const all = withCarried(context, [...owned.objects, ...unmanaged.objects]);
  const treeOrder = ({ address }: ObjectPlan) => address.replaceAll("/", "\u0000");
  const sorted = notable(context, all, desired).sort((left, right) => byText(treeOrder(left), treeOrder(right)));
  const objects = withReplacementOrder(context, sorted);
  const guarded = guardPlan(context, objects);
  const ordered = orderOperations(context, objects, makeOperations(context, objects));
  const changes = objects
    .map(({ address, change }) => ({ ...change, risks: guarded.risks.get(address) ?? change.risks }))
    .filter((each) => each.action !== "no-op" || each.importing === true || each.previousAddress !== undefined);
  return {
    project: input.project,
    ...(input.environment === undefined ? {} : { environment: input.environment }),
    target: input.target,
    changes,
    drift: objects.flatMap(({ drift }) => (drift ? [drift] : [])),
    unmanaged: input.options.showUnmanaged ? unmanagedObjects(context, objects) : [],
    foundMoves: context.foundMoves,
    operations: ordered.operations,
    pauses: planPauses(context, ordered.operations),
    stateChanges: stateChangesOf(context, objects),
    pending: pendingOf(objects),
    guards: guarded.hits,
    summary: summarize(changes, all.filter((object) => !isPending(object)).length + desired.unchanged.length),
    diagnostics: [
      ...problemsOf(context, objects),
      ...owned.problems,
      ...renamedProject(context, guarded.hits),
      ...unmanaged.diagnostics,
      ...nameConflicts(context, objects),
      ...moveProblems(context, objects),
      ...cycleProblem(ordered.cycle),
    ],
  };
}

/** Forgets instead of deleting tags that others carry, unless the user allowed it. */
function withCarried(context: PlanContext, objects: readonly ObjectPlan[]): readonly ObjectPlan[] {
  const carriers = findCarriers(context, objects);
  const isAllowed = anyMatcher(context.input.options.allowDestroy);
  return objects.map((object) => {
    const { address, change } = object;
    const by = carriers.get(address);
    if (by === undefined || isAllowed(address)) return object;
    const forgotten: Change = { ...change, action: "forget", reason: "still used" };
    return { ...object, change: forgotten, stateChange: null, diagnostics: [carriedNotice(context, object, by)] };
  });
}

const mostCarriers = 5;

function carriedNotice(context: PlanContext, { address }: ObjectPlan, carriers: readonly string[]): Diagnostic {
  const more = carriers.length - mostCarriers;
  const names = `${carriers.slice(0, mostCarriers).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const detail = `${names} ${carriers.length === 1 ? "carries" : "carry"} it and would lose it, so it is forgotten: it remains at the service. To delete it anyway: --allow-destroy '${address}'`;
  const summary = `${address} is used by others`;
  return problemAt(context, address, { severity: "warning", code: "LF3014", summary, detail });
}

/** Objects with something to show or to store, and the parents in whose requests inline children are written. */
function notable(context: PlanContext, all: readonly ObjectPlan[], { unchanged, progress }: DesiredPlan): ObjectPlan[] {
  const found = all.filter(isNotable);
  const parents = new Set(found.filter(({ kind }) => kind.inline).map(({ address }) => parentAddress(address)));
  if (parents.size === 0) return found;
  return [
    ...all.filter((object) => parents.has(object.address) || isNotable(object)),
    ...unchanged.filter(({ handle }) => parents.has(handle)).flatMap((node) => planNext(context, node, progress)),
  ];
}

/** True where there is anything to show or to store; plain no-ops of a large tree are dropped at once. */
function isNotable(object: ObjectPlan): boolean {
  return (
    object.change.action !== "no-op" ||
    object.stateChange !== undefined ||
    object.drift !== undefined ||
    object.diagnostics.length > 0 ||
    isPending(object)
  );
}

/** A replacement creates first when something that remains refers to the old object (docs/engine.md, Write routes). */
function withReplacementOrder(context: PlanContext, objects: readonly ObjectPlan[]): readonly ObjectPlan[] {
  const updates = objects.filter(({ change }) => change.action === "update");
  const referred = new Set(updates.flatMap((each) => referredAddresses(each.kind, liveReferences(context, each))));
  return objects.map((object) =>
    object.change.action === "replace" && object.kind.naturalKey === undefined && referred.has(object.address)
      ? { ...object, change: { ...object.change, createFirst: true } }
      : object,
  );
}

/** Changes of bindings that need no request and belong to no operation. */
function stateChangesOf(context: PlanContext, objects: readonly ObjectPlan[]) {
  const changes: Record<string, StateResource | null> = {};
  // An address that one object moved away from may be another one's new address, so all are emptied first.
  for (const { address } of objects) {
    const previous = context.bindings.byAddress.get(address)?.previousAddress;
    if (previous !== undefined) changes[previous] = null;
  }
  for (const { address, kind, change, stateChange } of objects) {
    const known = context.bindings.byAddress.get(address);
    if (known?.previousAddress !== undefined) changes[address] = known.resource;
    if (stateChange !== undefined && (stateChange === null || change.action === "no-op"))
      changes[address] = stateChange;
    else if (stateChange && known?.live === undefined)
      changes[address] = bareBinding(kind, stateChange, known?.resource);
  }
  return changes;
}

/**
 * An adopted object, also one that replaces a missing one: bound before anything is sent to it. One without a name was
 * recognized by its last-applied values; for any other there are none.
 */
function bareBinding(
  { fields }: AnyKind,
  { kind, id, createdAt, parent }: StateResource,
  former: StateResource | undefined,
): StateResource {
  const applied = fields["name"] === undefined ? (former?.applied ?? {}) : {};
  return { kind, id, createdAt, ...(parent === undefined ? {} : { parent }), applied };
}

/** When everything is gone, one guard reports all objects instead of a problem for each. */
function problemsOf(context: PlanContext, objects: readonly ObjectPlan[]): readonly Diagnostic[] {
  const problems = objects.flatMap(({ diagnostics }) => diagnostics);
  return isEverythingGone(context) ? problems.filter(({ code }) => code !== "LF3003") : problems;
}

function unmanagedObjects(context: PlanContext, objects: readonly ObjectPlan[]): readonly Unmanaged[] {
  const planned = new Set(objects.map(({ live }) => live?.handle));
  return [...context.input.live.nodes.values()]
    .filter(
      ({ handle, facts }) =>
        !context.bindings.addressOf.has(handle) && !planned.has(handle) && facts?.["public"] !== true,
    )
    .map((node) => {
      const parent = node.parent === undefined ? undefined : context.input.live.nodes.get(node.parent);
      return {
        kind: node.kind,
        id: node.identity?.id ?? 0,
        name: openName(context, node),
        ...(parent && { parent: liveAddress(context, parent) }),
      };
    });
}

function summarize(changes: readonly Change[], objects: number): Summary {
  const of = (action: Change["action"]) => changes.filter((change) => change.action === action).length;
  return {
    create: of("create"),
    update: of("update"),
    delete: of("delete"),
    replace: of("replace"),
    import: changes.filter(({ importing }) => importing === true).length,
    move: changes.filter(({ previousAddress }) => previousAddress !== undefined).length,
    forget: of("forget"),
    noop: objects - changes.length,
  };
}

function cycleProblem(cycle: readonly string[]): readonly Diagnostic[] {
  if (cycle.length === 0) return [];
  const detail = `${cycle.join(", ")}: each waits for another one, so none of them can be first. Remove one of the references among them; or, where a new object takes the name of one that is deleted, give it another name, or apply in two steps`;
  return [{ severity: "error", code: "LF3006", summary: "objects depend on each other in a circle", detail }];
}
