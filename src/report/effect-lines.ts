import { isSecretMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { NextTime } from "../model/kind.ts";
import type { Change } from "../plan/plan.ts";
import { counted } from "./terminal-text.ts";

/** The load that a configuration will make. */
export interface LoadEffect {
  /** The load in words, and its difference from now. */
  readonly line: string;
  /** It is more than now. */
  readonly rises: boolean;
  /** The load as a multiple of the present one, in users or in user-hours; absent where there is none now. */
  readonly factor?: number;
}

/** The load that a configuration will make; undefined for anything else. */
export function loadEffect({ kind, after, before, action }: Change): LoadEffect | undefined {
  if (kind !== "configuration" || after === undefined || action === "no-op") return undefined;
  if (after.profileType === "BreakingPoint") {
    const line = "load: users are added until a trigger fires, up to the account's maximum";
    return { line, rises: before !== undefined && before.profileType !== "BreakingPoint" };
  }
  const load = loadOf(after);
  if (load === undefined) return undefined;
  const now = before === undefined ? undefined : loadOf(before);
  const line = `load: ${product(load)} at peak${hours(load)} (${before === undefined ? "new" : comparison(load, now)})`;
  return { line, rises: false, ...(now && growth(load, now)) };
}

function growth(load: Load, now: Load): Omit<LoadEffect, "line"> {
  const hours = load.userHours !== undefined && now.userHours !== undefined ? load.userHours / now.userHours : 0;
  const factor = Math.max(load.peak / now.peak, hours);
  return { rises: factor > 1, ...(Number.isFinite(factor) && { factor }) };
}

function product({ parts, peak }: Load): string {
  const factors = parts.map(({ users, regions }) => `${counted(users, "user")} × ${counted(regions, "region")}`);
  return `${factors.join(" + ")} = ${counted(peak, "user")}`;
}

function hours({ userHours }: Load): string {
  return userHours === undefined ? "" : `, about ${shortNumber(userHours)} user-hours`;
}

function comparison(load: Load, now: Load | undefined): string {
  if (now === undefined) return "now unknown";
  const change = load.peak - now.peak;
  const hourChange = (load.userHours ?? 0) - (now.userHours ?? 0);
  const known = load.userHours !== undefined && now.userHours !== undefined;
  if (change === 0 && (!known || shortNumber(hourChange) === "0")) return "as now";
  const was = now.userHours === undefined ? "" : `, ${shortNumber(now.userHours)} user-hours`;
  return `now ${counted(now.peak, "user")}${was}: ${signed(change)}${known ? `, ${signed(hourChange)}` : ""}`;
}

function signed(value: number): string {
  const text = shortNumber(Math.abs(value));
  return text === "0" ? "±0" : `${value < 0 ? "−" : "+"}${text}`;
}

/** Two digits for small amounts, none for large ones. */
function shortNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return String(Number(value.toFixed(digits)));
}

/** The load that a configuration makes (API 1, Test configuration). */
interface Load {
  /** Users per region times regions, one for each test runner. */
  readonly parts: readonly { readonly users: number; readonly regions: number }[];
  readonly peak: number;
  /** Absent when it ends by iterations, which take as long as they take. */
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

/** The load of a configuration's fields; undefined when fields are missing, or for a breaking point. */
function loadOf(fields: JsonObject): Load | undefined {
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

/** The next moments at which a changed schedule fires, and the windows that skip some of them; undefined for anything else. */
export function nextTimesLine({ nextTimes, after, action }: Change): string | undefined {
  if (nextTimes === undefined) return undefined;
  const head = action === "create" || action === "replace" ? "next runs if applied now" : "next runs";
  if (nextTimes.length === 0) return `${head}: ${after?.active === false ? "paused" : "none"}`;
  return `${head}: ${nextTimes.map((time) => momentText(time, after ?? {})).join(", ")} UTC`;
}

function momentText({ at, skippedBy }: NextTime, fields: JsonObject): string {
  const moment = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  if (skippedBy === undefined) return moment;
  const windows: Json | undefined = fields.exclusions;
  const window = Array.isArray(windows) ? windows[skippedBy] : undefined;
  return `${moment} (skipped by ${isObject(window) ? windowText(window) : `exclusion ${skippedBy + 1}`})`;
}

/** An exclusion window in words: "Day 22:00–02:00". */
function windowText(window: JsonObject): string {
  return `${String(window.recurringInterval)} ${edge(window, "start")}–${edge(window, "end")}`;
}

function edge(window: JsonObject, side: "start" | "end"): string {
  const part = (name: string) => window[`${side}${name}`];
  const day = part("DayOfWeek") ?? part("Day");
  const two = (value: Json | undefined) => String(value ?? 0).padStart(2, "0");
  const clock =
    window.recurringInterval === "Hour" ? `:${two(part("Minute"))}` : `${two(part("Hour"))}:${two(part("Minute"))}`;
  return day === undefined ? clock : `day ${String(day)} ${clock}`;
}
