import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ScenarioRecord } from "../store/records.ts";
import { viewDataStore } from "./data-store.ts";
import { isFilled } from "./scenario-summary.ts";
import type { View } from "./stamp.ts";
import { testCaseReference } from "./test-case-reference.ts";

/** How a scenario is shown (seed 1, Scenario: texts and data stores with `down`, its test case with `up`). */
export interface ScenarioFlags {
  readonly down: boolean;
  readonly up: boolean;
}

/** Seed 1, Scenario (script). */
export function viewScenario(row: ScenarioRecord, flags: ScenarioFlags, scope: Scope): View {
  const stores = scope.store.where("dataStore", "scenarioId", row.id);
  // Spelled out: trees of thousands of scenarios are made of it, and spreading costs five times as much.
  const view: Record<string, JsonValue> = {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    firstVersion: row.createdAt === row.updatedAt,
    name: row.name,
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    length: row.main.length,
    hasInit: isFilled(row.init),
    hasTeardown: isFilled(row.teardown),
    scriptType: row.scriptType,
    dataLength: stores.reduce((sum, store) => sum + store.size, 0),
    readonly: row.readonly,
    language: row.language,
    nodeVersion: row.nodeVersion,
    paramsConfig: row.paramsConfig.map((each) => ({ ...each })),
    tags: [...row.tags],
  };
  if (flags.down) {
    view["main"] = row.main;
    view["init"] = row.init;
    view["teardown"] = row.teardown;
    view["dataStores"] = stores.map((store) => viewDataStore(store, { down: true, up: false }, scope));
  }
  if (flags.up) view["testCase"] = testCaseReference(row.testCaseId, scope);
  return view;
}
