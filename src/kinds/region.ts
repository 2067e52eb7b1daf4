import { flag, integer, reference, text } from "../model/field.ts";
import type { JsonObject } from "../model/json.ts";
import { defineKind, type Wire } from "../model/kind.ts";
import { readableName } from "./field-parts.ts";
import { listProviders } from "./provider.ts";
import { listedWires, write } from "./remote-calls.ts";

/** API 2, Region: a place of a private grid where agents run. Deactivated, never deleted. */
export const region = defineKind({
  name: "region",
  plural: "regions",
  description:
    "A region of a private grid of test runners. Destroying it deactivates it; declaring it again re-activates it.",
  fields: {
    name: text({
      description: "Name of the region, unique in its grid. Cannot change in place.",
      inFiles: "Default: the key.",
      trim: true,
      maxLength: 255,
      origin: "decision",
      change: "replace",
    }),
    description: text({ description: "Where it is, what it is for.", examples: ["Rack 4"] }),
    provider: reference("provider", {
      description: "The private grid (a Shared provider) that it belongs to. Cannot change in place.",
      change: "replace",
      filledIn: true,
      wire: { name: "providerId" },
      only: { words: "a private grid: a Shared provider that is not public", fits: isGrid },
    }),
  },
  naturalKey: { within: "provider" },
  rules: [readableName],
  facts: {
    active: flag({ description: "Whether it can be used." }),
    activeAgentCount: integer({ description: "Agents that are connected." }),
  },
  remote: {
    deactivated: (wire) => wire.active === false,
    async list(scope) {
      return (await listProviders(scope)).filter(isGrid).flatMap(regionsWithGrid);
    },
    upserts: true,
    /** Looked for in its grid: the lookup by name alone would also find a region of another grid, or a public one. */
    async namesake({ api, body }) {
      if (typeof body.providerId !== "number") return undefined;
      const query = { down: true, activeRegionsOnly: true };
      const provider = await api.call("GET /providers/:id", { params: { id: body.providerId }, query });
      const regions = listedWires(provider.regions ?? [], `regions of provider ${body.providerId}`);
      return regions.find(({ name }) => name === body.name);
    },
    create: write("POST /orgs/:orgId/regions", ({ organization }) => ({ orgId: organization })),
    update: write(
      "POST /orgs/:orgId/regions",
      ({ organization }) => ({ orgId: organization }),
      ({ currentName, declared: { providerId } }) => ({
        name: currentName,
        ...((typeof providerId === "number" || providerId === null) && { providerId }),
      }),
    ),
    remove: ({ api, id }) => api.call("PUT /regions/:id", { params: { id }, body: { active: false } }),
  },
});

/** Regions of a cloud account are created by the service for each test, public ones are nobody's own. */
function isGrid({ public: isPublic, providerType }: JsonObject): boolean {
  return isPublic !== true && providerType !== "CloudOnDemand";
}

/** A region carries its grid only by standing in it. */
function regionsWithGrid(provider: JsonObject): readonly Wire[] {
  const regions = listedWires(provider.regions ?? [], `regions of provider ${Number(provider.id)}`);
  return regions.map((wire) => ({ ...wire, provider: { id: Number(provider.id) } }));
}
