import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { cloneJson } from "../store/json-values.ts";
import type { LocationRecord, ProviderRecord, RegionRecord } from "../store/records/runners.ts";
import { countAgents } from "./region-agents.ts";
import { countRegionRuns, isAtWork } from "./run-counts.ts";
import { stamp, type View } from "./stamp.ts";

/** Options of a provider's view (API 2, Provider: regions with `down`). */
export interface ProviderFlags {
  readonly down: boolean;
  readonly activeRegionsOnly: boolean;
}

/** API 2, Provider. Cloud keys are write-only. */
export function viewProvider(row: ProviderRecord, flags: ProviderFlags, scope: Scope): View {
  const regions = scope.store.where("region", "providerId", row.id);
  const view: Record<string, JsonValue> = {
    ...stamp(row),
    name: row.name,
    public: row.public,
    providerType: row.providerType,
    metadata: cloneJson(row.metadata),
    active: row.active,
    locations: regions.flatMap((region) => (region.location ? [viewLocation(region.location)] : [])),
  };
  if (row.organizationId !== null) view["organizationId"] = row.organizationId;
  if (flags.down)
    view["regions"] = regions
      .filter((region) => !flags.activeRegionsOnly || isActiveRegion(region, scope))
      .map((region) => viewRegion(region, scope));
  return view;
}

/** API 1, Provider configuration (response): the provider without its regions. */
export function viewProviderBrief(id: number, scope: Scope): View | null {
  const known = scope.parts.get(`provider ${id}`);
  if (known) return known;
  const view = makeProviderBrief(id, scope);
  if (view) scope.parts.set(`provider ${id}`, Object.freeze(view));
  return view;
}

function makeProviderBrief(id: number, scope: Scope): View | null {
  const row = scope.store.get("provider", id);
  if (row === undefined) return null;
  const regions = scope.store.where("region", "providerId", id);
  return {
    id: row.id,
    name: row.name,
    public: row.public,
    providerType: row.providerType,
    active: row.active,
    metadata: cloneJson(row.metadata),
    locations: regions.flatMap((region) => (region.location ? [viewLocation(region.location)] : [])),
  };
}

/** API 2, Region: with what runs in it and ran in it. */
export function viewRegion(row: RegionRecord, scope: Scope): View {
  const provider = scope.store.get("provider", row.providerId);
  return {
    ...stamp(row),
    name: row.name,
    description: row.description,
    active: isActiveRegion(row, scope),
    isPaidExternally: false,
    location: row.location ? { ...viewLocation(row.location), ...aroundLocation(row, provider) } : null,
    locationId: row.location?.id ?? null,
    instances: [],
    ...countRegionRuns(row.id, scope),
    ...countAgents(row.id, scope),
    isShared: provider?.providerType === "Shared",
  };
}

/** API 2, Region: one that was created for a CloudOnDemand test is inactive once the test has completed. */
export function isActiveRegion(row: RegionRecord, scope: Scope): boolean {
  const provider = row.active ? undefined : scope.store.get("provider", row.providerId);
  return row.active || (provider?.providerType === "CloudOnDemand" && isAtWork(row.id, scope));
}

function viewLocation(row: LocationRecord): View {
  return { id: row.id, name: row.name, latitude: row.latitude, longitude: row.longitude };
}

/** API 2, Region: what its location has beside its place; a location has one region here. */
function aroundLocation({ id, name }: RegionRecord, provider: ProviderRecord | undefined): View {
  return {
    description: null,
    provider: provider ? { id: provider.id, name: provider.name } : null,
    regions: [{ id, name }],
  };
}
