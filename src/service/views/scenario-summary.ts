import type { Scope } from "../core/scope.ts";
import type { ScenarioRecord } from "../store/records.ts";
import type { View } from "./stamp.ts";

/** Seed 1, Test configuration: the summary of the scenario that it runs. */
export function viewScenarioSummary(row: ScenarioRecord): View {
  return {
    id: row.id,
    name: row.name,
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    length: row.main.length,
    hasInit: isFilled(row.init),
    hasTeardown: isFilled(row.teardown),
    scriptType: row.scriptType,
  };
}

/** A scenario as what lies below it names it: id and name. */
export function scenarioReference(id: number, scope: Scope): View | null {
  const row = scope.store.get("scenario", id);
  return row ? { id: row.id, name: row.name } : null;
}

/** Whether a script has any text. */
export function isFilled(text: string | null): boolean {
  return text !== null && text !== "";
}
