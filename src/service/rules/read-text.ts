import type { JsonValue } from "../../api/routes.ts";

/** A text after a write: omitted keeps, null clears to the default. */
export function textOf(value: JsonValue | undefined, former: string | undefined, standard: string): string {
  if (value === undefined) return former ?? standard;
  return typeof value === "string" ? value : standard;
}

/** The same of a text without a default: null clears it. */
export function optionalText(value: JsonValue | undefined, former: string | null | undefined): string | null {
  if (value === undefined) return former ?? null;
  return typeof value === "string" ? value : null;
}
