import type { BegunIteration, SimulatedRegion } from "./simulate-region.ts";

/**
 * The users of all regions, in the order in which they make their requests: how an overloaded target answers depends on who is
 * there at that moment, and for that it has to be known who has left.
 */
export class SimulatedCrowd {
  readonly #regions: readonly SimulatedRegion[];
  readonly #users: readonly { readonly region: SimulatedRegion; readonly user: number }[];
  readonly #queue: UserQueue;
  readonly #underWay = new Map<number, BegunIteration>();
  /** When users start and when they finish, in rising order. */
  #starts: Float64Array;
  #finishes: number[] = [];

  constructor(regions: readonly SimulatedRegion[]) {
    this.#regions = regions;
    this.#users = regions.flatMap((region) => Array.from(region.starts, (_, user) => ({ region, user })));
    this.#queue = new UserQueue(regions.flatMap(({ starts }) => [...starts]));
    this.#starts = Float64Array.from(regions.flatMap(({ starts }) => [...starts])).sort();
  }

  /** Simulates all that begins before a moment; from `endMs` on the iterations under way alone. */
  advance(untilMs: number, endMs: number): void {
    this.#takeSteps(Math.min(untilMs, endMs), endMs);
    if (untilMs < endMs) return;
    this.#leave(endMs);
    this.#takeSteps(untilMs, endMs);
  }

  #takeSteps(untilMs: number, endMs: number): void {
    for (let atMs = this.#queue.firstMs; atMs < untilMs; atMs = this.#queue.firstMs)
      this.#queue.putOff(this.#step(this.#queue.first, atMs, endMs));
  }

  /** Makes the requests of a user that are due; answers when its next one is. */
  #step(index: number, atMs: number, endMs: number): number {
    const { region, user } = this.#users[index] ?? {};
    if (region === undefined || user === undefined) return Number.POSITIVE_INFINITY;
    const known = this.#underWay.get(index);
    if (known === undefined && region.next[user] !== atMs) return Number.POSITIVE_INFINITY;
    const iteration = known ?? region.begin(user, atMs);
    while (region.isUnderWay(iteration)) {
      const dueMs = region.requestMs(iteration);
      if (dueMs > atMs) {
        this.#underWay.set(index, iteration);
        return dueMs;
      }
      region.request(iteration, countUpTo(this.#starts, dueMs) - countUpTo(this.#finishes, dueMs));
    }
    region.end(iteration, endMs);
    this.#underWay.delete(index);
    const finishMs = region.finishes[user] ?? Number.POSITIVE_INFINITY;
    if (finishMs !== Number.POSITIVE_INFINITY) this.#finishes.splice(countUpTo(this.#finishes, finishMs), 0, finishMs);
    return region.next[user] ?? Number.POSITIVE_INFINITY;
  }

  /** The run ends: who waits for its next iteration leaves, and nobody starts any more. */
  #leave(endMs: number): void {
    for (const region of this.#regions) region.leave(endMs);
    this.#starts = this.#starts.filter((at) => at < endMs);
    const all = this.#regions.flatMap(({ finishes }) => [...finishes]);
    this.#finishes = all.filter((at) => at > 0 && at !== Number.POSITIVE_INFINITY).sort((left, right) => left - right);
  }
}

/** Users by what is due next; of one moment the first of them first. */
class UserQueue {
  readonly #moments: Float64Array;
  /** Each is due no later than the two at twice its place. */
  readonly #heap: Uint32Array;

  constructor(moments: readonly number[]) {
    this.#moments = Float64Array.from(moments);
    this.#heap = Uint32Array.from(moments.keys()).sort((left, right) => (this.#isBefore(left, right) ? -1 : 1));
  }

  get first(): number {
    return this.#heap[0] ?? 0;
  }

  /** Infinite when nothing is due. */
  get firstMs(): number {
    return this.#moments[this.first] ?? Number.POSITIVE_INFINITY;
  }

  /** The first is due at another moment, not before this one. */
  putOff(ms: number): void {
    const heap = this.#heap;
    const moved = this.first;
    this.#moments[moved] = ms;
    let place = 0;
    for (let child = this.#earlier(1, 2); child < heap.length; child = this.#earlier(2 * place + 1, 2 * place + 2)) {
      const other = heap[child] ?? 0;
      if (!this.#isBefore(other, moved)) break;
      heap[place] = other;
      place = child;
    }
    heap[place] = moved;
  }

  #earlier(left: number, right: number): number {
    return right < this.#heap.length && this.#isBefore(this.#heap[right] ?? 0, this.#heap[left] ?? 0) ? right : left;
  }

  #isBefore(left: number, right: number): boolean {
    const [one = 0, other = 0] = [this.#moments[left], this.#moments[right]];
    return one < other || (one === other && left < right);
  }
}

/** Number of these rising numbers that are at most `most`. */
export function countUpTo(rising: ArrayLike<number>, most: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
