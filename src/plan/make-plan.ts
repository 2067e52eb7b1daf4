import { parentAddress } from "../model/address.ts";
import { byText } from "../model/canonical.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { referredAddresses } from "../model/references.ts";
import { nodeName } from "../model/tree.ts";
import type { StateResource } from "../state/state.ts";
import { ambiguousMoves } from "./ambiguous-moves.ts";
import type { Draft } from "./draft.ts";
import { isPending, liveReferences } from "./draft.ts";
import { draftUnmanaged } from "./draft-unmanaged.ts";
import type { Wishes } from "./draft-wishes.ts";
import { draftOne } from "./draft-wishes.ts";
import { findPauses } from "./find-pauses.ts";
import { guardPlan, isEverythingGone } from "./guard-plan.ts";
import { makeOperations } from "./make-operations.ts";
import { missedMoves } from "./missed-moves.ts";
import { findNameConflicts } from "./name-conflicts.ts";
import { orderOperations } from "./order-operations.ts";
import type { Change, Pending, Plan, Summary, Unmanaged } from "./plan.ts";
import type { PlanContext } from "./plan-context.ts";
import { liveAddress, openName, planContext } from "./plan-context.ts";
import type { PlanInput } from "./plan-input.ts";
import { stuckMoves } from "./stuck-moves.ts";
import { draftTargets } from "./widen-targets.ts";

/** The difference between the wish and what is (docs/engine.md): pure, synchronous, the same for the same input. */
export function makePlan(input: PlanInput): Plan {
  const { context, wishes, owned, problems } = draftTargets(planContext(input));
  const unmanaged = draftUnmanaged(context, { drafts: owned, liveOf: wishes.progress.liveOf });
  const all = [...owned, ...unmanaged.drafts];
  const drafts = withReplacementOrder(context, notable(context, all, wishes).sort(inTreeOrder));
  const guarded = guardPlan(context, drafts);
  // One message says of all what it would say of each.
  const isGone = isEverythingGone(context);
  const ordered = orderOperations(context, drafts, makeOperations(context, drafts));
  const changes = drafts.map((draft) => withRisks(draft.change, guarded.risks)).filter(isShown);
  return {
    project: input.project,
    ...(input.environment === undefined ? {} : { environment: input.environment }),
    target: input.target,
    changes,
    drift: drafts.flatMap(({ drift }) => (drift ? [drift] : [])),
    unmanaged: input.options.showUnmanaged ? unmanagedObjects(context, drafts) : [],
    foundMoves: context.foundMoves,
    operations: ordered.operations,
    pauses: findPauses(context, ordered.operations),
    settles: settlesOf(context, drafts),
    pending: pendingOf(drafts),
    guards: guarded.hits,
    summary: summarize(changes, all.filter((draft) => !isPending(draft)).length + wishes.settled.length),
    diagnostics: [
      ...drafts.flatMap(({ diagnostics }) => diagnostics).filter(({ code }) => !isGone || code !== "LF3003"),
      ...problems,
      ...unmanaged.diagnostics,
      ...findNameConflicts(context, drafts),
      ...ambiguousMoves(context),
      ...stuckMoves(context),
      ...missedMoves(context, drafts),
      ...cycleProblem(ordered.cycle),
    ],
  };
}

/** Drafts with something to say, and the parents in whose requests embedded ones travel. */
function notable(context: PlanContext, all: readonly Draft[], { settled, progress }: Wishes): Draft[] {
  const found = all.filter(isNotable);
  const carriers = new Set(found.filter(({ kind }) => kind.embedded).map(({ address }) => parentAddress(address)));
  if (carriers.size === 0) return found;
  const carrying = settled.filter(({ handle }) => carriers.has(handle));
  return [
    ...all.filter((draft) => carriers.has(draft.address) || isNotable(draft)),
    ...carrying.flatMap((node) => draftOne(context, node, progress)),
  ];
}

/** Whether a draft has anything to say or to store; plain no-ops of a large tree are dropped at once. */
function isNotable(draft: Draft): boolean {
  return (
    draft.change.action !== "no-op" ||
    draft.settle !== undefined ||
    draft.drift !== undefined ||
    draft.diagnostics.length > 0 ||
    isPending(draft)
  );
}

function inTreeOrder(left: Draft, right: Draft): number {
  return byText(left.address.replaceAll("/", "\u0000"), right.address.replaceAll("/", "\u0000"));
}

function isShown(change: Change): boolean {
  return change.action !== "no-op" || change.importing === true || change.previousAddress !== undefined;
}

/** A replacement creates first when something that stays refers to the old object (docs/engine.md, Write routes). */
function withReplacementOrder(context: PlanContext, drafts: readonly Draft[]): readonly Draft[] {
  const updates = drafts.filter(({ change }) => change.action === "update");
  const referred = new Set(updates.flatMap((draft) => referredAddresses(draft.kind, liveReferences(context, draft))));
  return drafts.map((draft) =>
    draft.change.action === "replace" && draft.kind.naturalKey === undefined && referred.has(draft.address)
      ? { ...draft, change: { ...draft.change, createFirst: true } }
      : draft,
  );
}

function withRisks(change: Change, risks: ReadonlyMap<string, readonly string[]>): Change {
  const found = risks.get(change.address);
  return found ? { ...change, risks: found } : change;
}

/** Bindings that need no request; what an operation will write is left to it. */
function settlesOf(context: PlanContext, drafts: readonly Draft[]): Readonly<Record<string, StateResource | null>> {
  const settles: Record<string, StateResource | null> = {};
  // What one object leaves another may take over, so everything leaves first.
  for (const { address } of drafts) {
    const left = context.bindings.byAddress.get(address)?.previousAddress;
    if (left !== undefined) settles[left] = null;
  }
  for (const { address, change, settle } of drafts) {
    const known = context.bindings.byAddress.get(address);
    if (known?.previousAddress !== undefined) settles[address] = known.resource;
    if (settle !== undefined && (settle === null || change.action === "no-op")) settles[address] = settle;
    else if (settle && known?.live === undefined) settles[address] = bareBinding(settle);
  }
  return settles;
}

/** An object that is taken over, in the place of one that is gone too: bound before anything is sent to it, with nothing applied yet. */
function bareBinding({ kind, id, createdAt, parent }: StateResource): StateResource {
  return { kind, id, createdAt, ...(parent === undefined ? {} : { parent }), applied: {} };
}

function pendingOf(drafts: readonly Draft[]): readonly Pending[] {
  return drafts
    .filter(isPending)
    .flatMap(({ address, kind, node, binding }) =>
      node && binding ? [{ address, kind: kind.name, name: nodeName(node), binding }] : [],
    );
}

function unmanagedObjects(context: PlanContext, drafts: readonly Draft[]): readonly Unmanaged[] {
  const taken = new Set(drafts.map(({ live }) => live?.handle));
  return [...context.input.live.nodes.values()]
    .filter(
      ({ handle, facts }) =>
        !context.bindings.addressOf.has(handle) && !taken.has(handle) && facts?.["public"] !== true,
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
  const count = (test: (change: Change) => boolean) => changes.filter(test).length;
  const of = (action: Change["action"]) => count((change) => change.action === action);
  return {
    create: of("create"),
    update: of("update"),
    delete: of("delete"),
    replace: of("replace"),
    import: count((change) => change.importing === true),
    move: count((change) => change.previousAddress !== undefined),
    forget: of("forget"),
    noop: objects - changes.length,
  };
}

function cycleProblem(cycle: readonly string[]): readonly Diagnostic[] {
  if (cycle.length === 0) return [];
  const detail = `found ${cycle.join(" → ")}; expected an order in which each comes after what it needs`;
  return [{ severity: "error", code: "LF3006", summary: "objects depend on each other in a circle", detail }];
}
