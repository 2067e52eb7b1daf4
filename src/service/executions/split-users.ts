import type { Scope } from "../core/scope.ts";
import { wordsOf } from "../rules/read-runners.ts";
import type { RunnerRecord } from "../store/records/configurations.ts";
import type { ExecutionRegionRecord } from "../store/records/executions.ts";

/** Users that one runner makes (API 2, Default resources: 2 vCPU and 8 GB for 100 virtual users). */
const usersOfRunner = 100;

/** DECISION (API 1, Provider configuration): users × regions is split by weight, largest remainder, ties to the earlier. */
export function splitUsers(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((left, right) => left + right, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const floors = exact.map(Math.floor);
  const left = total - floors.reduce((one, other) => one + other, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, rest: value - Math.floor(value) }))
    .sort((one, other) => other.rest - one.rest || one.index - other.index);
  const lucky = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return floors.map((value, index) => value + (lucky.has(index) ? 1 : 0));
}

/** The regions of a run with their users, by the provider configurations of its configuration. */
export function splitRunners(
  runners: readonly RunnerRecord[],
  standard: number,
  scope: Scope,
): readonly ExecutionRegionRecord[] {
  return runners.flatMap((runner) => splitRunner(runner, standard, scope));
}

function splitRunner(runner: RunnerRecord, standard: number, scope: Scope): readonly ExecutionRegionRecord[] {
  const places = placesOf(runner, scope);
  const weights = wordsOf(runner.params["weight"]).map(Number);
  const perRegion =
    runner.params["concurrentClients"] === undefined ? standard : Number(runner.params["concurrentClients"]);
  const even = weights.length === places.length ? weights : places.map(() => 1);
  const users = splitUsers(perRegion * places.length, even);
  return places.map(({ id, name }, index) => ({
    id: scope.store.takeId("executionRegion"),
    regionId: id,
    regionName: name,
    concurrentClients: users[index] ?? 0,
    chunks: chunksOf(users[index] ?? 0, scope),
  }));
}

/** DECISION (API 2, Chunk: how the users of a region are split): over as many chunks as runners are needed, of at most 100 users each, evenly. */
function chunksOf(users: number, { store, digest }: Scope): ExecutionRegionRecord["chunks"] {
  const count = Math.max(1, Math.ceil(users / usersOfRunner));
  return splitUsers(users, Array<number>(count).fill(1)).map((concurrentClients) => {
    const id = store.takeId("chunk");
    return { id, agent: uuidOf(digest(`agent of chunk ${id}`)), concurrentClients };
  });
}

/** A UUID of the digits of a digest. */
function uuidOf(digest: string): string {
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `4${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
}

interface Placed {
  readonly id: number | null;
  readonly name: string;
}

/** DECISION (API 1, Provider configuration): the named regions, else that many active ones in id order. */
function placesOf(runner: RunnerRecord, { store }: Scope): readonly Placed[] {
  const regions = store.where("region", "providerId", runner.providerId);
  const named = wordsOf(runner.params["regions"]);
  if (named.length === 0) return regions.filter((region) => region.active).slice(0, runner.numRegions);
  return named.map((word) => {
    const region = regions.find((each) => each.name === word || String(each.id) === word);
    return { id: region?.id ?? null, name: region?.name ?? word };
  });
}
