import { isSecretMark } from "./fingerprint.ts";
import { isObject, itemsOf, type Json, type JsonObject } from "./json.ts";

/** The users of a run in one of its regions, or in each of several that are not named. */
export interface RegionUsers {
  /** Absent where none is named: the service chooses. */
  readonly name?: string;
  readonly users: number;
  /** Number of regions with so many users; one where it is named. */
  readonly count: number;
}

/** The users of one test runner. */
export interface RunnerLoad {
  /** Users per region, before weights shift them. */
  readonly users: number;
  readonly regions: readonly RegionUsers[];
}

/** The load that a configuration makes (API 1, Test configuration). */
export interface ConfigurationLoad {
  readonly runners: readonly RunnerLoad[];
  /** Users of all runners together. */
  readonly peak: number;
  /** Absent when a run ends by iterations, which take as long as they take. */
  readonly userHours?: number;
}

/** When one of these is secret no load is shown: it could be worked out from the result. */
const shaping = [
  "profileType",
  "concurrentClients",
  "startConcurrentClients",
  "step",
  "durationSecs",
  "iterations",
  "rampupSecs",
];

/** Fields that the load of a configuration is worked out from. */
export const loadFields: readonly string[] = [...shaping, "providers"];

export function regionCount({ regions }: RunnerLoad): number {
  return regions.reduce((sum, { count }) => sum + count, 0);
}

/** The load of a configuration's fields; undefined when fields are missing, and for a breaking point. */
export function configurationLoad(fields: JsonObject): ConfigurationLoad | undefined {
  if (shaping.some((name) => isSecretMark(fields[name]))) return undefined;
  const runners = fields.profileType === "BreakingPoint" ? [] : runnersOf(fields);
  const regions = runners.flatMap((runner) => runner.regions);
  const peak = regions.reduce((sum, { users, count }) => sum + users * count, 0);
  if (runners.length === 0 || Number.isNaN(peak)) return undefined;
  const secondsOf = ({ users, count }: RegionUsers) => (userSeconds(fields, users) ?? Number.NaN) * count;
  const seconds = regions.reduce((sum, region) => sum + secondsOf(region), 0);
  return { runners, peak, ...(Number.isNaN(seconds) ? {} : { userHours: seconds / 3600 }) };
}

/** Seconds that a run is planned to take; undefined when it ends by iterations. */
export function plannedSeconds(fields: JsonObject): number | undefined {
  const duration = numberIn(fields, "durationSecs");
  const isFlat = (fields.profileType ?? "Flat") === "Flat";
  return duration === undefined ? undefined : duration + (isFlat ? rampupOf(fields) : 0);
}

/** All test runners; where nothing says how many users one has, they are NaN. */
export function runnersOf(fields: JsonObject): readonly RunnerLoad[] {
  const runners = itemsOf(fields.providers).filter(isObject);
  return runners.map((runner) => runnerLoad(runner, numberIn(fields, "concurrentClients")));
}

/**
 * The users of a test runner in normal form: so many per region as it says itself, else as its configuration says, times the named
 * regions, or `numRegions` of them where none is named, split by weight.
 */
function runnerLoad(runner: JsonObject, standard: number | undefined): RunnerLoad {
  const users = numberIn(runner, "concurrentClients") ?? standard ?? Number.NaN;
  const named = itemsOf(runner.regions);
  if (named.length === 0) return { users, regions: [{ users, count: numberIn(runner, "numRegions") ?? 1 }] };
  const weights = named.map((region) => (isObject(region) ? (numberIn(region, "weight") ?? 1) : 1));
  const split = splitUsers(users * named.length, weights);
  const regions = named.map((region, index) => ({
    name: String(isObject(region) ? region.name : region),
    users: split[index] ?? 0,
    count: 1,
  }));
  return { users, regions };
}

/** A number of users split by weight, largest remainder, ties to the earlier. */
function splitUsers(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((left, right) => left + right, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const whole = exact.map(Math.floor);
  const left = total - whole.reduce((one, other) => one + other, 0);
  const rests = exact.map((value, index) => ({ index, rest: value - Math.floor(value) }));
  const byRest = rests.sort((one, other) => other.rest - one.rest || one.index - other.index);
  const more = new Set(byRest.slice(0, left).map(({ index }) => index));
  return whole.map((users, index) => users + (more.has(index) ? 1 : 0));
}

function numberIn(object: JsonObject, name: string): number | undefined {
  const value: Json | undefined = object[name];
  return typeof value === "number" ? value : undefined;
}

function rampupOf(fields: JsonObject): number {
  return numberIn(fields, "rampupSecs") ?? 60;
}

/** Seconds that the users of one region are at work together. */
function userSeconds(fields: JsonObject, users: number): number | undefined {
  const duration = numberIn(fields, "durationSecs");
  if (duration === undefined) return undefined;
  if (users === 0) return 0;
  if (fields.profileType === "Step") return stepSeconds(fields, users, duration);
  // User i of C starts at rampup·i/C, and the duration counts after ramp-up.
  return users * duration + (rampupOf(fields) * (users + 1)) / 2;
}

/** Levels of equal length, the last clamped to the final count (API 1, Test configuration: profileType Step). */
function stepSeconds(fields: JsonObject, final: number, duration: number): number | undefined {
  const start = numberIn(fields, "startConcurrentClients");
  const step = numberIn(fields, "step");
  if (start === undefined || step === undefined || step < 1) return undefined;
  const increments = Math.min(50, Math.max(0, Math.ceil((final - start) / step)));
  let users = 0;
  for (let level = 0; level <= increments; level++) users += Math.min(final, start + level * step);
  return (users * duration) / (increments + 1);
}
