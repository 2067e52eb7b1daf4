import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { splitUsers } from "../executions/split-users.ts";
import { type CloudSource, instanceTypeOf, putCloudProvider, readCloudSource } from "./cloud-source.ts";
import { findGrids } from "./find-grids.ts";
import { itemField, type StartForm } from "./start-form.ts";

/** Runners of one provider, as a form asks for them. */
export interface AskedRunners {
  readonly provider: number | CloudSource;
  /** Names; none for as many as there are to be. */
  readonly regions: readonly string[];
  /** One per region. */
  readonly weights: readonly number[];
  readonly params: Readonly<Record<string, string>>;
  /** The field that says how users are split. */
  readonly weightField: string;
}

type Asked = Omit<AskedRunners, "weightField">;

interface RunnersPlace {
  readonly organizationId: number;
  readonly scope: Scope;
}

/** The first region of provider 0, the public grid (API 2, Provider: Shared, public). */
const anywhere = { provider: 0, regions: [], weights: [1] } as const;

/**
 * Reads conf_testrunners (API 2, Test runner parameters).
 * DECISION (API 2, Test runner parameters: conf_testrunners): without any a run is in the first region of the public grid.
 */
export function readTestRunners(form: StartForm, place: RunnersPlace): readonly AskedRunners[] {
  const common = commonParams(form);
  const keys = form.keys("conf_testrunners[*]");
  if (keys.length === 0) return [{ ...anywhere, params: common, weightField: "virtual_users" }];
  return keys.flatMap((key) => {
    const cloud = readCloudSource(form, key, place);
    const runners = cloud ? [readCloudRunners(form, key, { cloud, place })] : readGridRunners(form, key, place);
    const weightField = itemField("conf_testrunners[*].weight", key);
    return runners.map((each) => ({ ...each, weightField, params: { ...common, ...each.params } }));
  });
}

/** Number of regions of all runners of a run. */
export function regionCount(runners: readonly AskedRunners[]): number {
  return runners.reduce((sum, { weights }) => sum + weights.length, 0);
}

/** Finds weights by which a region would get no user. */
export function checkShares(runners: readonly AskedRunners[], users: number, { findings }: Scope): void {
  const shares = splitUsers(
    users,
    runners.flatMap(({ weights }) => weights),
  );
  const fields = runners.flatMap(({ weights, weightField }) => weights.map(() => weightField));
  for (const [index, share] of shares.entries())
    if (share === 0)
      findings.add(
        fields[index] ?? "",
        `found a region without users, of ${users}; expected weights that give each one`,
      );
}

/**
 * The provider configurations of a run, its users split over all regions by weight. DECISION (API 2, Test runner parameters: weight): largest
 * remainder, ties to the earlier; where users do not divide evenly each region is a provider configuration of its own.
 */
export function providerConfigurations(
  runners: readonly AskedRunners[],
  users: number,
  { organizationId, scope }: RunnersPlace,
): readonly JsonValue[] {
  const shares = splitUsers(
    users,
    runners.flatMap(({ weights }) => weights),
  );
  const configured: JsonValue[] = [];
  let first = 0;
  for (const { provider, regions, weights, params } of runners) {
    const providerId = typeof provider === "number" ? provider : putCloudProvider(provider, organizationId, scope).id;
    const own = shares.slice(first, first + weights.length);
    first += weights.length;
    const isEven = own.every((share) => share === own[0]);
    const parts = isEven
      ? [{ regions, share: own[0] ?? 0 }]
      : regions.map((name, at) => ({ regions: [name], share: own[at] ?? 0 }));
    for (const part of parts)
      configured.push({
        providerId,
        numRegions: Math.max(1, part.regions.length),
        params: { ...namedRegions(part.regions), concurrentClients: String(part.share), ...params },
      });
  }
  return configured;
}

function namedRegions(regions: readonly string[]): Readonly<Record<string, string>> {
  return regions.length === 0 ? {} : { regions: regions.join(",") };
}

const passedOn = [
  ["instances", "instances"],
  ["testrunners_multiplier", "multiplier"],
  ["testrunners_clientips", "clientIps"],
  ["testrunners_spot", "spot"],
  ["allow_shared_runners", "allowSharedRunners"],
  ["max_runners", "maxRunners"],
] as const;

/** DECISION (API 2, Test runner parameters): what is sent of runners as a whole is kept in the params of each provider configuration. */
function commonParams(form: StartForm): Readonly<Record<string, string>> {
  const tags = form.all("testrunners_tags[*]").map(({ keys, value }) => [keys[0] ?? "", value ?? null]);
  const sent = passedOn.filter(([field]) => form.has(field)).map(([field, name]) => [name, String(form.json(field))]);
  return Object.fromEntries([
    ...sent,
    ...(tags.length > 0 ? [["tags", JSON.stringify(Object.fromEntries(tags))]] : []),
  ]);
}

function readGridRunners(form: StartForm, key: string, { organizationId, scope }: RunnersPlace): readonly Asked[] {
  const field = itemField("conf_testrunners[*].regions", key);
  const names = form.list<string>(field);
  const isPublic = form.flag(itemField("conf_testrunners[*].public", key)) ?? true;
  const tags = form.list<string>(itemField("conf_testrunners[*].required_tags", key));
  const params = tags.length > 0 ? { requiredTags: tags.join(",") } : {};
  const weights = readWeights(form, key, { regions: names.length, scope });
  if (names.length === 0 && isPublic) return [{ ...anywhere, params }];
  if (names.length === 0) scope.findings.add(field, "found none; expected names of private regions");
  const grids = findGrids(names, { field, isPublic, organizationId }, scope);
  return grids.map(({ provider, at }) => ({
    provider,
    regions: at.map((index) => names[index] ?? ""),
    weights: at.map((index) => weights[index] ?? 1),
    params,
  }));
}

/** API 2, Test runner parameters: a weight per region, even by default. */
function readWeights(
  form: StartForm,
  key: string,
  { regions, scope }: { readonly regions: number; readonly scope: Scope },
): readonly number[] {
  const field = itemField("conf_testrunners[*].weight", key);
  const weights = form.list<number>(field);
  if (weights.length === 0) return [];
  if (weights.length !== regions)
    scope.findings.add(field, `found ${weights.length} weights; expected one for each of ${regions} regions`);
  return weights;
}

function readCloudRunners(
  form: StartForm,
  key: string,
  { cloud, place }: { readonly cloud: CloudSource; readonly place: RunnersPlace },
): Asked {
  const { scope } = place;
  const keys = form.keys("conf_testrunners[*].regions[*].", [key]);
  const member = (region: string, name: string) => itemField(`conf_testrunners[*].regions[*].${name}`, key, region);
  const named = keys.map((region) => {
    const field = member(region, "name");
    const name = form.text(field)?.trim() ?? "";
    if (name === "") scope.findings.add(field, "found none; expected the name of a region of the cloud");
    return name;
  });
  const plain = form.list<string>(itemField("conf_testrunners[*].regions", key));
  const regions = [...plain, ...named];
  if (regions.length === 0)
    scope.findings.add(member("0", "name"), "found none; expected a region of the cloud to make runners in");
  const weights = readWeights(form, key, { regions: regions.length, scope });
  const perRegion = (name: string, standard: string) =>
    [...plain.map(() => standard), ...keys.map((region) => String(form.json(member(region, name)) ?? standard))].join(
      ",",
    );
  const isSent = (name: string) => keys.some((region) => form.has(member(region, name)));
  return {
    provider: cloud,
    regions,
    weights: regions.map((_, index) => weights[index] ?? 1),
    params: {
      instanceType: perRegion("instance_type", instanceTypeOf(cloud.cloud)),
      ...(isSent("instances") ? { instancesPerRegion: perRegion("instances", "auto") } : {}),
      ...(isSent("spot_max_price") ? { spotMaxPrice: perRegion("spot_max_price", "none") } : {}),
    },
  };
}
