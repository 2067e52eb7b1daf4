import type { runnerRoutes } from "../../api/runners.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { findObject, findOrganization, findOwn, openOrganizations } from "../rules/access.ts";
import { deleteObject, refuseInUse } from "../rules/cascade.ts";
import { cloudImages } from "../rules/cloud-images.ts";
import { wordsOf } from "../rules/read-runners.ts";
import { readName, refuseSibling } from "../rules/read-text.ts";
import { moveAgent, registerAgents } from "../rules/write-agents.ts";
import { putRegion, readMetadata, setRegionActive } from "../rules/write-provider.ts";
import type { ProviderRecord, RegionRecord } from "../store/records/runners.ts";
import { viewAgent, viewRunningAgents } from "../views/agents.ts";
import { regionHistory } from "../views/run-counts.ts";
import { isActiveRegion, type ProviderFlags, viewProvider, viewRegion } from "../views/runners.ts";
import type { View } from "../views/stamp.ts";

const written = { down: true, activeRegionsOnly: true } as const;

/** API 2, Providers, regions, agents. */
export const runnerHandlers: Handlers<BuiltIn<typeof runnerRoutes>> = {
  "GET /providers": ({ query, scope }) => viewProviders(openProviders(openOrganizations(scope), scope), query, scope),
  "GET /orgs/:orgId/providers": ({ params, query, scope }) =>
    viewProviders(openProviders(new Set([findOrganization(scope, params.orgId).id]), scope), query, scope),
  "GET /providers/:id": ({ params, query, scope }) =>
    viewProvider(findObject(scope, "provider", params.id), query, scope),
  "HEAD /providers/:id": ({ params, scope }) => void findObject(scope, "provider", params.id),
  "POST /providers": ({ body, scope }) => {
    const name = readName(body.name, scope);
    const organizationId = readOwner(body.organizationId ?? body.organization, scope);
    const providerType = body.providerType ?? "Shared";
    // DECISION (API 2, POST /providers): `providers` is the sample body's name of `metadata`.
    const given = body.metadata ?? body.providers;
    const fields = readMetadata(given, { providerType, former: undefined, scope });
    scope.findings.check();
    refuseSibling(name, scope.store.where("provider", "organizationId", organizationId), scope);
    const row = scope.store.insert("provider", {
      organizationId,
      name,
      public: false,
      providerType,
      active: true,
      ...fields,
    });
    return viewProvider(row, written, scope);
  },
  "PUT /providers/:id": ({ params, body, scope }) => {
    const former = findOwn(scope, "provider", params.id);
    const name = body.name === undefined ? former.name : readName(body.name, scope);
    refuseFixed(body, former, scope);
    const given = body.metadata === undefined ? body.providers : body.metadata;
    const replaced = given === undefined && scope.settings.put === "replace" ? {} : given;
    const fields = readMetadata(replaced, { providerType: former.providerType, former, scope });
    scope.findings.check();
    const siblings = scope.store.where("provider", "organizationId", former.organizationId ?? -1);
    refuseSibling(name, siblings, { ...scope, self: former.id });
    const { metadata, secrets } = fields;
    return viewProvider(scope.store.update("provider", former.id, { name, metadata, secrets }), written, scope);
  },
  "DELETE /providers/:id": ({ params, scope }) => {
    const row = findOwn(scope, "provider", params.id);
    const users = scope.store
      .all("configuration")
      .filter((each) => each.providers.some((runner) => runner.providerId === row.id));
    refuseInUse(`provider ${row.id}`, users, scope);
    const view = viewProvider(row, written, scope);
    deleteObject(scope, "provider", row.id);
    return view;
  },
  "GET /providers/all/agents": ({ query, scope }) =>
    viewRunningAgents(regionsOf(openProviders(openOrganizations(scope), scope), query, scope), scope),
  "GET /orgs/:orgId/providers/all/agents": ({ params, query, scope }) => {
    const { id } = findOrganization(scope, params.orgId);
    return viewRunningAgents(regionsOf(openProviders(new Set([id]), scope), query, scope), scope);
  },
  "GET /providers/:id/agents": ({ params, query, scope }) =>
    viewRunningAgents(regionsOf([findObject(scope, "provider", params.id)], query, scope), scope),
  "GET /providers/:id/regions/:regionId/agents": ({ params, scope }) => {
    const region = findObject(scope, "region", params.regionId);
    if (region.providerId !== findObject(scope, "provider", params.id).id)
      throw new Refusal(
        404,
        `found no region ${region.id} in provider ${params.id}; it belongs to ${region.providerId}`,
      );
    return viewRunningAgents([region], scope);
  },
  "GET /regions/:regionId/agents": ({ params, scope }) =>
    viewRunningAgents([findObject(scope, "region", params.regionId)], scope),
  "GET /orgs/:org/regions": ({ params, query, scope }) => {
    const { id } = findOrganization(scope, params.org);
    const regions = regionsOf(openProviders(new Set([id]), scope), query, scope);
    return regions.map((region) => listedRegion(region, query, scope));
  },
  "GET /orgs/:org/regions/:regionIdOrName": ({ params, scope }) => {
    const { id } = findOrganization(scope, params.org);
    const regions = regionsOf(openProviders(new Set([id]), scope), { activeRegionsOnly: false }, scope);
    const wanted = params.regionIdOrName;
    const region = regions.find((each) => String(each.id) === wanted) ?? regions.find((each) => each.name === wanted);
    if (region === undefined) throw new Refusal(404, `found no region "${wanted}" in organization ${id}`);
    return viewRegion(region, scope);
  },
  "HEAD /regions/:id": ({ params, scope }) => void findObject(scope, "region", params.id),
  "POST /orgs/:orgId/regions": ({ params, body, scope }) =>
    viewRegion(putRegion(body, findOrganization(scope, params.orgId).id, scope), scope),
  "PUT /regions/:id": ({ params, body, scope }) =>
    viewRegion(setRegionActive(findOwn(scope, "region", params.id), body.active === true, scope), scope),
  "POST /agents": ({ body, scope }) => registerAgents(body, scope).map((row) => viewAgent(row, scope)),
  "GET /agents": ({ query, scope }) => {
    const wanted = wordsOf(query.q);
    const open = openOrganizations(scope);
    return scope.store
      .all("agent")
      .filter((row) => open.has(row.organizationId) && (row.active || query.includeInactive))
      .filter((row) => wanted.length === 0 || wanted.includes(row.instanceId) || wanted.includes(row.host))
      .map((row) => viewAgent(row, scope));
  },
  "HEAD /agents/:agentId": ({ params, scope }) => void findObject(scope, "agent", params.agentId),
  "PUT /agents/:agentId": ({ params, body, scope }) => {
    const row = findObject(scope, "agent", params.agentId);
    return viewAgent(moveAgent(row, body.regionIds ?? [], scope), scope);
  },
  "GET /cloud/amis": ({ query, scope }) => cloudImages(query.regions, scope),
};

function viewProviders(
  rows: readonly ProviderRecord[],
  flags: ProviderFlags & { readonly providerType?: string },
  scope: Scope,
): readonly View[] {
  return rows
    .filter((row) => flags.providerType === undefined || row.providerType === flags.providerType)
    .map((row) => viewProvider(row, flags, scope));
}

/** Public providers, and those of these organizations. */
function openProviders(organizations: ReadonlySet<number>, { store }: Scope): readonly ProviderRecord[] {
  return store.all("provider").filter((row) => row.public || organizations.has(row.organizationId ?? -1));
}

function regionsOf(
  providers: readonly ProviderRecord[],
  flags: { readonly activeRegionsOnly: boolean; readonly providerType?: string },
  scope: Scope,
): readonly RegionRecord[] {
  return providers
    .filter((row) => flags.providerType === undefined || row.providerType === flags.providerType)
    .flatMap((row) => scope.store.where("region", "providerId", row.id))
    .filter((region) => !flags.activeRegionsOnly || isActiveRegion(region, scope))
    .sort((left, right) => left.id - right.id);
}

const countFields = ["activeAgentCount", "freeAgentCount", "busyAgentCount", "instanceCount"];

/** API 2, GET /orgs/:org/regions: counts and histories on request. */
function listedRegion(
  region: RegionRecord,
  flags: { readonly counts: boolean; readonly includeSuccessHistory: boolean },
  scope: Scope,
): View {
  const view = viewRegion(region, scope);
  const kept = flags.counts
    ? view
    : Object.fromEntries(Object.entries(view).filter(([name]) => !countFields.includes(name)));
  return flags.includeSuccessHistory ? { ...kept, ...regionHistory(region.id, scope) } : kept;
}

/** DECISION (API 2, POST /providers): `organization` is the sample body's name of `organizationId`. */
function readOwner(id: number | null | undefined, scope: Scope): number {
  if (typeof id === "number" && scope.store.get("organization", id)) return findOrganization(scope, id).id;
  scope.findings.add("organizationId", `found ${id ?? "none"}; expected the id of an organization of GET /login`);
  return -1;
}

/** API 2, Provider: providerType and organizationId are not changeable. */
function refuseFixed(
  body: { readonly providerType?: string | null; readonly organizationId?: number | null },
  former: ProviderRecord,
  { findings }: Scope,
): void {
  if (body.providerType !== undefined && body.providerType !== former.providerType)
    findings.add(
      "providerType",
      `found ${body.providerType}; expected ${former.providerType}: it is not changeable`,
      "documented",
    );
  if (body.organizationId !== undefined && body.organizationId !== former.organizationId)
    findings.add(
      "organizationId",
      `found ${body.organizationId}; expected ${former.organizationId}: it is not changeable`,
      "documented",
    );
}
