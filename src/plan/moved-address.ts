import { isWithin } from "../model/address.ts";

/** A rename of an address, for itself and all below. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Where an address stands once all moves are made, one after the other. A move that is done, whose new address is bound
 * already, may stay in the file, so it moves nothing; unless what is bound there moves on itself, and then both move one
 * step. A move within what another one moved is said from where that leads.
 */
export function movedAddress(
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
    const here = at;
    const move = left.find(({ from }) => isWithin(here, from));
    if (move === undefined) return at;
    const next = move.to + at.slice(move.from.length);
    const isHeld = isBound(move.to);
    const isDone = isHeld && isBound(move.from) && staysAt(move.to);
    left = left.filter((each) => each !== move && (!isHeld || isDone || each.from.startsWith(`${move.to}/`)));
    if (!isDone && !(isBound(next) && staysAt(next))) at = next;
  }
}
