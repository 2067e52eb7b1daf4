import { type ConfigurationLoad, configurationLoad, regionCount } from "../model/configuration-load.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { NextTime } from "../model/kind.ts";
import type { Change } from "../plan/plan.ts";
import { counted } from "./terminal-text.ts";

/** The load that a configuration will make. */
export interface LoadEffect {
  /** The load in words, and its difference from now. */
  readonly line: string;
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
  const load = configurationLoad(after);
  if (load === undefined) return undefined;
  const now = before === undefined ? undefined : configurationLoad(before);
  const hours = load.userHours === undefined ? "" : `, about ${shortNumber(load.userHours)} user-hours`;
  const line = `load: ${product(load)} at peak${hours} (${before === undefined ? "new" : comparison(load, now)})`;
  return { line, rises: false, ...(now && growth(load, now)) };
}

function growth(load: ConfigurationLoad, now: ConfigurationLoad): Omit<LoadEffect, "line"> {
  const hours = load.userHours !== undefined && now.userHours !== undefined ? load.userHours / now.userHours : 0;
  const factor = Math.max(load.peak / now.peak, hours);
  return { rises: factor > 1, ...(Number.isFinite(factor) && { factor }) };
}

function product({ runners, peak }: ConfigurationLoad): string {
  const factors = runners.map((each) => `${counted(each.users, "user")} × ${counted(regionCount(each), "region")}`);
  return `${factors.join(" + ")} = ${counted(peak, "user")}`;
}

function comparison(load: ConfigurationLoad, now: ConfigurationLoad | undefined): string {
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
  return String(Number(value.toFixed(Math.abs(value) >= 100 ? 0 : 2)));
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
  if (!isObject(window)) return `${moment} (skipped by exclusion ${skippedBy + 1})`;
  // "Day 22:00–02:00".
  const words = `${String(window.recurringInterval)} ${edge(window, "start")}–${edge(window, "end")}`;
  return `${moment} (skipped by ${words})`;
}

function edge(window: JsonObject, side: "start" | "end"): string {
  const part = (name: string) => window[`${side}${name}`];
  const day = part("DayOfWeek") ?? part("Day");
  const two = (value: Json | undefined) => String(value ?? 0).padStart(2, "0");
  const clock =
    window.recurringInterval === "Hour" ? `:${two(part("Minute"))}` : `${two(part("Hour"))}:${two(part("Minute"))}`;
  return day === undefined ? clock : `day ${String(day)} ${clock}`;
}
