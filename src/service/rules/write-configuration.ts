import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ConfigurationRecord, ScenarioRecord } from "../store/records.ts";
import type { Input } from "./load-profile.ts";
import { mergeLoad } from "./load-profile.ts";
import { readName, refuseSibling } from "./names.ts";
import { readRunners } from "./read-runners.ts";
import { readTriggers } from "./read-triggers.ts";
import { readScriptParams, withoutSecrets } from "./script-params.ts";
import { touchParents } from "./touch.ts";
import { readSchedules, writeSchedules } from "./write-schedules.ts";

/** Where a configuration is written. */
interface Place {
  readonly testCaseId: number;
  /** What stands there; undefined when it is made. */
  readonly former: ConfigurationRecord | undefined;
  readonly scope: Scope;
}

/** Creates or updates a configuration with its schedules, or refuses with every invalid field (seed 1, Test configurations). */
export function writeConfiguration(input: Input, place: Place): ConfigurationRecord {
  const { scope, former } = place;
  const fields = readConfiguration(input, place);
  const formers = former ? scope.store.where("schedule", "configurationId", former.id) : [];
  const schedules = input["deleteSchedule"] === true ? [] : readSchedules(listed(input, scope), formers, scope);
  scope.findings.check();
  const siblings = scope.store.where("configuration", "testCaseId", place.testCaseId);
  refuseSibling(fields.name, siblings, { ...scope, ...(former && { self: former.id }) });
  const row = save(fields, place);
  if (schedules) writeSchedules(schedules, row.id, scope);
  touchParents(scope, "configuration", row);
  return row;
}

type Fields = Omit<ConfigurationRecord, "id" | "createdAt" | "updatedAt" | "testCaseId">;

function readConfiguration(input: Input, { former, scope, testCaseId }: Place): Fields {
  const base = former && scope.settings.put === "replace" ? withoutOptional(former) : former;
  const name = input["name"] === undefined && base?.name !== undefined ? base.name : readName(input["name"], scope);
  const organizationId = scope.store.get("testCase", testCaseId)?.organizationId ?? -1;
  const scenario = readScenario(input["scriptId"], base?.scriptId, { scope, organizationId });
  const load = mergeLoad(input, base, scope);
  const triggers = readTriggers(input["triggers"], base?.triggers ?? [], scope);
  if (load.profileType === "BreakingPoint" && triggers.length === 0)
    scope.findings.add("triggers", "found none; expected at least one: BreakingPoint raises clients until one fires");
  const text = readScriptParams(input["scriptParams"], base?.scriptParams, scope);
  return {
    name,
    ...load,
    scriptId: scenario?.id ?? -1,
    providers: readRunners(input["providers"], base?.providers, { organizationId, scope }),
    triggers,
    ...withoutSecrets(text, former, { scenario, scope }),
  };
}

/** DECISION (seed 1, Create body fields): the scenario may stand in another test case of the organization. */
function readScenario(
  value: JsonValue | undefined,
  former: number | undefined,
  { scope, organizationId }: { readonly scope: Scope; readonly organizationId: number },
): ScenarioRecord | undefined {
  const id = value === undefined ? former : value;
  const row = typeof id === "number" ? scope.store.get("scenario", id) : undefined;
  const owner = row && scope.store.get("testCase", row.testCaseId)?.organizationId;
  if (row && owner === organizationId) return row;
  // A scenario deleted under setting `inUse: allow` stays referred to until another one is set.
  if (value === undefined && former !== undefined) return undefined;
  scope.findings.add(
    "scriptId",
    `found ${JSON.stringify(id) ?? "none"}; expected the id of a scenario of this organization`,
  );
  return undefined;
}

/** Setting `put: replace`: what a configuration cannot be without stays, all else goes back to its default. */
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
function listed(input: Input, scope: Scope): JsonValue | undefined {
  return input["schedules"] === undefined && scope.settings.put === "replace" ? [] : input["schedules"];
}

function save(fields: Fields, { former, scope, testCaseId }: Place): ConfigurationRecord {
  if (former === undefined) return scope.store.insert("configuration", { ...fields, testCaseId });
  const { id, createdAt } = former;
  const scriptId = fields.scriptId < 0 ? former.scriptId : fields.scriptId;
  return scope.store.replace("configuration", {
    ...fields,
    scriptId,
    id,
    createdAt,
    testCaseId,
    updatedAt: scope.store.now(),
  });
}
