import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { isJsonObject } from "../store/json-values.ts";
import type { ScenarioRecord, ScriptParameter } from "../store/records/scenarios.ts";
import { touchParents } from "./cascade.ts";
import type { Input } from "./load-profile.ts";
import { optionalText, readName, refuseSibling, textAfter } from "./read-text.ts";
import { maskWritten } from "./script-params.ts";
import { readTagNames, registerTags } from "./tags.ts";

/** Creates or updates a scenario (API 1, Scenarios; DECISION (API 1, Scenarios: body not shown): what reads back is written. */
export function writeScenario(
  input: Input,
  of: { readonly testCaseId: number; readonly former: ScenarioRecord | undefined },
  scope: Scope,
): ScenarioRecord {
  const { testCaseId, former } = of;
  refuseReadonly(former);
  const fields = readScenario(input, former, scope);
  scope.findings.check();
  const siblings = scope.store.where("scenario", "testCaseId", testCaseId);
  refuseSibling(fields.name, siblings, { ...scope, ...(former && { self: former.id }) });
  const organization = scope.store.get("testCase", testCaseId)?.organizationId;
  if (organization !== undefined) registerTags(fields.tags, organization, scope);
  const row = former
    ? scope.store.update("scenario", former.id, fields)
    : scope.store.insert("scenario", { ...fields, testCaseId, sourceType: "Script", sourceId: null, readonly: false });
  if (former && input["paramsConfig"] !== undefined) maskWritten(row, scope);
  touchParents(scope, "scenario", row);
  return row;
}

/** DECISION (API 1, Scenario: readonly): a readonly scenario is not updated: 409. */
export function refuseReadonly(former: ScenarioRecord | undefined): void {
  if (former?.readonly)
    throw new Refusal(409, `scenario ${former.id} is readonly; expected one that may be changed: copy it`);
}

type ScenarioFields = Pick<
  ScenarioRecord,
  | "name"
  | "main"
  | "init"
  | "teardown"
  | "scriptType"
  | "language"
  | "nodeVersion"
  | "paramsConfig"
  | "tags"
  | "secrets"
>;

function readScenario(input: Input, former: ScenarioRecord | undefined, scope: Scope): ScenarioFields {
  const base =
    former && scope.settings.put === "replace"
      ? { name: former.name, main: former.main, secrets: former.secrets }
      : former;
  const kept: Partial<ScenarioFields> = base ?? {};
  const main = textAfter(input["main"], kept.main, "");
  const scriptType = textAfter(input["scriptType"], kept.scriptType, "Code");
  // DECISION (API 1, Scenarios: body not shown): a Code scenario has a script.
  if (scriptType === "Code" && main === "")
    scope.findings.add("main", "found none; expected the script's text: it is required for Code");
  return {
    name: input["name"] === undefined && kept.name !== undefined ? kept.name : readName(input["name"], scope),
    main,
    init: optionalText(input["init"], kept.init),
    teardown: optionalText(input["teardown"], kept.teardown),
    scriptType,
    language: textAfter(input["language"], kept.language, "javascript"),
    nodeVersion: textAfter(input["nodeVersion"], kept.nodeVersion, "latest"),
    tags: readTags(input["tags"], kept.tags ?? [], scope),
    ...readParameters(input["paramsConfig"], kept, scope),
  };
}

function readTags(value: JsonValue | undefined, former: readonly string[], scope: Scope): readonly string[] {
  if (value === undefined) return former;
  return Array.isArray(value) ? readTagNames(value, scope) : [];
}

type Parameters = Pick<ScenarioRecord, "paramsConfig" | "secrets">;

/** DECISION (API 1, Scenario: paramsConfig): names are unique; of an encrypted default only a digest is kept. */
function readParameters(value: JsonValue | undefined, former: Partial<Parameters>, scope: Scope): Parameters {
  if (value === undefined) return { paramsConfig: former.paramsConfig ?? [], secrets: former.secrets ?? {} };
  const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const secrets: Record<string, string> = {};
  const names = new Set<string>();
  const paramsConfig = items.map((item, index): ScriptParameter => {
    const at = `paramsConfig[${index}]`;
    const name = readName(item["name"], scope, `${at}.name`);
    if (names.has(name)) scope.findings.add(`${at}.name`, `found "${name}" twice; expected each parameter once`);
    names.add(name);
    const parameter = { name, required: item["required"] === true, encrypted: item["encrypted"] === true };
    const given = item["defaultValue"];
    if (!parameter.encrypted) return typeof given === "string" ? { ...parameter, defaultValue: given } : parameter;
    const digest = typeof given === "string" ? scope.digest(given) : former.secrets?.[name];
    if (digest !== undefined) secrets[name] = digest;
    return parameter;
  });
  return { paramsConfig, secrets };
}
