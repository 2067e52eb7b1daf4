import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { GatewayRecord, RecordingRecord, TrafficRecord } from "../store/records/gateways.ts";
import type { ScenarioRecord, TestCaseRecord } from "../store/records/scenarios.ts";
import type { Stored } from "../store/records/stored.ts";
import { isActive } from "../views/configuration.ts";
import { owningOrganization } from "./access.ts";
import { mintKey } from "./gateway-keys.ts";
import { registerTags } from "./tags.ts";

/** API 1, POST /test-cases/:testCaseId/copy: scenarios, configurations, recordings and other contents; executions are not copied. */
export function copyTestCase(
  source: TestCaseRecord,
  target: { readonly name: string; readonly organizationId: number },
  scope: Scope,
): TestCaseRecord {
  const { store } = scope;
  const [owned, configurations] = [
    store.where("scenario", "testCaseId", source.id),
    store.where("configuration", "testCaseId", source.id),
  ];
  refuseLeftBehind(configurations, { ...target, copied: new Set(owned.map(({ id }) => id)) }, scope);
  const copy = store.insert("testCase", { ...fieldsOf(source), ...target, active: true });
  for (const each of store.where("metricDef", "testCaseId", source.id))
    store.insert("metricDef", { ...fieldsOf(each), testCaseId: copy.id });
  const scenarios = new Map<number, number>();
  for (const scenario of owned)
    scenarios.set(scenario.id, copyScenario(scenario, { testCaseId: copy.id, name: scenario.name }, scope).id);
  for (const configuration of configurations) {
    const scriptId = scenarios.get(configuration.scriptId) ?? configuration.scriptId;
    copyConfiguration(configuration, { testCaseId: copy.id, scriptId }, scope);
  }
  for (const gateway of store.where("gateway", "testCaseId", source.id))
    copyGateway(gateway, copy.id, { ...scope, scenarios });
  return copy;
}

/**
 * DECISION (API 1, copies: to another organization): what a configuration uses has to be there too; one that runs on a private provider, or runs a scenario that is
 * not copied along, holds the copy: 409.
 */
export function refuseLeftBehind(
  configurations: readonly ConfigurationRecord[],
  { organizationId, copied }: { readonly organizationId: number; readonly copied: ReadonlySet<number> },
  { store }: Scope,
): void {
  const isElsewhere = (owner: number | null | undefined) => typeof owner === "number" && owner !== organizationId;
  const refuse = (what: string) => {
    throw new Refusal(409, `${what}, which organization ${organizationId} does not have; expected one that it has`);
  };
  for (const { id, name, providers, scriptId } of configurations) {
    const provider = providers
      .map(({ providerId }) => store.get("provider", providerId))
      .find((each) => isElsewhere(each?.organizationId));
    if (provider) refuse(`configuration ${id} (${name}) runs on provider ${provider.id} (${provider.name})`);
    const scenario = copied.has(scriptId) ? undefined : store.get("scenario", scriptId);
    if (scenario && isElsewhere(owningOrganization(store, "scenario", scenario)))
      refuse(`configuration ${id} (${name}) runs scenario ${scriptId} (${scenario.name}) of another test case`);
  }
}

/** A scenario with its data stores in a test case. */
export function copyScenario(
  source: ScenarioRecord,
  target: { readonly testCaseId: number; readonly name: string },
  scope: Scope,
): ScenarioRecord {
  const { store } = scope;
  const copy = store.insert("scenario", { ...fieldsOf(source), ...target, readonly: false });
  const organization = store.get("testCase", target.testCaseId)?.organizationId;
  if (organization !== undefined) registerTags(copy.tags, organization, scope);
  for (const file of store.where("dataStore", "scenarioId", source.id))
    store.insert("dataStore", { ...fieldsOf(file), scenarioId: copy.id });
  return copy;
}

/** A configuration with its schedules, those that are finished are not copied. */
export function copyConfiguration(
  source: ConfigurationRecord,
  target: { readonly testCaseId: number; readonly scriptId: number },
  scope: Scope,
): ConfigurationRecord {
  const { store } = scope;
  const providers = source.providers.map((each) => ({ ...each, id: store.takeId("providerConfiguration") }));
  const triggers = source.triggers.map((trigger) => ({
    id: store.takeId("trigger"),
    conditions: trigger.conditions.map((each) => ({ ...each, id: store.takeId("condition") })),
    actions: trigger.actions.map((each) => ({ ...each, id: store.takeId("action") })),
  }));
  const copy = store.insert("configuration", { ...fieldsOf(source), ...target, providers, triggers });
  for (const schedule of store.where("schedule", "configurationId", source.id))
    if (schedule.scheduleType === "Recurring" || isActive(schedule, scope.now))
      store.insert("schedule", { ...fieldsOf(schedule), configurationId: copy.id });
  return copy;
}

/** A gateway with keys of its own, and its recordings, which no longer run, with their traffic. */
function copyGateway(
  source: GatewayRecord,
  testCaseId: number,
  scope: Scope & { readonly scenarios: ReadonlyMap<number, number> },
): void {
  const { store, scenarios } = scope;
  const keys = source.keys.map((key) => mintKey(key.url, key.isPrimary, scope));
  const gatewayId = store.insert("gateway", { ...fieldsOf(source), testCaseId, keys }).id;
  for (const recording of store.where("recording", "gatewayId", source.id)) {
    const { scriptId, ...fields } = fieldsOf<RecordingRecord>(recording);
    const script = scriptId === undefined ? undefined : scenarios.get(scriptId);
    const finishedAt = recording.finishedAt ?? store.now();
    const own = { gatewayId, running: false, finishedAt, ...(script === undefined ? {} : { scriptId: script }) };
    const copy = store.insert("recording", { ...fields, ...own });
    if (script !== undefined) store.update("scenario", script, { sourceId: copy.id });
    for (const packet of store.where("traffic", "recordingId", recording.id))
      store.insert("traffic", { ...fieldsOf<TrafficRecord>(packet), recordingId: copy.id });
  }
}

function fieldsOf<R extends Stored>(row: R): Omit<R, "id" | "createdAt" | "updatedAt"> {
  const { id: _, createdAt: __, updatedAt: ___, ...fields } = row;
  return fields;
}
