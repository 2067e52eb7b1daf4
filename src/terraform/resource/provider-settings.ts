import { wrongValue } from "../../model/diagnostic.ts";
import { isBareAddress, spelled } from "../../model/target.ts";
import type { ProviderDiagnostic } from "../provider-session.ts";
import { isValueMap, UNKNOWN, type Value, type ValueMap } from "../wire/values.ts";
import { errorAt, quoted } from "./provider-problem.ts";

/** What a provider block and the environment say of the service. */
export interface ProviderSettings {
  /** In its one spelling: all blocks of a service share what is known of it. */
  readonly url: string;
  readonly apiKey: string;
  readonly organization?: string;
  readonly authHeader: string;
  /** How often a request is sent at most. */
  readonly tries?: number;
  /** Whether a create binds the only object of its name that was made within the last hour. */
  readonly adoptsRecent: boolean;
}

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

const adoptions: readonly Value[] = ["never", "created_recently"];

/** What is wrong with a provider block, whatever the environment says. */
export function checkProviderConfig(config: Value): readonly ProviderDiagnostic[] {
  if (!isValueMap(config)) return [];
  const { url, api_key: key, auth_header: header, max_retries: retries, adopt_existing: adopt } = config;
  const found: ProviderDiagnostic[] = [];
  if (typeof url === "string" && !isWebAddress(url))
    found.push(
      errorAt(
        ["url"],
        "url is no address of a service",
        "It must be a whole address that begins with http:// or https://, with a port up to 65535 if any, and without a user, a query or a fragment: a key belongs in api_key",
      ),
    );
  if (typeof key === "string" && /[^ -~\u00A0-\u00FF]/.test(key.trim()))
    found.push(
      errorAt(["api_key"], "api_key is no key", "It (not shown) has line feeds or characters that no key has"),
    );
  if (typeof header === "string" && !/^[\w!#$%&'*+.^`|~-]*$/.test(header.trim()))
    found.push(errorAt(["auth_header"], "auth_header is no name of a header", wrongValue(quoted(header), "X-Api-Key")));
  if (typeof retries === "number" && !(Number.isInteger(retries) && retries >= 0))
    found.push(
      errorAt(
        ["max_retries"],
        "max_retries takes no such value",
        wrongValue(String(retries), "a whole number from 0 on"),
      ),
    );
  if (typeof adopt === "string" && !adoptions.includes(adopt))
    found.push(
      errorAt(
        ["adopt_existing"],
        "adopt_existing takes no such value",
        wrongValue(`"${adopt}"`, "never or created_recently"),
      ),
    );
  return found;
}

/** The settings, or what is missing; undefined while one of them is not known yet. */
export function providerSettings(
  config: Value,
  env: Environment,
): ProviderSettings | readonly ProviderDiagnostic[] | undefined {
  const block: ValueMap = isValueMap(config) ? config : {};
  if (Object.values(block).includes(UNKNOWN)) return undefined;
  const url = textOf(block["url"]) ?? textOf(env["LOADFORM_URL"]);
  const apiKey = textOf(block["api_key"]) ?? textOf(env["LOADFORM_API_KEY"]);
  const missing = [
    ...(url === undefined ? [absent("url", "LOADFORM_URL", "the address of the service")] : []),
    ...(apiKey === undefined ? [absent("api_key", "LOADFORM_API_KEY", "a key of the service")] : []),
  ];
  if (url === undefined || apiKey === undefined) return missing;
  const authHeader = textOf(block["auth_header"]) ?? "X-Api-Key";
  const wrong = checkProviderConfig({ url, api_key: apiKey, auth_header: authHeader });
  if (wrong.length > 0) return wrong;
  const organization = textOf(block["organization"]);
  const retries = block["max_retries"];
  return {
    url: spelled(url),
    apiKey,
    ...(organization !== undefined && { organization }),
    authHeader,
    ...(typeof retries === "number" && { tries: retries + 1 }),
    adoptsRecent: block["adopt_existing"] === "created_recently",
  };
}

function absent(attribute: string, variable: string, what: string): ProviderDiagnostic {
  const detail = `Set ${attribute} in the provider block, or $${variable}, to ${what}`;
  return errorAt([attribute], `${attribute} is missing`, detail);
}

function textOf(value: Value | undefined): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\/[^/\s]/i.test(url) && URL.canParse(url) && isBareAddress(url);
}
