import type { RouteTable } from "./route-descriptor.ts";

const seed = "2 Providers, regions, agents";
const listing = {
  down: "boolean=false",
  activeRegionsOnly: "boolean=true",
  providerType: "Shared|CloudOnDemand",
} as const;
const agentFilter = { activeRegionsOnly: "boolean=true", providerType: "Shared|CloudOnDemand" } as const;

/** Seed 2, Providers, regions, agents. */
export const runnerRoutes = {
  "POST /agents": {
    seed,
    body: { instanceIds: "string!", regionName: "string!", regionDescription: "string" },
    answer: "@agent[]",
    later: true,
  },
  "GET /providers": { seed, query: listing, answer: "@provider[]" },
  "GET /orgs/:orgId/providers": {
    seed,
    query: listing,
    answer: "@provider[]",
    decision: "Includes the public ones.",
  },
  "GET /providers/:id": {
    seed,
    query: { down: "boolean=true", activeRegionsOnly: "boolean=true" },
    answer: "@provider",
  },
  "POST /providers": {
    seed,
    body: {
      name: "string!",
      organizationId: "int",
      organization: "int",
      providerType: "Shared|CloudOnDemand!",
      metadata: "json",
      providers: "json",
    },
    answer: "@provider",
    decision: "organization and providers (the seeds' sample) are aliases of organizationId and metadata.",
  },
  "HEAD /providers/:id": { seed: "1 conventions 4", answer: "none" },
  "PUT /providers/:id": {
    seed,
    body: {
      name: "string",
      metadata: "json",
      providers: "json",
      providerType: "Shared|CloudOnDemand",
      organizationId: "int",
    },
    answer: "@provider",
    decision: "providerType and organizationId may be sent unchanged; another value is 400.",
  },
  "DELETE /providers/:id": {
    seed,
    answer: "@provider",
    decision: "409 while a configuration runs on it.",
  },
  "GET /providers/all/agents": { seed, query: agentFilter, answer: "@runningAgents" },
  "GET /orgs/:orgId/providers/all/agents": { seed, query: agentFilter, answer: "@runningAgents" },
  "GET /providers/:id/agents": { seed, query: { activeRegionsOnly: "boolean=true" }, answer: "@runningAgents" },
  "GET /providers/:id/regions/:regionId/agents": {
    seed,
    answer: "@runningAgents",
    aliases: ["/providers/:id/region/:regionId/agents"],
  },
  "GET /regions/:regionId/agents": { seed, answer: "@runningAgents" },
  "GET /orgs/:org/regions": {
    seed,
    query: {
      primary: "boolean=false",
      activeRegionsOnly: "boolean=true",
      counts: "boolean=true",
      includeSuccessHistory: "boolean=false",
    },
    answer: "@region[]",
  },
  "GET /orgs/:org/regions/:regionIdOrName": { seed, params: { regionIdOrName: "string" }, answer: "@region" },
  "POST /orgs/:orgId/regions": {
    seed,
    summary: "Creates a region of a private grid, or updates the description of the one of that name",
    body: { name: "string!", description: "string", providerId: "int" },
    answer: "@region",
    decision: "The named grid, else any that has the region, else the first; an inactive region is re-activated.",
  },
  "PUT /regions/:id": {
    seed,
    body: { active: "boolean!" },
    answer: "@region",
    decision: "Takes both values of active; false while agents run is 409.",
  },
  "HEAD /regions/:id": { seed: "1 conventions 4", answer: "none" },
  "GET /agents": { seed, query: { q: "string", includeInactive: "boolean=false" }, answer: "@agent[]" },
  "PUT /agents/:agentId": { seed, body: { regionIds: "int[]!" }, answer: "@agent" },
  "GET /cloud/amis": { seed, query: { regions: "string" }, answer: "@cloudImage[]", later: true },
} as const satisfies RouteTable;
