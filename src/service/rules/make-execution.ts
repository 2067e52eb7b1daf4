import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ConfigurationRecord, RunnerRecord } from "../store/records/configurations.ts";
import type { ExecutionRecord, ExecutionRegionRecord } from "../store/records/executions.ts";
import { ownerOf } from "./access.ts";
import { wordsOf } from "./read-runners.ts";
import { parseParams } from "./script-params.ts";
import type { StartOptions } from "./start-options.ts";
import { registerTags } from "./tags.ts";

/**
 * DECISION (API 2, POST /test-confs/:confId/executions): a run that completes at once, with the tags of its scenario;
 * an engine that runs load is to replace this.
 */
export function makeExecution(
  configuration: ConfigurationRecord,
  given: Readonly<Record<string, JsonValue>>,
  scope: Scope & { readonly options?: StartOptions },
): ExecutionRecord {
  const { store } = scope;
  const scenario = store.get("scenario", configuration.scriptId);
  const encrypted = new Set(scenario?.paramsConfig.filter((each) => each.encrypted).map((each) => each.name));
  const params = Object.entries({ ...parseParams(configuration.scriptParams), ...given });
  const readable = params.map(([name, value]): [string, JsonValue] => [name, encrypted.has(name) ? null : value]);
  const tags = [...new Set([...(scenario?.tags ?? []), ...(scope.options?.tags ?? [])])];
  const organization = ownerOf(store, "configuration", configuration);
  if (organization !== undefined) registerTags(tags, organization, scope);
  const now = store.now();
  const regions = configuration.providers.flatMap((runner) =>
    splitRunner(runner, configuration.concurrentClients ?? 0, scope),
  );
  return store.insert("execution", {
    configurationId: configuration.id,
    startedAt: now,
    finishedAt: now,
    running: false,
    allocated: true,
    completed: true,
    cancelledByUser: false,
    success: true,
    iterations: configuration.iterations ?? null,
    iterationSleepSecs: configuration.iterationSleepSecs,
    rampupSecs: configuration.rampupSecs ?? null,
    concurrentClients: regions.reduce((sum, each) => sum + each.concurrentClients, 0),
    scriptParams: JSON.stringify(Object.fromEntries(readable)),
    tags,
    regions,
  });
}

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

function splitRunner(runner: RunnerRecord, standard: number, scope: Scope): readonly ExecutionRegionRecord[] {
  const places = placesOf(runner, scope);
  const weights = wordsOf(runner.params["weight"]).map(Number);
  const perRegion =
    runner.params["concurrentClients"] === undefined ? standard : Number(runner.params["concurrentClients"]);
  const even = weights.length === places.length ? weights : places.map(() => 1);
  const users = splitUsers(perRegion * places.length, even);
  return places.map(({ id, name }, index) => ({
    id: scope.store.takeId("executionRegion"),
    chunkId: scope.store.takeId("chunk"),
    regionId: id,
    regionName: name,
    concurrentClients: users[index] ?? 0,
  }));
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
