import { isWithin, lastStep, parseAddress, pathOfAddress } from "../model/address.ts";
import type { Diagnostic, DocumentPath } from "../model/diagnostic.ts";
import { hinted } from "../model/did-you-mean.ts";
import { type JsonObject, mappingsIn } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { Report } from "./collect-problems.ts";

/** An object whose key changed. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** Objects that are no longer declared: destroyed as usual, or forgotten. */
export interface Removed {
  /** Or a glob; what is below counts, too. */
  readonly address: string;
  readonly destroy: boolean;
}

export interface MoveContext {
  readonly kinds: readonly AnyKind[];
  readonly declared: () => { has(address: string): boolean; keys(): Iterable<string> };
  readonly report: Report;
}

interface MoveBlock extends Moved {
  readonly path: DocumentPath;
}

/** The `moved` blocks; each leads from an address that is free to one that is declared (docs/engine.md, Moves and names). */
export function readMoved(document: JsonObject, context: MoveContext): readonly Moved[] {
  const blocks = mappingsIn(document.moved).flatMap(([index, { from, to }]): MoveBlock[] =>
    typeof from === "string" && typeof to === "string" ? [{ path: ["moved", index], from, to }] : [],
  );
  return blocks
    .filter((block, index) => isSound(block, { ...context, earlier: blocks.slice(0, index), all: blocks }))
    .map(({ from, to }) => ({ from, to }));
}

function isSound(
  { path, from, to }: MoveBlock,
  context: MoveContext & { readonly earlier: readonly MoveBlock[]; readonly all: readonly MoveBlock[] },
): boolean {
  const { declared, earlier, all } = context;
  const atFrom = [...path, "from"];
  const atTo = [...path, "to"];
  const refuse = (at: DocumentPath, summary: string, detail: string) => refuseBlock(context, at, { summary, detail });
  const isFrom = isAddress(from, atFrom, context);
  if (!isAddress(to, atTo, context) || !isFrom) return false;
  if (lastStep(from).kind !== lastStep(to).kind)
    return refuse(atTo, "an object cannot become another kind", `${from} and ${to} must be of the same kind`);
  const contradiction = `The project declares ${from}, but this move makes it ${to}: remove the declaration or the move`;
  if (declared().has(from)) return refuse(atFrom, `${from} is still declared`, contradiction);
  if (earlier.some((block) => block.from === from))
    return refuse(atFrom, `${from} moves twice`, "An object can move only once: remove one of its moves");
  const other = earlier.find((block) => block.to === to);
  if (other !== undefined)
    return refuse(atTo, `two objects move to ${to}`, `Remove the move of ${other.from} or that of ${from}`);
  const leadsOn = (block: Moved) => isWithin(to, block.from) && declared().has(block.to + to.slice(block.from.length));
  if (declared().has(to) || all.some((block) => block.from === to || leadsOn(block))) return true;
  const hint = hinted("The move leads to no address of the project", { found: to, among: declared().keys() });
  return refuseBlock(context, atTo, { summary: `${to} is not declared`, ...hint });
}

/** The `removed` blocks; each names an address that is no longer declared, or many by a glob. */
export function readRemoved(document: JsonObject, context: MoveContext): readonly Removed[] {
  const earlier = new Map<string, boolean>();
  return mappingsIn(document.removed).flatMap(([index, { address, destroy }]) => {
    const path = ["removed", index, "address"];
    if (typeof address !== "string" || !isAddress(address, path, context, true)) return [];
    const entry = { address, destroy: String(destroy ?? true) === "true" };
    const isOpposed = earlier.get(address) === !entry.destroy;
    earlier.set(address, entry.destroy);
    if (!isOpposed && !context.declared().has(address)) return [entry];
    const words = isOpposed
      ? { summary: `${address} is both deleted and forgotten`, detail: "Remove one of its entries under removed:" }
      : { summary: `${address} is still declared`, detail: "The project still declares it: remove its block, too" };
    refuseBlock(context, path, words);
    return [];
  });
}

/** Refuses what is no address and, where that may be, no glob for addresses. */
function isAddress(text: string, path: DocumentPath, context: MoveContext, mayBeGlob = false): boolean {
  const isPlain = parseAddress(text) !== undefined && pathOfAddress(text, context.kinds) !== undefined;
  if (isPlain || (mayBeGlob && /[*?]/.test(text) && isGlob(text, context))) return true;
  const detail = `An address is kinds and keys from the top down, e.g. testCase.checkout/scenario.browse${text.includes("${") ? "; nothing is replaced here" : ""}`;
  return refuseBlock(context, path, { summary: `${text} is not an address`, detail });
}

function isGlob(text: string, { kinds }: MoveContext): boolean {
  // The kind above, undefined at the top, "*" where it may be any.
  let above: string | undefined;
  return text.split("/").every((step) => {
    const [kind = "", key] = step.split(".", 2);
    const isWild = /[*?]/.test(kind);
    const possible = kinds.filter(
      ({ name, parent }) => (above === "*" ? parent !== undefined : parent === above) && (isWild || name === kind),
    );
    above = isWild ? "*" : kind;
    return /^[\w.*?-]+$/.test(step) && possible.length > 0 && (isWild || key !== undefined);
  });
}

function refuseBlock(
  { report }: MoveContext,
  path: DocumentPath,
  words: Pick<Diagnostic, "summary" | "detail" | "suggestion">,
): false {
  report({ severity: "error", code: "LF1306", ...words, place: { path, at: "value" } });
  return false;
}
