import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import { cloneJson } from "../store/json-values.ts";
import type { AgentRecord, LocationRecord, ProviderRecord, RegionRecord } from "../store/records/runners.ts";
import type { View } from "./stamp.ts";
import { stamp } from "./stamp.ts";

/** How a provider is shown (API 2, Provider: regions with `down`). */
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
      .filter((region) => region.active || !flags.activeRegionsOnly)
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

/** API 2, Region. Nothing runs in it yet, so its counts of executions are 0. */
export function viewRegion(row: RegionRecord, scope: Scope): View {
  const { store } = scope;
  const agents = store.all("agent").filter((agent) => agent.active && agent.regionIds.includes(row.id));
  return {
    ...stamp(row),
    name: row.name,
    description: row.description,
    active: row.active,
    isPaidExternally: false,
    location: row.location ? viewLocation(row.location) : null,
    locationId: row.location?.id ?? null,
    instances: [],
    runningExecutions: [],
    currentQueuedExecutions: [],
    currentQueuedExecutionCount: 0,
    activeAgentCount: agents.length,
    freeAgentCount: agents.filter((agent) => !agent.running).length,
    busyAgentCount: agents.filter((agent) => agent.running).length,
    instanceCount: new Set(agents.map((agent) => agent.instanceId)).size,
    totalExecutions: 0,
    successExecutions: 0,
    queuedExecutions: 0,
    totalQueuedTime: 0,
    failedQueuedExecutions: 0,
    isShared: store.get("provider", row.providerId)?.providerType === "Shared",
  };
}

function viewLocation(row: LocationRecord): View {
  return { id: row.id, name: row.name, latitude: row.latitude, longitude: row.longitude };
}

/** API 2, Agent: the running-agents response. A region without running agents is left out. */
export function viewRunningAgents(regions: readonly RegionRecord[], scope: Scope): View {
  return {
    regions: regions.flatMap((region) => {
      const agents = scope.store.all("agent").filter((agent) => agent.active && agent.regionIds.includes(region.id));
      return agents.length === 0 ? [] : [regionAgents(region, agents, scope)];
    }),
  };
}

/** API 2, Agent: a search entry. */
export function viewAgent(row: AgentRecord, scope: Scope): View {
  const regions = row.regionIds
    .flatMap((id) => scope.store.get("region", id) ?? [])
    .map((each) => viewRegion(each, scope));
  return {
    ...stamp(row),
    name: row.name,
    host: row.host,
    instanceId: row.instanceId,
    isPaidExternally: false,
    active: row.active,
    version: row.version,
    region: regions[0] ?? null,
    regions,
  };
}

function regionAgents(region: RegionRecord, agents: readonly AgentRecord[], scope: Scope): View {
  return {
    region: viewRegion(region, scope),
    totalCapacity: agents.length,
    availableCapacity: agents.filter((agent) => !agent.running).length,
    numHosts: new Set(agents.map((agent) => agent.host)).size,
    totalCpus: agents.length,
    cpuUtilization: 0,
    freeMemory: 0,
    totalMemory: 0,
    numAgents: agents.length,
    agents: agents.map((agent) => runningAgent(agent, region.id)),
  };
}

function runningAgent(agent: AgentRecord, regionId: number): View {
  return {
    id: `00000000-0000-4000-8000-${String(agent.id).padStart(12, "0")}`,
    regionId,
    pid: agent.id,
    host: agent.host,
    instanceId: agent.instanceId,
    isPaidExternally: false,
    containerId: null,
    totalCapacity: 1,
    availableCapacity: agent.running ? 0 : 1,
    freeMemory: 0,
    totalMemory: 0,
    cpu: 0,
    totalCpus: 1,
    cpuUtilization: 0,
    networkSent: 0,
    networkReceived: 0,
    disconnected: false,
    connections: 0,
    version: agent.version,
    runningExecutions: [],
  };
}
