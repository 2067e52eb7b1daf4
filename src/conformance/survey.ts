import type { Wire } from "./wire-values.ts";

/** The answers that the replica is made of: the whole tree of one organization as the service lists it. */
export interface Survey {
  readonly organization: number;
  readonly login: unknown;
  readonly organizationData: unknown;
  readonly testCases: readonly Wire[];
  /** Scenarios with their texts, as far as they were asked for by themselves. */
  readonly scenarios: readonly Wire[];
  readonly providers: readonly Wire[];
  readonly vcsRoots: readonly Wire[];
  readonly tags: readonly Wire[];
  /** Recordings by their gateway. */
  readonly recordings: readonly { readonly gatewayId: number; readonly wire: Wire }[];
}

const most = 3;

/** The first, the last and one between: what is asked for one by one. */
export function sampled<T>(items: readonly T[]): readonly T[] {
  if (items.length <= most) return items;
  return [0, Math.floor(items.length / 2), items.length - 1].flatMap((index) => items.slice(index, index + 1));
}
