import type { JsonValue } from "../../api/routes.ts";
import { isJsonObject } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import type { ConfigurationRecord, Digests, ScenarioRecord } from "../store/records.ts";
import { textOf } from "./load-profile.ts";

/** SEED (1, Test configuration): `scriptParams` is the text of a JSON object, `{}` when none. */
export function readScriptParams(value: JsonValue | undefined, former: string | undefined, scope: Scope): string {
  const text = textOf(value, former, "{}");
  if (parseParams(text) === undefined)
    scope.findings.add("scriptParams", "found other text; expected JSON text of an object");
  return text;
}

/** Parameters of JSON text; undefined when it is no object. */
export function parseParams(text: string): Readonly<Record<string, JsonValue>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * DECISION (seed 2, params[*].encrypted): of encrypted parameters only a digest is kept; such an entry reads as null, and
 * writing null keeps it (service.md 1.2.12).
 */
export function withoutSecrets(
  text: string,
  former: Pick<ConfigurationRecord, "secrets"> | undefined,
  { scenario, scope }: { readonly scenario: ScenarioRecord | undefined; readonly scope: Scope },
): { readonly scriptParams: string; readonly secrets: Digests } {
  const encrypted = new Set(scenario?.paramsConfig.filter((each) => each.encrypted).map((each) => each.name));
  const params = parseParams(text);
  if (params === undefined || !Object.keys(params).some((name) => encrypted.has(name)))
    return { scriptParams: text, secrets: {} };
  const secrets: Record<string, string> = {};
  const masked = Object.entries(params).map(([name, value]): [string, JsonValue] => {
    if (!encrypted.has(name)) return [name, value];
    const kept = value === null ? former?.secrets[name] : scope.digest(String(value));
    if (kept !== undefined) secrets[name] = kept;
    return [name, null];
  });
  return { scriptParams: JSON.stringify(Object.fromEntries(masked)), secrets };
}
