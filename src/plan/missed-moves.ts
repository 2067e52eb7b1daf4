import { parentAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { nodeName } from "../model/tree.ts";
import type { Draft } from "./draft.ts";
import type { PlanContext } from "./plan-context.ts";
import { problemAt } from "./plan-context.ts";

/**
 * Objects that go while a new one of their kind, place and name comes: most likely the key changed along with the content,
 * which no digest can tell (docs/engine.md, Moves and names). The user may say so before history is lost.
 */
export function missedMoves(context: PlanContext, drafts: readonly Draft[]): readonly Diagnostic[] {
  const going = new Map(
    drafts
      .filter(({ address, change }) => change.action === "delete" && context.bindings.byAddress.has(address))
      .flatMap((draft) => (draft.live ? [[placeOf(draft, nodeName(draft.live)), draft.address] as const] : [])),
  );
  if (going.size === 0) return [];
  const asked = new Set(context.ambiguousMoves.flatMap(({ to }) => to));
  return drafts.flatMap((draft): readonly Diagnostic[] => {
    const { address, change, node, kind } = draft;
    if (change.action !== "create" || node === undefined || kind.fields["name"] === undefined) return [];
    const from = going.get(placeOf(draft, nodeName(node)));
    if (from === undefined || asked.has(address)) return [];
    const detail = `found ${from} gone and ${address} new, both of this name, with different content. If it is the same object under another key, it keeps its id and history when that is said:\nmoved:\n  - { from: ${from}, to: ${address} }`;
    const summary = `${address} has the name of ${from}, which would be deleted`;
    return [{ ...problemAt(context, address, { code: "LF3018", summary, detail }), severity: "warning" }];
  });
}

function placeOf({ address, kind }: Draft, name: string): string {
  return JSON.stringify([kind.name, parentAddress(address) ?? "", name]);
}
