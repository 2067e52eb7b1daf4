import { lastStep } from "../model/address.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { pathOfAddress } from "./declared-object.ts";
import type { DocumentPath, Report } from "./place.ts";

/** An object whose key changed. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** An object that is no longer declared: destroyed as usual, or forgotten. */
export interface Removed {
  readonly address: string;
  readonly destroy: boolean;
}

/** What the blocks are checked against. */
export interface MoveContext {
  readonly kinds: readonly AnyKind[];
  readonly declared: { has(address: string): boolean; keys(): Iterable<string> };
  readonly report: Report;
}

/** The `moved` blocks; each leads from an address that is free to one that is declared (engine.md 2.12). */
export function readMoved(document: JsonObject, context: MoveContext): readonly Moved[] {
  const blocks = entries(document.moved).flatMap(([index, block]) => {
    const { from, to } = block;
    return typeof from === "string" && typeof to === "string" ? [{ index, from, to }] : [];
  });
  const sources = blocks.map(({ from }) => from);
  return blocks
    .filter((block) => isSound(block, sources, context))
    .map(({ from, to }) => ({ from, to }));
}

function isSound(
  { index, from, to }: Moved & { readonly index: number },
  sources: readonly string[],
  context: MoveContext,
): boolean {
  const path = ["moved", index];
  const areAddresses = [
    isAddress(from, [...path, "from"], context),
    isAddress(to, [...path, "to"], context),
  ].every(Boolean);
  if (!areAddresses) return false;
  const { declared } = context;
  if (lastStep(from).kind !== lastStep(to).kind)
    return refuse(context, [...path, "to"], "an object cannot become another kind", `found a move from ${from} to ${to}; expected the same kind`);
  if (declared.has(from))
    return refuse(context, [...path, "from"], `${from} is still declared`, `found ${from} in the project; expected it gone: its objects are at ${to} now`);
  if (sources.indexOf(from) !== index && sources.filter((each) => each === from).length > 1 && sources.indexOf(from) < index)
    return refuse(context, [...path, "from"], `${from} moves twice`, `found a second move of ${from}; expected one`);
  if (declared.has(to) || sources.includes(to)) return true;
  const hint = didYouMean(to, declared.keys());
  return refuse(context, [...path, "to"], `${to} is not declared`, `found a move to ${to}; expected an address of the project.${hint}`);
}

/** The `removed` blocks; each names an address that is not declared any more. */
export function readRemoved(document: JsonObject, context: MoveContext): readonly Removed[] {
  return entries(document.removed).flatMap(([index, { address, destroy }]) => {
    const path = ["removed", index, "address"];
    if (typeof address !== "string" || !isAddress(address, path, context)) return [];
    if (!context.declared.has(address)) return [{ address, destroy: String(destroy ?? true) === "true" }];
    refuse(context, path, `${address} is still declared`, `found ${address} in the project; expected it gone: remove its block too`);
    return [];
  });
}

function entries(blocks: Json | undefined): readonly (readonly [number, JsonObject])[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((block: Json, index): [number, JsonObject][] => (isObject(block) ? [[index, block]] : []));
}

function isAddress(text: string, path: DocumentPath, context: MoveContext): boolean {
  if (pathOfAddress(text, context.kinds) !== undefined) return true;
  const detail = `found ${text}; expected kinds and keys from the top down, e.g. testCase.checkout/scenario.browse`;
  return refuse(context, path, `${text} is no address`, detail);
}

function refuse({ report }: MoveContext, path: DocumentPath, summary: string, detail: string): false {
  report({ severity: "error", code: "LF1306", summary, detail, place: { path, at: "value" } });
  return false;
}
