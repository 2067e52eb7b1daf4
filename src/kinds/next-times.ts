import type { JsonObject } from "../model/json.ts";
import type { NextTime } from "../model/kind.ts";
import type { Recurrence } from "../model/recurrence.ts";
import { nextRuns, skippedBy } from "../model/recurrence.ts";

/** How many next runs a plan shows. */
const shown = 3;

/** The next moments at which a schedule fires, and the windows that skip those in between. */
export function nextTimes(
  fields: JsonObject,
  from: { readonly createdAt: number; readonly now: number },
): readonly NextTime[] {
  if (fields.active === false) return [];
  const recurrence = { exclusions: [], ...fields } as unknown as Recurrence;
  const open = nextRuns(recurrence, from.createdAt, from.now, shown);
  return open.map((at) => ({ at, ...skipped(recurrence, at) }));
}

function skipped(recurrence: Recurrence, at: number): { readonly skippedBy?: number } {
  const window = skippedBy(recurrence, at);
  return window === undefined ? {} : { skippedBy: window };
}
