import type { Scope } from "../core/scope.ts";
import type { AgentRecord, RegionRecord } from "../store/records/runners.ts";
import { agentsIn, hasWork, type PlacedAgent } from "./region-agents.ts";
import { viewRegion } from "./runners.ts";
import { stamp, type View } from "./stamp.ts";

/** API 2, Agent: the running-agents response. A region without running agents is left out. */
export function viewRunningAgents(regions: readonly RegionRecord[], scope: Scope): View {
  return {
    regions: regions.flatMap((region) => {
      const agents = agentsIn(region.id, scope);
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

function regionAgents(region: RegionRecord, agents: readonly PlacedAgent[], scope: Scope): View {
  const busy = agents.filter(hasWork).length;
  return {
    region: viewRegion(region, scope),
    totalCapacity: agents.length,
    availableCapacity: agents.length - busy,
    numHosts: new Set(agents.map(({ agent }) => agent.host)).size,
    totalCpus: agents.length * size.cpus,
    cpuUtilization: busyShare * (busy / agents.length),
    freeMemory: agents.length * size.memory - busy * busyShare * size.memory,
    totalMemory: agents.length * size.memory,
    numAgents: agents.length,
    agents: agents.map(runningAgent),
  };
}

/**
 * DECISION (API 2, Agent: totalCapacity, totalCpus, totalMemory): an agent takes one execution at a time and has what a script runner has by
 * default, 2 CPUs and 8 GB; nothing is measured, so a busy one uses half of both.
 */
const size = { executions: 1, cpus: 2, memory: 8 * 1024 ** 3 } as const;
const busyShare = 0.5;

function runningAgent(placed: PlacedAgent): View {
  const { agent, regionId, executions } = placed;
  const used = hasWork(placed) ? 1 : 0;
  return {
    id: `00000000-0000-4000-8000-${String(agent.id).padStart(12, "0")}`,
    regionId,
    pid: agent.id,
    host: agent.host,
    instanceId: agent.instanceId,
    isPaidExternally: false,
    containerId: null,
    totalCapacity: size.executions,
    availableCapacity: size.executions - used,
    freeMemory: size.memory * (1 - used * busyShare),
    totalMemory: size.memory,
    cpu: size.cpus * used * busyShare,
    totalCpus: size.cpus,
    cpuUtilization: used * busyShare,
    networkSent: 0,
    networkReceived: 0,
    disconnected: false,
    connections: 0,
    version: agent.version,
    runningExecutions: [...executions],
  };
}
