/** A source of numbers that a seed repeats. */
export interface Draw {
  /** A whole number from 0 up to but without `limit`. */
  readonly below: (limit: number) => number;
  /** True once in `times`. */
  readonly once: (times: number) => boolean;
  readonly of: <T>(from: readonly [T, ...T[]]) => T;
}

/** Draws from a seed (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, once: (times) => below(times) === 0, of: (from) => from[below(from.length)] ?? from[0] };
}

/** What a number picks, if there is anything. */
export function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % Math.max(from.length, 1)];
}
