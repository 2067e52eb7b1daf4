import type { ApplyCounts, ApplyEvent } from "../apply/events.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type JsonObject, withoutAbsent } from "../model/json.ts";
import type { Change } from "../plan/plan.ts";
import { changeJson, diagnosticJson } from "./plan-json.ts";

/** The change of one object that is about to be made: the first lines of `apply --json`. */
export function plannedChangeJson(change: Change): JsonObject {
  // `type` names the event, so the kind's Terraform type has another name.
  const { type: resource_type, ...rest } = changeJson(change);
  return withoutAbsent({ type: "planned_change", ...rest, resource_type, action: change.action });
}

/** One event of `apply --json`; undefined for what its closed list of events does not tell. */
export function eventJson(event: ApplyEvent): JsonObject | undefined {
  switch (event.type) {
    case "apply_start":
    case "not_attempted":
      return { ...event };
    case "apply_complete": {
      const { elapsedMs, ...rest } = event;
      return { ...rest, elapsed_ms: elapsedMs };
    }
    case "apply_errored":
      return { ...event, diagnostic: diagnosticJson(event.diagnostic) };
    case "paused":
    case "resumed":
      return undefined;
    case "diagnostic":
      return diagnosticEventJson(event.diagnostic, event.address);
  }
}

/** A problem as a line of `apply --json`. */
export function diagnosticEventJson(diagnostic: Diagnostic, address = diagnostic.address): JsonObject {
  return { type: "diagnostic", ...(address === undefined ? {} : { address }), diagnostic: diagnosticJson(diagnostic) };
}

/** The last line of `apply --json`. */
export function changeSummaryJson(counts: ApplyCounts): JsonObject {
  const { create, update, delete: deleted, failed, not_attempted } = counts;
  return { type: "change_summary", create, update, delete: deleted, failed, not_attempted };
}

/** The counts of a run that changed nothing. */
export const nothingDone: ApplyCounts = { create: 0, update: 0, delete: 0, failed: 0, not_attempted: 0 };
