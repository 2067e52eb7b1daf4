import { isWithin } from "../model/address.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { State, StateResource } from "../state/state.ts";

/** A rename of an address, for itself and all below. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Where every bound address stands once all moves are made. */
export function movedAddresses(resources: State["resources"], moves: readonly Move[]): ReadonlyMap<string, string> {
  const isBound = (address: string) => address in resources;
  return new Map(Object.keys(resources).map((address) => [address, movedAddress(address, moves, isBound)]));
}

/** Bindings where they moved, with every reference led there too. */
export function movedBindings(
  resources: State["resources"],
  moved: ReadonlyMap<string, string>,
): Readonly<Record<string, StateResource>> {
  const entries = Object.entries(resources).map(([address, resource]): [string, StateResource] => [
    moved.get(address) ?? address,
    { ...resource, applied: followReferences(resource.applied, moved) },
  ]);
  return Object.fromEntries(entries);
}

/**
 * Where an address stands once all moves are made, one after the other, the closest first. A move that is done, whose new
 * address is bound already, may stay in the file, so it moves nothing; unless what is bound there moves on itself, and then
 * both move one step. A move within what another one moved is said from where that leads.
 */
function movedAddress(
  address: string,
  moves: readonly Move[],
  isBound: (address: string) => boolean,
  on: readonly string[] = [],
): string {
  const path = [...on, address];
  const staysAt = (next: string) => path.includes(next) || movedAddress(next, moves, isBound, path) === next;
  let at = address;
  let left = moves;
  for (;;) {
    const move = closestMove(at, left);
    if (move === undefined) return at;
    const next = move.to + at.slice(move.from.length);
    const isHeld = isBound(move.to);
    const isDone = isHeld && isBound(move.from) && staysAt(move.to);
    left = left.filter((each) => each !== move && (!isHeld || isDone || each.from.startsWith(`${move.to}/`)));
    if (!isDone && !(isBound(next) && staysAt(next))) at = next;
  }
}

/** What is said of an object itself comes before what is said of those around it. */
function closestMove(address: string, moves: readonly Move[]): Move | undefined {
  let closest: Move | undefined;
  for (const move of moves)
    if (isWithin(address, move.from) && move.from.length > (closest?.from.length ?? 0)) closest = move;
  return closest;
}

/** Fields with every reference led to where its address moved. */
export function followReferences(fields: JsonObject, moved: ReadonlyMap<string, string>): JsonObject {
  const follow = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isObject(value)) return value;
    const { ref } = value;
    if (typeof ref === "string") return moved.has(ref) ? { ref: moved.get(ref) ?? ref } : value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, follow(member)]));
  };
  return follow(fields) as JsonObject;
}
