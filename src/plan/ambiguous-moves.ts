import type { Diagnostic } from "../model/diagnostic.ts";
import type { Move } from "./moved-address.ts";
import type { PlanContext } from "./plan-context.ts";
import { selectedWithin } from "./selected-within.ts";

/** Keys of which it is not clear which became which: a missed move destroys history, so the user says (docs/engine.md, Moves and names). */
export function ambiguousMoves(context: PlanContext): readonly Diagnostic[] {
  const isMeant = selectedWithin(context);
  const touched = context.ambiguousMoves.filter(({ from, to }) => [...from, ...to].some(isMeant));
  return touched.map(({ from, to }) => {
    const lines = likelyMoves(context, from, to).map((move) => `  - { from: ${move.from}, to: ${move.to} }`);
    const detail = `found ${from.join(", ")} gone and ${to.join(", ")} new with the same content; expected to be told which became which. Put under moved: what is right, or remove the old ones first:\nmoved:\n${lines.join("\n")}`;
    return { severity: "error", code: "LF3011", summary: "it is not clear which object was renamed", detail };
  });
}

/** One line for each that can have moved: what kept its name first, then in order. */
function likelyMoves(
  { bindings, desired }: PlanContext,
  from: readonly string[],
  to: readonly string[],
): readonly Move[] {
  const nameOf = (address: string) => bindings.byAddress.get(address)?.resource.applied["name"];
  const free = new Set(to);
  const named = from.flatMap((old): readonly Move[] => {
    const name = nameOf(old);
    const same = [...free].find((next) => name !== undefined && desired.nodes.get(next)?.fields["name"] === name);
    if (same !== undefined) free.delete(same);
    return same === undefined ? [] : [{ from: old, to: same }];
  });
  const settled = new Set(named.map((move) => move.from));
  const rest = [...free];
  const others = from.filter((old) => !settled.has(old)).slice(0, rest.length);
  return [...named, ...others.map((old, index) => ({ from: old, to: rest[index] ?? "" }))];
}
