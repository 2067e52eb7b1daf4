import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import { isDeeper, isJsonObject } from "../store/json-values.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";
import type { ScenarioRecord } from "../store/records/scenarios.ts";
import type { Digests } from "../store/records/stored.ts";
import { textAfter } from "./read-text.ts";

/** API 1, Test configuration: `scriptParams` is the text of a JSON object, `{}` when none. */
export function readScriptParams(value: JsonValue | undefined, former: string | undefined, scope: Scope): string {
  const text = textAfter(value, former, "{}");
  if (parseParams(text) === undefined)
    scope.findings.add("scriptParams", "found other text; expected JSON text of an object, at most 100 levels deep");
  return text;
}

/** Parameters that a starting call gives (API 1, POST /scripts/:id/run; API 2, Executions): an optional object of strings. */
export function readGivenParams(body: JsonValue | undefined, { findings }: Scope): Readonly<Record<string, string>> {
  if (body === undefined || body === null) return {};
  if (!isJsonObject(body)) {
    findings.add("body", `found ${shownValue(body)}; expected an object of string parameters`);
    return {};
  }
  const params: [string, string][] = [];
  for (const [name, value] of Object.entries(body))
    if (typeof value === "string") params.push([name, value]);
    else findings.add(name, `found ${shownValue(value)}; expected a string`);
  return Object.fromEntries(params);
}

/** Parameters of JSON text; undefined when it is no object. */
export function parseParams(text: string): Readonly<Record<string, JsonValue>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !isDeeper(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * DECISION (API 2, params[*].encrypted): of encrypted parameters only a digest is kept; such an entry reads as null, and
 * writing null keeps it.
 */
export function maskEncrypted(
  text: string,
  former: Pick<ConfigurationRecord, "secrets"> | undefined,
  { scenario, scope }: { readonly scenario: ScenarioRecord | undefined; readonly scope: Scope },
): { readonly scriptParams: string; readonly secrets: Digests } {
  const encrypted = new Set(scenario?.paramsConfig.filter((each) => each.encrypted).map((each) => each.name));
  const params = parseParams(text);
  if (params === undefined || !Object.keys(params).some((name) => encrypted.has(name)))
    return { scriptParams: text, secrets: {} };
  const secrets = new Map<string, string>();
  const masked = Object.entries(params).map(([name, value]): [string, JsonValue] => {
    if (!encrypted.has(name)) return [name, value];
    const kept = value === null ? former?.secrets[name] : scope.digest(String(value));
    if (kept !== undefined) secrets.set(name, kept);
    return [name, null];
  });
  return { scriptParams: JSON.stringify(Object.fromEntries(masked)), secrets: Object.fromEntries(secrets) };
}

/** Removes the values of newly encrypted parameters from what was written before; nobody wrote those objects, so their updatedAt remains. */
export function maskWritten(scenario: ScenarioRecord, scope: Scope): void {
  const { store } = scope;
  for (const row of store.where("configuration", "scriptId", scenario.id)) {
    const masked = maskEncrypted(row.scriptParams, row, { scenario, scope });
    if (masked.scriptParams !== row.scriptParams) store.replace("configuration", { ...row, ...masked });
    for (const run of store.where("execution", "configurationId", row.id)) {
      const { scriptParams } = maskEncrypted(run.scriptParams, undefined, { scenario, scope });
      if (scriptParams !== run.scriptParams) store.replace("execution", { ...run, scriptParams });
    }
  }
}
