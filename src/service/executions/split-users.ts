import type { Scope } from "../core/scope.ts";
import { wordsOf } from "../rules/read-runners.ts";
import type { ConfigurationRecord, RunnerRecord } from "../store/records/configurations.ts";
import type { ExecutionRegionRecord } from "../store/records/executions.ts";

/** Users that one runner makes (API 2, Default resources: 2 vCPU and 8 GB for 100 virtual users). */
const usersOfRunner = 100;

/** Most users of a run: with many more of them nobody else would be answered. */
export const mostUsers = 100_000;

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

/** The fields of a configuration that users are split by. */
type SplitLoad = Pick<ConfigurationRecord, "providers" | "profileType" | "concurrentClients">;

/** A region of a run with its users, before there is a run. */
interface RegionShare {
  readonly id: number | null;
  readonly name: string;
  readonly providerId: number;
  readonly users: number;
  /** Numbers given for its provider: `instances` of the whole run, or `ownInstances` of this region. */
  readonly instances: number | undefined;
  readonly ownInstances: number | undefined;
}

/** Users of a run in all its regions. */
export function usersOfRun(load: SplitLoad, scope: Scope): number {
  return sharesOf(load, scope).reduce((sum, { users }) => sum + users, 0);
}

/** The regions of a run with their users, by its configuration; one of more users than can be computed has none. */
export function splitRunners(load: SplitLoad, scope: Scope): readonly ExecutionRegionRecord[] {
  const isBeyond = usersOfRun(load, scope) > mostUsers;
  const shares = sharesOf(load, scope).map((share) => (isBeyond ? { ...share, users: 0 } : share));
  const counts = chunkCounts(shares);
  return shares.map(({ id, name, providerId, users }, index) => ({
    id: scope.store.takeId("executionRegion"),
    regionId: id ?? makeCloudRegion(name, providerId, scope),
    regionName: name,
    concurrentClients: users,
    chunks: chunksOf(users, counts[index] ?? 1, scope),
  }));
}

/** API 2, Region: those of a CloudOnDemand test are created for it, and again used by a later one. */
function makeCloudRegion(name: string, providerId: number, { store }: Scope): number | null {
  if (store.get("provider", providerId)?.providerType !== "CloudOnDemand") return null;
  const known = store.where("region", "providerId", providerId).find((each) => each.name === name);
  return (known ?? store.insert("region", { providerId, name, description: null, active: false, location: null })).id;
}

/** DECISION (API 1, Limits): the users of a BreakingPoint run are the account maximum, split evenly over its regions. */
function sharesOf({ providers, profileType, concurrentClients = 0 }: SplitLoad, scope: Scope): readonly RegionShare[] {
  const shares = providers.flatMap((runner) => sharesOfRunner(runner, concurrentClients, scope));
  if (profileType !== "BreakingPoint" || shares.length === 0) return shares;
  const even = splitUsers(scope.settings.accountMaximum, Array<number>(shares.length).fill(1));
  return shares.map((share, index) => ({ ...share, users: even[index] ?? 0 }));
}

function sharesOfRunner(runner: RunnerRecord, standard: number, scope: Scope): readonly RegionShare[] {
  const places = placesOf(runner, scope);
  const { params } = runner;
  const weights = wordsOf(params["weight"]).map(Number);
  const perRegion = params["concurrentClients"] === undefined ? standard : Number(params["concurrentClients"]);
  const even = weights.length === places.length ? weights : places.map(() => 1);
  const users = splitUsers(perRegion * places.length, even);
  const own = wordsOf(params["instancesPerRegion"]);
  const instances = countOf(params["instances"]);
  return places.map((place, index) => ({
    ...place,
    providerId: runner.providerId,
    users: users[index] ?? 0,
    instances,
    ownInstances: countOf(own[index]),
  }));
}

/** Other texts than numbers, such as auto, say nothing. */
function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : undefined;
}

/**
 * DECISION (API 2, Chunk: how the users of a region are split): evenly over as many chunks as runners are needed, of at most 100 users each.
 * Where `instances` are given a run has so many, over its regions in proportion to their users, where those of a region are given, that
 * region; a region has at least one, and none has more than users.
 */
function chunkCounts(shares: readonly RegionShare[]): readonly number[] {
  const instances = shares.find((share) => share.instances !== undefined)?.instances;
  const users = shares.map((share) => share.users);
  const total = users.reduce((sum, each) => sum + each, 0);
  const spread = instances === undefined || total === 0 ? undefined : splitUsers(instances, users);
  return shares.map((share, index) => {
    const wanted = share.ownInstances ?? spread?.[index] ?? Math.ceil(share.users / usersOfRunner);
    return Math.max(1, Math.min(wanted, share.users));
  });
}

function chunksOf(users: number, count: number, { store, digest }: Scope): ExecutionRegionRecord["chunks"] {
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
