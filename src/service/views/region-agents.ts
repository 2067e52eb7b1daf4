import type { Scope } from "../core/scope.ts";
import type { AgentRecord } from "../store/records/runners.ts";
import { runningIn } from "./run-counts.ts";
import type { View } from "./stamp.ts";

/** An agent at work in a region. */
export interface PlacedAgent {
  readonly agent: AgentRecord;
  readonly regionId: number;
  /** Ids of the executions that it works for. */
  readonly executions: readonly number[];
}

/**
 * The running agents of a region, in id order. DECISION (API 2, Agent: runningExecutions): an execution that runs in a region takes one of its
 * agents, in turn; with more executions than agents an agent works for several.
 */
export function agentsIn(regionId: number, scope: Scope): readonly PlacedAgent[] {
  const agents = scope.store.all("agent").filter((agent) => agent.active && agent.regionIds.includes(regionId));
  if (agents.length === 0) return [];
  const running = runningIn(regionId, scope);
  return agents.map((agent, place) => ({
    agent,
    regionId,
    executions: running.filter((_, turn) => turn % agents.length === place),
  }));
}

/** True while an agent has something to do. */
export function hasWork({ agent, executions }: PlacedAgent): boolean {
  return agent.running || executions.length > 0;
}

/** API 2, Region: counts of agents and of the instances that they run on. */
export function countAgents(regionId: number, scope: Scope): View {
  const agents = agentsIn(regionId, scope);
  const busy = agents.filter(hasWork).length;
  return {
    activeAgentCount: agents.length,
    freeAgentCount: agents.length - busy,
    busyAgentCount: busy,
    instanceCount: new Set(agents.map(({ agent }) => agent.instanceId)).size,
  };
}
