import type { JsonValue } from "../../api/routes.ts";
import { shownValue } from "../core/check-body.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { isJsonObject } from "../store/json-values.ts";
import type { ProviderRecord, RegionRecord } from "../store/records/runners.ts";
import type { Bag } from "../store/records/stored.ts";
import { touchParents } from "./cascade.ts";
import { readName, sameName } from "./read-text.ts";

/** Cloud keys: write-only. */
const secretKeys = ["cloudAccessKeyId", "cloudSecretAccessKey", "cloudbClientSecret", "cloudcServiceAccount"];

/** Metadata of a provider as it is stored, with digests of its secrets. */
export type Metadata = Pick<ProviderRecord, "metadata" | "secrets">;

/**
 * API 2, Provider: metadata. DECISION (API 2, Provider: metadata): it is replaced whole, but for cloud keys that are left out: those cannot be read
 * back, so they are kept until null clears them.
 */
export function readMetadata(
  value: JsonValue | undefined,
  {
    providerType,
    former,
    scope,
  }: { readonly providerType: string; readonly former: Metadata | undefined; readonly scope: Scope },
): Metadata {
  if (value === undefined) return former ?? { metadata: {}, secrets: {} };
  if (value === null) return { metadata: {}, secrets: {} };
  if (!isJsonObject(value)) {
    scope.findings.add("metadata", `found ${shownValue(value)}; expected an object`);
    return { metadata: {}, secrets: {} };
  }
  const given = secretKeys.filter((name) => value[name] !== undefined && value[name] !== null);
  if (providerType !== "CloudOnDemand") refuseCloudKeys(given, providerType, scope);
  const secrets = secretKeys.flatMap((name): [string, string][] => {
    const digest = value[name] === undefined ? former?.secrets[name] : readSecret(name, value[name], scope);
    return digest === undefined ? [] : [[name, digest]];
  });
  const metadata: Bag = Object.fromEntries(
    Object.entries(value).filter(([name, each]) => !secretKeys.includes(name) && each !== null),
  );
  return { metadata, secrets: Object.fromEntries(secrets) };
}

/** API 2, Provider: metadata: cloud keys are for CloudOnDemand. */
function refuseCloudKeys(names: readonly string[], providerType: string, { findings }: Scope): void {
  for (const name of names)
    findings.add(
      `metadata.${name}`,
      `found it on a ${providerType} provider; expected it on CloudOnDemand only`,
      "documented",
    );
}

/** The digest of a cloud key; null clears it. */
function readSecret(name: string, value: JsonValue, { digest, findings }: Scope): string | undefined {
  if (typeof value === "string") return digest(value);
  if (value !== null) findings.add(`metadata.${name}`, "found no text; expected text");
  return undefined;
}

/** A region as a request names it. */
export interface RegionInput {
  readonly name: string | null;
  readonly description?: string | null;
  readonly providerId?: number | null;
}

/**
 * API 2, POST /orgs/:orgId/regions: an existing region of that name in the private grid only has its description
 * updated. DECISION (API 2, POST /orgs/:orgId/regions): the named grid, else any, else the first, made if missing; an inactive region is re-activated.
 */
export function putRegion(input: RegionInput, organizationId: number, scope: Scope): RegionRecord {
  const name = readName(input.name, scope);
  const grids = privateGrids(organizationId, scope);
  const chosen = readGrid(input.providerId, grids, scope);
  scope.findings.check();
  const former = (chosen ? [chosen] : grids)
    .flatMap((grid) => scope.store.where("region", "providerId", grid.id))
    .find((region) => sameName(region.name, name, scope));
  const row = former
    ? revive(former, input, scope)
    : scope.store.insert("region", {
        providerId: (chosen ?? grids[0] ?? makeGrid(organizationId, scope)).id,
        name,
        description: input.description ?? null,
        active: true,
        location: null,
      });
  touchParents(scope, "region", row);
  return row;
}

/** API 2, States: Region: deactivation requires that no agent runs there. DECISION (API 2, States: Region): 409 otherwise; true re-activates. */
export function setRegionActive(row: RegionRecord, active: boolean, scope: Scope): RegionRecord {
  const agents = scope.store.all("agent").filter((agent) => agent.active && agent.regionIds.includes(row.id));
  if (!active && agents.length > 0)
    throw new Refusal(
      409,
      `found ${agents.length} running agents in region ${row.id}; expected none: stop them first`,
      {
        origin: "documented",
      },
    );
  const changed = scope.store.update("region", row.id, { active });
  touchParents(scope, "region", changed);
  return changed;
}

function privateGrids(organizationId: number, { store }: Scope): readonly ProviderRecord[] {
  return store
    .where("provider", "organizationId", organizationId)
    .filter((provider) => !provider.public && provider.providerType === "Shared");
}

function readGrid(
  id: number | null | undefined,
  grids: readonly ProviderRecord[],
  scope: Scope,
): ProviderRecord | undefined {
  if (id === undefined || id === null) return undefined;
  const grid = grids.find((each) => each.id === id);
  if (grid === undefined)
    scope.findings.add(
      "providerId",
      `found ${id}; expected a private grid, a Shared provider of this organization: ${grids.map((each) => each.id).join(", ") || "it has none"}`,
    );
  return grid;
}

function revive(former: RegionRecord, input: RegionInput, { store }: Scope): RegionRecord {
  const description = input.description === undefined ? former.description : input.description;
  return store.update("region", former.id, { description, active: true });
}

/** API 2, Provider: a private shared provider is created automatically; DECISION (API 2, Provider): a private grid is made with its first region too. */
function makeGrid(organizationId: number, { store }: Scope): ProviderRecord {
  return store.insert("provider", {
    organizationId,
    name: "Private Shared Grid",
    public: false,
    providerType: "Shared",
    metadata: {},
    active: true,
    secrets: {},
  });
}
