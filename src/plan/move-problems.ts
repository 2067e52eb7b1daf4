import { parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { nodeName } from "../model/tree.ts";
import type { Move } from "./match-moves.ts";
import type { ObjectPlan } from "./object-plan.ts";
import { type PlanContext, problemAt } from "./plan-context.ts";
import { selectedWithin } from "./select-targets.ts";

/** Questions about moves that only the user can answer (docs/engine.md, Moves and names). */
export function moveProblems(context: PlanContext, objects: readonly ObjectPlan[]): readonly Diagnostic[] {
  return [...ambiguousMoves(context), ...impossibleMoves(context), ...likelyRenames(context, objects)];
}

/** Keys of which several match several: a wrong guess would destroy history. */
function ambiguousMoves(context: PlanContext): readonly Diagnostic[] {
  const isMeant = selectedWithin(context);
  const touched = context.ambiguousMoves.filter(({ from, to }) => [...from, ...to].some(isMeant));
  return touched.map(({ from, to }) => {
    const lines = likelyMoves(context, from, to).map((move) => `  - { from: ${move.from}, to: ${move.to} }`);
    const detail = `${from.join(", ")} ${are(from)} no longer declared, and ${to.join(", ")} ${are(to)} new with the same content. Say under moved: which became which, or delete the old ones first:\nmoved:\n${lines.join("\n")}`;
    return { severity: "error", code: "LF3011", summary: "it is not clear which object was renamed", detail };
  });
}

function are({ length }: readonly string[]): string {
  return length === 1 ? "is" : "are";
}

/** One line for each that can have moved: those with an unchanged name first, then in order. */
function likelyMoves({ bindings, desired }: PlanContext, from: readonly string[], to: readonly string[]) {
  const nameOf = (address: string) => bindings.byAddress.get(address)?.resource.applied["name"];
  const free = new Set(to);
  const named = from.flatMap((old): readonly Move[] => {
    const name = nameOf(old);
    const same = [...free].find((next) => name !== undefined && desired.nodes.get(next)?.fields["name"] === name);
    if (same !== undefined) free.delete(same);
    return same === undefined ? [] : [{ from: old, to: same }];
  });
  const matched = new Set(named.map((move) => move.from));
  const rest = [...free];
  const others = from.filter((old) => !matched.has(old)).slice(0, rest.length);
  return [...named, ...others.map((old, index) => ({ from: old, to: rest[index] ?? "" }))];
}

/**
 * Declared moves with a live object at both ends: deleting the moved one would be the opposite of the declaration. A
 * target within either end reports them too.
 */
function impossibleMoves(context: PlanContext): readonly Diagnostic[] {
  const { input, bindings, desired } = context;
  if (input.options.destroy) return [];
  const isLive = (address: string) => bindings.byAddress.get(address)?.live !== undefined;
  // A child of its parent's request is another one below another parent.
  const isSame = ({ from, to }: Move) => {
    const live = bindings.byAddress.get(from)?.live;
    const isInline = context.kinds.get(live?.kind ?? "")?.inline !== undefined;
    return !isInline || live?.parent === bindings.byAddress.get(to)?.live?.parent;
  };
  const isForgotten = (address: string) => context.removedBlock(address)?.destroy === false;
  const isMeant = selectedWithin(context);
  return input.moved
    .filter((move) => isLive(move.from) && isLive(move.to) && desired.nodes.has(move.to) && isSame(move))
    .filter(({ from }) => !desired.nodes.has(from) && !isForgotten(from))
    .filter(({ from, to }) => isMeant(from) || isMeant(to))
    .map(({ from, to }) => {
      const detail = `There is an object at ${from} and another one at ${to}. To keep the first, remove the second from the project, apply, and declare the move again; to delete the first, remove the entry from moved:`;
      return { severity: "error", code: "LF3011", summary: `${from} cannot become ${to}`, detail, address: from };
    });
}

/**
 * A delete and a create of one kind with the same parent and name: most likely the key changed along with the content, which no
 * digest can tell. The user may declare the move before history is lost.
 */
function likelyRenames(context: PlanContext, objects: readonly ObjectPlan[]): readonly Diagnostic[] {
  const deleted = new Map(
    objects
      .filter(({ address, change }) => change.action === "delete" && context.bindings.byAddress.has(address))
      .flatMap((object) => (object.live ? [[siblingKey(object, nodeName(object.live)), object.address] as const] : [])),
  );
  if (deleted.size === 0) return [];
  const ambiguous = new Set(context.ambiguousMoves.flatMap(({ to }) => to));
  return objects.flatMap((object): readonly Diagnostic[] => {
    const { address, change, node, kind } = object;
    if (change.action !== "create" || node === undefined || kind.fields["name"] === undefined) return [];
    const from = deleted.get(siblingKey(object, nodeName(node)));
    if (from === undefined || ambiguous.has(address) || context.removedBlock(from)) return [];
    const detail = `${from} is no longer declared and ${address} is new: both have this name, and different content. If it is the same object under another key, say so, and it keeps its id and history:\nmoved:\n  - { from: ${from}, to: ${address} }`;
    const summary = `${address} has the name of ${from}, which would be deleted`;
    return [problemAt(context, address, { severity: "warning", code: "LF3018", summary, detail })];
  });
}

function siblingKey({ address, kind }: ObjectPlan, name: string): string {
  return JSON.stringify([kind.name, parentAddress(address) ?? "", name]);
}
