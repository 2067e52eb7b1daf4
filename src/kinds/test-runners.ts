import {
  byText,
  canonicalJson,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  mappingsIn,
  withoutAbsent,
} from "../model/json.ts";
import type { Taken } from "../model/kind.ts";
import { splitWords } from "./field-parts.ts";

/** Parameters of a test runner that are fields of their own. */
export const ownParams: readonly string[] = ["regions", "weight", "concurrentClients"];

/**
 * One test runner in normal form (docs/engine.md, Diff): regions sorted, each with its weight; `numRegions` left out
 * when it is the number of named regions, or one and none is named; further parameters as strings.
 */
export function normalTestRunner(value: Json): Json {
  if (!isObject(value)) return value;
  const regions = normalRegions(value);
  const { provider, numRegions, concurrentClients, params } = value;
  const strings = isObject(params) ? Object.entries(params).map(([key, each]) => [key, asString(each)]) : [];
  return withoutAbsent({
    provider,
    regions: regions.length > 0 ? regions : undefined,
    numRegions: numRegions === Math.max(1, regions.length) ? undefined : numRegions,
    concurrentClients,
    weight: regions.length === 0 ? value.weight : undefined,
    params: strings.length > 0 ? Object.fromEntries(strings) : undefined,
  });
}

function normalRegions(value: JsonObject): readonly Json[] {
  const given = value.weight;
  const weights: readonly Json[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const pairs = itemsOf(value.regions).map((region, index): Json => {
    const weight = weights.length === 1 ? weights[0] : weights[index];
    return isObject(region) || weight === undefined ? region : { name: region, weight };
  });
  const compare = (left: Json, right: Json) => byText(canonicalJson(left), canonicalJson(right));
  const isOrdered = pairs.every((pair, index) => index === 0 || compare(pairs[index - 1] ?? null, pair) <= 0);
  return isOrdered ? pairs : pairs.sort(compare);
}

/** One test runner as users write it: names of regions, and one weight for all or one for each. */
export function spellTestRunner(normal: Json): Json {
  if (!isObject(normal) || !Array.isArray(normal.regions)) return normal;
  const regions: readonly Json[] = normal.regions;
  const weighted = regions.filter(isObject);
  if (weighted.length === 0) return normal;
  const weights = weighted.map(({ weight }) => weight ?? 1);
  const isEven = weighted.length === regions.length && new Set(weights).size === 1;
  const { provider, numRegions, concurrentClients, params } = normal;
  return withoutAbsent({
    provider,
    regions: [...weighted.map(({ name }) => name ?? ""), ...regions.filter((region) => !isObject(region))],
    numRegions,
    concurrentClients,
    weight: isEven ? weights[0] : weights,
    params,
  });
}

/** The regions of each test runner in normal form, which its provider has to have. */
export function takenRegions({ providers }: JsonObject): readonly Taken[] {
  return mappingsIn(providers).map(([, { provider = null, regions }]) => ({
    field: "providers",
    kind: "region",
    from: provider,
    names: itemsOf(regions).map((region) => String(isObject(region) ? region.name : region)),
  }));
}

/** Test runners of an answer in the shape that users write. */
export function readTestRunners(wire: JsonObject): Json | undefined {
  const runners = wire.providers;
  return Array.isArray(runners) ? runners.filter(isObject).map(readTestRunner) : undefined;
}

function readTestRunner(wire: JsonObject): JsonObject {
  const params = isObject(wire.params) ? wire.params : {};
  const provider = isObject(wire.provider) ? wire.provider.id : wire.providerId;
  const others = Object.entries(params).filter(([key]) => !ownParams.includes(key));
  const weight = splitWords(params.weight).map(Number);
  return withoutAbsent({
    provider: provider === undefined ? undefined : { id: provider },
    regions: splitWords(params.regions),
    numRegions: wire.numRegions ?? undefined,
    concurrentClients: params.concurrentClients === undefined ? undefined : Number(params.concurrentClients),
    weight: weight.length > 0 ? weight : undefined,
    params: others.length > 0 ? Object.fromEntries(others) : undefined,
  });
}

/** Test runners as a request carries them: `params` are strings. */
export function writeTestRunners(value: Json): Json {
  return Array.isArray(value) ? value.filter(isObject).map(writeTestRunner) : value;
}

function writeTestRunner(runner: JsonObject): JsonObject {
  const regions = itemsOf(runner.regions);
  const weights = regions.map((region) => (isObject(region) ? region.weight : undefined));
  const weight = weights.every((each) => each === undefined) ? runner.weight : weights.map((each) => each ?? 1);
  const named = regions.map((region) => (isObject(region) ? region.name : region)).join(",");
  return withoutAbsent({
    providerId: runner.provider,
    numRegions: runner.numRegions ?? (regions.length > 0 ? regions.length : undefined),
    params: withoutAbsent({
      ...(isObject(runner.params) ? runner.params : {}),
      regions: named === "" ? undefined : named,
      concurrentClients: runner.concurrentClients === undefined ? undefined : asString(runner.concurrentClients),
      weight: weight === undefined ? undefined : asString(weight),
    }),
  });
}

function asString(value: Json): string {
  if (Array.isArray(value)) return value.map(asString).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}
