import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import { isJsonObject } from "../store/json-values.ts";
import type { RunnerRecord } from "../store/records/configurations.ts";
import type { ProviderRecord } from "../store/records/runners.ts";

/** The path of a provider configuration in the body, and the organization that it belongs to. */
interface RunnerItem {
  readonly at: string;
  readonly organizationId: number;
  readonly scope: Scope;
}

/** API 1, Provider configuration (request), as a configuration keeps it. */
export function readRunners(
  value: JsonValue | undefined,
  former: readonly RunnerRecord[] | undefined,
  place: { readonly organizationId: number; readonly scope: Scope },
): readonly RunnerRecord[] {
  const { scope } = place;
  if (value === undefined && former) return former;
  const items = Array.isArray(value) ? value.filter(isJsonObject) : [];
  if (items.length === 0) scope.findings.add("providers", "found none; expected at least one provider configuration");
  return items.map((item, index) => {
    const id = sameRunner(former?.[index], item)?.id ?? scope.store.takeId("providerConfiguration");
    return { id, ...readRunner(item, { ...place, at: `providers[${index}]` }) };
  });
}

function sameRunner(
  former: RunnerRecord | undefined,
  item: Readonly<Record<string, JsonValue>>,
): RunnerRecord | undefined {
  return former?.providerId === item["providerId"] ? former : undefined;
}

function readRunner(item: Readonly<Record<string, JsonValue>>, place: RunnerItem): Omit<RunnerRecord, "id"> {
  const { scope, at } = place;
  const provider = readProvider(item["providerId"], place);
  const params = readParams(item["params"], place);
  const named = wordsOf(params["regions"]);
  if (provider) checkRegions(provider, named, place);
  checkSplit(params, named.length, place);
  const numRegions = item["numRegions"] ?? Math.max(1, named.length);
  if (typeof numRegions === "number" && numRegions < 1)
    scope.findings.add(`${at}.numRegions`, `found ${numRegions}; expected at least 1`);
  return { providerId: provider?.id ?? 0, numRegions: Number(numRegions), params };
}

/** A reference to nothing, or to another organization's provider, is 400. */
function readProvider(
  value: JsonValue | undefined,
  { at, scope, organizationId }: RunnerItem,
): ProviderRecord | undefined {
  const provider = typeof value === "number" ? scope.store.get("provider", value) : undefined;
  if (provider && (provider.public || provider.organizationId === organizationId)) return provider;
  scope.findings.add(`${at}.providerId`, `found ${shownValue(value)}; expected the id of a provider of GET /providers`);
  return undefined;
}

/** DECISION (API 1, Provider configuration): `params` are strings; other keys than the documented ones pass through. */
function readParams(value: JsonValue | undefined, { at, scope }: RunnerItem): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) {
    scope.findings.add(`${at}.params`, `found ${shownValue(value)}; expected an object of strings`);
    return {};
  }
  const params: (readonly [string, string])[] = [];
  for (const [name, each] of Object.entries(value))
    if (typeof each === "string") params.push([name, each]);
    else if (each !== null) scope.findings.add(`${at}.params.${name}`, `found ${shownValue(each)}; expected a string`);
  return Object.fromEntries(params);
}

/** DECISION (API 1, Provider configuration): regions are names or ids; a Shared provider must have them. */
function checkRegions(provider: ProviderRecord, named: readonly string[], { at, scope }: RunnerItem): void {
  if (provider.providerType !== "Shared") return;
  const regions = scope.store.where("region", "providerId", provider.id);
  for (const name of named)
    if (!regions.some((region) => region.name === name || String(region.id) === name))
      scope.findings.add(
        `${at}.params.regions`,
        `found "${name}"; expected regions of ${provider.name}: ${regions.map((each) => each.name).join(", ") || "it has none"}`,
      );
}

/** Sums of weights remain numbers. */
const largestWeight = 1e9;

/** DECISION (API 1, Provider configuration): users per region is a count; weight one number, or one per region. */
function checkSplit(params: Readonly<Record<string, string>>, regions: number, { at, scope }: RunnerItem): void {
  const { concurrentClients, weight } = params;
  if (concurrentClients !== undefined && !/^[1-9]\d*$/.test(concurrentClients.trim()))
    scope.findings.add(
      `${at}.params.concurrentClients`,
      `found "${concurrentClients}"; expected a whole number, at least 1`,
    );
  if (weight === undefined) return;
  const weights = wordsOf(weight);
  const counted = weights.length === 1 || weights.length === regions;
  if (!counted || weights.some((each) => !(Number(each) > 0 && Number(each) <= largestWeight)))
    scope.findings.add(
      `${at}.params.weight`,
      `found "${weight}"; expected one positive number up to ${largestWeight}, or one for each of ${regions} regions`,
    );
}

/** Words of a comma-separated text. */
export function wordsOf(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
}
