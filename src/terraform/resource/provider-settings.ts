import { wrongValue } from "../../model/diagnostic.ts";
import type { ProviderDiagnostic } from "../provider-session.ts";
import type { Value, ValueMap } from "../wire/values.ts";
import { isValueMap, UNKNOWN } from "../wire/values.ts";
import { errorAt } from "./provider-problem.ts";

/** What a provider block and the environment say of the service. */
export interface ProviderSettings {
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
  const { url, max_retries: retries, adopt_existing: adopt } = config;
  const found: ProviderDiagnostic[] = [];
  if (typeof url === "string" && !isWebAddress(url))
    found.push(errorAt(["url"], "url is no address of a service", "It must begin with http:// or https://"));
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
  if (!isWebAddress(url)) return checkProviderConfig({ url });
  const organization = textOf(block["organization"]);
  const retries = block["max_retries"];
  return {
    url,
    apiKey,
    ...(organization !== undefined && { organization }),
    authHeader: textOf(block["auth_header"]) ?? "X-Api-Key",
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
  return /^https?:\/\/[^/\s]/i.test(url);
}
