import type { Scope } from "../core/scope.ts";
import type { AgentRecord, RegionRecord } from "../store/records.ts";
import { viewRegion } from "./provider.ts";
import type { View } from "./stamp.ts";
import { stamp } from "./stamp.ts";

/** Seed 2, Agent: the running-agents response. A region without running agents is left out. */
export function viewRunningAgents(regions: readonly RegionRecord[], scope: Scope): View {
  return {
    regions: regions.flatMap((region) => {
      const agents = scope.store.all("agent").filter((agent) => agent.active && agent.regionIds.includes(region.id));
      return agents.length === 0 ? [] : [regionAgents(region, agents, scope)];
    }),
  };
}

/** Seed 2, Agent: a search entry. */
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
