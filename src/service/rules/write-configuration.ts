import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import { isJsonObject } from "../store/json-values.ts";
import type { ConfigurationRecord, TriggerRecord } from "../store/records/configurations.ts";
import type { ScenarioRecord } from "../store/records/scenarios.ts";
import type { Bag } from "../store/records/stored.ts";
import { touchParents } from "./cascade.ts";
import { type Input, mergeLoad } from "./load-profile.ts";
import { readRunners } from "./read-runners.ts";
import { readName, refuseSibling } from "./read-text.ts";
import { maskEncrypted, readScriptParams } from "./script-params.ts";
import { readSchedules, writeSchedules } from "./write-schedules.ts";

/** Creates or updates a configuration with its schedules, or refuses with every invalid field (API 1, Test configurations). */
export function writeConfiguration(
  input: Input,
  of: { readonly testCaseId: number; readonly former: ConfigurationRecord | undefined },
  scope: Scope,
): ConfigurationRecord {
  const { testCaseId, former } = of;
  const fields = readConfiguration(input, of, scope);
  const formers = former ? scope.store.where("schedule", "configurationId", former.id) : [];
  const schedules = input["deleteSchedule"] === true ? [] : readSchedules(givenSchedules(input, scope), formers, scope);
  scope.findings.check();
  const siblings = scope.store.where("configuration", "testCaseId", testCaseId);
  refuseSibling(fields.name, siblings, { ...scope, ...(former && { self: former.id }) });
  const row = former
    ? replaceConfiguration(former, fields, scope)
    : scope.store.insert("configuration", { ...fields, testCaseId });
  if (schedules) writeSchedules(schedules, row.id, scope);
  touchParents(scope, "configuration", row);
  return row;
}

type ConfigurationFields = Omit<ConfigurationRecord, "id" | "createdAt" | "updatedAt" | "testCaseId">;

function readConfiguration(
  input: Input,
  { testCaseId, former }: Parameters<typeof writeConfiguration>[1],
  scope: Scope,
): ConfigurationFields {
  const base = former && scope.settings.put === "replace" ? withoutOptional(former) : former;
  const name = input["name"] === undefined && base?.name !== undefined ? base.name : readName(input["name"], scope);
  const organizationId = scope.store.get("testCase", testCaseId)?.organizationId ?? -1;
  const scenario = readScenario(input["scriptId"], base?.scriptId, { scope, organizationId });
  const load = mergeLoad(input, base, scope);
  const triggers = readTriggers(input["triggers"], base?.triggers ?? [], scope);
  if (load.profileType === "BreakingPoint" && triggers.length === 0)
    scope.findings.add(
      "triggers",
      "found none; expected at least one: BreakingPoint raises clients until one fires",
      "documented",
    );
  const text = readScriptParams(input["scriptParams"], base?.scriptParams, scope);
  return {
    name,
    ...load,
    scriptId: scenario?.id ?? -1,
    providers: readRunners(input["providers"], base?.providers, { organizationId, scope }),
    triggers,
    ...maskEncrypted(text, former, { scenario, scope }),
  };
}

/** DECISION (API 1, Create body fields): the scenario may belong to another test case of the organization. */
function readScenario(
  value: JsonValue | undefined,
  former: number | undefined,
  { scope, organizationId }: { readonly scope: Scope; readonly organizationId: number },
): ScenarioRecord | undefined {
  const id = value === undefined ? former : value;
  const row = typeof id === "number" ? scope.store.get("scenario", id) : undefined;
  const owner = row && scope.store.get("testCase", row.testCaseId)?.organizationId;
  if (row && owner === organizationId) return row;
  // A scenario deleted under setting `inUse: allow` is referred to until another one is set.
  if (value === undefined && former !== undefined) return undefined;
  scope.findings.add(
    "scriptId",
    `found ${JSON.stringify(id) ?? "none"}; expected the id of a scenario of this organization`,
  );
  return undefined;
}

/** Setting `put: replace`: what a configuration cannot be without remains, all else is reset to its default. */
function withoutOptional(former: ConfigurationRecord): Partial<ConfigurationRecord> {
  const {
    iterationSleepSecs: _,
    rampupSecs: __,
    scriptParams: ___,
    imageDiffMode: ____,
    triggers,
    ...required
  } = former;
  return former.profileType === "BreakingPoint" ? { ...required, triggers } : required;
}

/** Setting `put: replace`: schedules left out are gone too. */
function givenSchedules(input: Input, scope: Scope): JsonValue | undefined {
  return input["schedules"] === undefined && scope.settings.put === "replace" ? [] : input["schedules"];
}

function replaceConfiguration(
  { id, createdAt, testCaseId, ...former }: ConfigurationRecord,
  fields: ConfigurationFields,
  { store }: Scope,
): ConfigurationRecord {
  const scriptId = fields.scriptId < 0 ? former.scriptId : fields.scriptId;
  return store.replace("configuration", { ...fields, scriptId, id, createdAt, testCaseId, updatedAt: store.now() });
}

type TriggerBody = Readonly<Record<string, JsonValue>>;

const conditionMembers = ["metric", "metricKey", "isPercentage", "operator", "threshold", "timePeriod", "valueType"];

/** API 1, Trigger. The list is replaced whole; what carries its id keeps it. */
function readTriggers(
  value: JsonValue | undefined,
  former: readonly TriggerRecord[],
  scope: Scope,
): readonly TriggerRecord[] {
  if (value === undefined) return former;
  if (!Array.isArray(value)) return [];
  const written = value.filter(isJsonObject);
  refuseTwins(written, { at: "triggers", counter: "trigger", scope });
  return written.map((item, index) => {
    const at = `triggers[${index}]`;
    const own = former.find((each) => each.id === item["id"]);
    return {
      id: keepId(item, own, { at, counter: "trigger", scope }),
      conditions: parts(item["conditions"], `${at}.conditions`, scope).map((each, place) =>
        readCondition(each, own, { at: `${at}.conditions[${place}]`, counter: "condition", scope }),
      ),
      actions: parts(item["actions"], `${at}.actions`, scope).map((each, place) =>
        readAction(each, own, { at: `${at}.actions[${place}]`, counter: "action", scope }),
      ),
    };
  });
}

interface TriggerPart {
  readonly at: string;
  readonly counter: string;
  readonly scope: Scope;
}

/** One part cannot be two. */
function refuseTwins(items: readonly TriggerBody[], { at, counter, scope }: TriggerPart): void {
  for (const [index, { id }] of items.entries())
    if (typeof id === "number" && items.findIndex((each) => each["id"] === id) < index)
      scope.findings.add(`${at}[${index}].id`, `found ${id} again; expected that of one ${counter}`);
}

function keepId(
  item: TriggerBody,
  own: { readonly id: number } | undefined,
  { at, counter, scope }: TriggerPart,
): number {
  if (own) return own.id;
  if (typeof item["id"] === "number")
    scope.findings.add(
      `${at}.id`,
      `found ${item["id"]}; expected no id, or that of a ${counter} of this configuration`,
    );
  return scope.store.takeId(counter);
}

/** DECISION (API 1, Trigger): a trigger has at least one condition and one action. */
function parts(value: JsonValue | undefined, at: string, scope: Scope): readonly TriggerBody[] {
  const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
  if (items.length === 0) scope.findings.add(at, "found none; expected at least one");
  refuseTwins(items, { at, counter: "part", scope });
  return items;
}

/** DECISION (API 1, Trigger): metric, operator and threshold are what makes a condition; the enumerations are ours. */
function readCondition(
  item: TriggerBody,
  trigger: TriggerRecord | undefined,
  place: TriggerPart,
): Bag & { readonly id: number } {
  const own = trigger?.conditions.find((each) => each.id === item["id"]);
  const condition: Record<string, JsonValue> = {};
  for (const name of conditionMembers) {
    const value = item[name];
    if (value !== undefined && value !== null) condition[name] = value;
  }
  for (const name of ["metric", "operator", "threshold"])
    if (condition[name] === undefined)
      place.scope.findings.add(`${place.at}.${name}`, `found none; expected ${name}: it is required`);
  return { isPercentage: false, ...condition, id: keepId(item, own, place) };
}

/** API 1, Trigger: the only supported action is StopExecution. */
function readAction(
  item: TriggerBody,
  trigger: TriggerRecord | undefined,
  place: TriggerPart,
): Bag & { readonly id: number } {
  const own = trigger?.actions.find((each) => each.id === item["id"]);
  const actionType = item["actionType"] ?? null;
  if (actionType !== "StopExecution")
    place.scope.findings.add(
      `${place.at}.actionType`,
      `found ${shownValue(actionType)}; expected StopExecution, the only supported action`,
      "documented",
    );
  return { actionType, id: keepId(item, own, place) };
}
