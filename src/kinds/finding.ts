import type { Json } from "../model/json.ts";
import type { RuleFinding } from "../model/kind.ts";

/** Whether a field says anything. */
export function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

/** What a rule found. */
export function finding(path: RuleFinding["path"], summary: string, detail: string): RuleFinding {
  return { path, summary, detail };
}
