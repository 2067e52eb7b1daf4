import type { Body } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { AgentRecord } from "../store/records/runners.ts";
import { openOrganizations, owningOrganization } from "./access.ts";
import { wordsOf } from "./read-runners.ts";
import { readName, sameName } from "./read-text.ts";
import { putRegion } from "./write-provider.ts";

/**
 * API 2, POST /agents: instances become agents of a self-hosted region. DECISION (API 2, POST /agents: response not shown): one agent per instance, in the
 * order given; a known instance joins the region besides its others and is active again, so that calling twice changes nothing.
 */
export function registerAgents(input: Body<"POST /agents">, scope: Scope): readonly AgentRecord[] {
  const instanceIds = readInstances(input.instanceIds, scope);
  const name = readName(input.regionName, scope, "regionName");
  scope.findings.check();
  const organizationId = organizationOf(name, scope);
  if (organizationId === undefined) scope.findings.add("regionName", "found no organization that this key may change");
  scope.findings.check();
  const { regionDescription: description } = input;
  const region = { name, ...(description === undefined ? {} : { description }) };
  const { id } = putRegion(region, organizationId ?? -1, scope);
  return instanceIds.map((instanceId) => putAgent(instanceId, { organizationId: organizationId ?? -1, id }, scope));
}

/** API 2, PUT /agents/:agentId: the regions that an agent works for. */
export function moveAgent(row: AgentRecord, regionIds: readonly number[], scope: Scope): AgentRecord {
  for (const [index, id] of regionIds.entries()) {
    const region = scope.store.get("region", id);
    const isOwn = region !== undefined && owningOrganization(scope.store, "region", region) === row.organizationId;
    if (!isOwn || !region.active)
      scope.findings.add(
        `regionIds[${index}]`,
        `found ${id}; expected the id of an active region of a private grid of organization ${row.organizationId}`,
      );
  }
  scope.findings.check();
  return scope.store.update("agent", row.id, { regionIds: [...new Set(regionIds)] });
}

function readInstances(text: string | null, scope: Scope): readonly string[] {
  const words = [...new Set(wordsOf(text ?? undefined))];
  if (words.length === 0) scope.findings.add("instanceIds", "found none; expected instance ids, separated by commas");
  return words.map((word) => readName(word, scope, "instanceIds"));
}

/** DECISION (API 2, POST /agents: no organization is named): the one whose private grid has the region, else the first that the key may see. */
function organizationOf(name: string, scope: Scope): number | undefined {
  const open = [...openOrganizations(scope)].sort((left, right) => left - right);
  const { store } = scope;
  const having = open.find((organization) =>
    store
      .where("provider", "organizationId", organization)
      .filter((provider) => !provider.public && provider.providerType === "Shared")
      .flatMap((provider) => store.where("region", "providerId", provider.id))
      .some((region) => sameName(region.name, name, scope)),
  );
  return having ?? open[0];
}

function putAgent(
  instanceId: string,
  region: { readonly organizationId: number; readonly id: number },
  { store }: Scope,
): AgentRecord {
  const { organizationId } = region;
  const known = store.where("agent", "organizationId", organizationId).find((row) => row.instanceId === instanceId);
  if (known) {
    const regionIds = [...new Set([...known.regionIds, region.id])];
    return store.update("agent", known.id, { active: true, regionIds });
  }
  return store.insert("agent", {
    organizationId,
    name: instanceId,
    host: instanceId,
    instanceId,
    active: true,
    running: false,
    version: "1.0.0",
    regionIds: [region.id],
  });
}
