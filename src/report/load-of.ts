import { isSecretMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";

/** The load that a configuration makes (seed 1, Test configuration). */
export interface Load {
  /** Users per region times regions, one for each test runner. */
  readonly parts: readonly { readonly users: number; readonly regions: number }[];
  readonly peak: number;
  /** Absent when it ends by iterations, which take as long as they take. */
  readonly userHours?: number;
}

/** What is masked of these leaves nothing to work out, and would be told by what came of it. */
const shaping = [
  "profileType",
  "concurrentClients",
  "startConcurrentClients",
  "step",
  "durationSecs",
  "iterations",
  "rampupSecs",
];

/** The load of a configuration's fields; undefined when they do not say enough, or for a breaking point. */
export function loadOf(fields: JsonObject): Load | undefined {
  const users = numberIn(fields, "concurrentClients");
  const runners = Array.isArray(fields.providers) ? fields.providers.filter(isObject) : [];
  if (shaping.some((name) => isSecretMark(fields[name]))) return undefined;
  if (fields.profileType === "BreakingPoint" || runners.length === 0) return undefined;
  const parts = runners.map((runner) => ({
    users: numberIn(runner, "concurrentClients") ?? users ?? Number.NaN,
    regions: numberIn(runner, "numRegions") ?? namedRegions(runner) ?? Number.NaN,
  }));
  const sum = (value: (users: number) => number) =>
    parts.reduce((total, part) => total + value(part.users) * part.regions, 0);
  const peak = sum((each) => each);
  const seconds = sum((each) => userSeconds(fields, each) ?? Number.NaN);
  if (Number.isNaN(peak)) return undefined;
  return { parts, peak, ...(Number.isNaN(seconds) ? {} : { userHours: seconds / 3600 }) };
}

function namedRegions({ regions }: JsonObject): number | undefined {
  return Array.isArray(regions) && regions.length > 0 ? regions.length : undefined;
}

function numberIn(object: JsonObject, name: string): number | undefined {
  const value: Json | undefined = object[name];
  return typeof value === "number" ? value : undefined;
}

/** Seconds that the users of one region are at work together. */
function userSeconds(fields: JsonObject, users: number): number | undefined {
  const duration = numberIn(fields, "durationSecs");
  if (duration === undefined) return undefined;
  if (fields.profileType === "Step") return stepSeconds(fields, users, duration);
  // User i of C starts at rampup·i/C, and the duration counts after ramp-up.
  const rampup = numberIn(fields, "rampupSecs") ?? 60;
  return users * duration + (rampup * (users + 1)) / 2;
}

/** Levels of equal length, the last clamped to the final count (seed 1, profileType Step). */
function stepSeconds(fields: JsonObject, final: number, duration: number): number | undefined {
  const start = numberIn(fields, "startConcurrentClients");
  const step = numberIn(fields, "step");
  if (start === undefined || step === undefined || step < 1) return undefined;
  const increments = Math.min(50, Math.max(0, Math.ceil((final - start) / step)));
  let users = 0;
  for (let level = 0; level <= increments; level++) users += Math.min(final, start + level * step);
  return (users * duration) / (increments + 1);
}
