import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { NextTime } from "../model/kind.ts";
import type { Change } from "../plan/plan.ts";

/** The next moments at which a changed schedule fires, and the windows that skip some of them; undefined for anything else. */
export function nextTimesLine({ nextTimes, after, action }: Change): string | undefined {
  if (nextTimes === undefined) return undefined;
  const head = action === "create" || action === "replace" ? "next runs if applied now" : "next runs";
  if (nextTimes.length === 0) return `${head}: none`;
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
