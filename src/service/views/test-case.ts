import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { TestCaseRecord } from "../store/records/scenarios.ts";
import { viewConfiguration } from "./configuration.ts";
import { viewExecution } from "./execution.ts";
import { viewGateway } from "./gateway.ts";
import { viewOrganizationBrief } from "./organization.ts";
import { viewDataStore, viewScenario } from "./scenario.ts";
import { stamp, type View } from "./stamp.ts";

/** Options of a test case's view (API 1, Test cases). */
export interface TestCaseFlags {
  readonly down: boolean;
  /** Executions within the configurations. */
  readonly deep: boolean;
  readonly up: boolean;
  readonly includeRunning?: boolean;
}

/** API 1, Test case; what `down` nests is in docs/service-decisions.md. */
export function viewTestCase(row: TestCaseRecord, flags: TestCaseFlags, scope: Scope): View {
  const view: Record<string, JsonValue> = {
    ...stamp(row),
    name: row.name,
    active: row.active,
    description: row.description,
  };
  if (row.folder !== undefined) view["folder"] = row.folder;
  if (flags.up) view["organization"] = viewOrganizationBrief(row.organizationId, scope);
  if (flags.includeRunning) view["running"] = runningIn(row, scope);
  return flags.down ? { ...view, ...nested(row, flags, scope) } : view;
}

function nested(row: TestCaseRecord, flags: TestCaseFlags, scope: Scope): View {
  const { store, settings } = scope;
  const scenarios = store.where("scenario", "testCaseId", row.id);
  const whole = settings.nested === "full";
  return {
    gateways: store
      .where("gateway", "testCaseId", row.id)
      .map((each) => viewGateway(each, { up: false, down: false, includeKeys: true }, scope)),
    configurations: store
      .where("configuration", "testCaseId", row.id)
      .map((each) => viewConfiguration(each, { down: flags.deep, up: false }, scope)),
    scenarios: scenarios.map((each) => viewScenario(each, { down: whole, up: false, nested: true }, scope)),
    dataStores: scenarios
      .flatMap((each) => store.where("dataStore", "scenarioId", each.id))
      .sort((left, right) => left.id - right.id)
      .map((each) => viewDataStore(each, { down: true, up: true }, scope)),
    metricDefs: store.where("metricDef", "testCaseId", row.id).map(({ id, name, metricType, metricUnits }) => ({
      id,
      name,
      metricType,
      metricUnits,
    })),
  };
}

/** Executions of a test case that have not completed. */
export function runningIn(row: TestCaseRecord, scope: Scope): readonly View[] {
  return scope.store
    .where("configuration", "testCaseId", row.id)
    .flatMap((each) => scope.store.where("execution", "configurationId", each.id))
    .filter((each) => each.phase !== "completed")
    .map((each) => viewExecution(each, { down: false, up: false, includeScript: true, includeSummary: false }, scope));
}
