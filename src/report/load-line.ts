import type { Change } from "../plan/plan.ts";
import { counted } from "./clean-text.ts";
import type { Load } from "./load-of.ts";
import { loadOf } from "./load-of.ts";

/** One line on the load that a configuration will make, and how it differs from now; undefined for anything else. */
export function loadLine({ kind, after, before, action }: Change): string | undefined {
  if (kind !== "configuration" || after === undefined || action === "no-op") return undefined;
  if (after.profileType === "BreakingPoint")
    return "load: users are raised until a trigger fires, at most to the account's maximum";
  const load = loadOf(after);
  if (load === undefined) return undefined;
  const now = before === undefined ? undefined : loadOf(before);
  return `load: ${product(load)} at peak${hours(load)} (${before === undefined ? "new" : comparison(load, now)})`;
}

function product({ parts, peak }: Load): string {
  const factors = parts.map(({ users, regions }) => `${counted(users, "user")} × ${counted(regions, "region")}`);
  return `${factors.join(" + ")} = ${counted(peak, "user")}`;
}

function hours({ userHours }: Load): string {
  return userHours === undefined ? "" : `, about ${rounded(userHours)} user-hours`;
}

function comparison(load: Load, now: Load | undefined): string {
  if (now === undefined) return "now unknown";
  const change = load.peak - now.peak;
  const hourChange = (load.userHours ?? 0) - (now.userHours ?? 0);
  const known = load.userHours !== undefined && now.userHours !== undefined;
  if (change === 0 && (!known || rounded(hourChange) === "0")) return "as now";
  const was = now.userHours === undefined ? "" : `, ${rounded(now.userHours)} user-hours`;
  return `now ${counted(now.peak, "user")}${was}: ${signed(change)}${known ? `, ${signed(hourChange)}` : ""}`;
}

function signed(value: number): string {
  const text = rounded(Math.abs(value));
  return text === "0" ? "±0" : `${value < 0 ? "−" : "+"}${text}`;
}

/** Two digits for small amounts, none for large ones. */
function rounded(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return String(Number(value.toFixed(digits)));
}
