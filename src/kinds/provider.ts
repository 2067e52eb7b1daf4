import { meaning, nearest } from "../model/did-you-mean.ts";
import { choice, flag, map, scalar } from "../model/field.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { defineKind, type RemoteScope, type RuleFinding, type Wire } from "../model/kind.ts";
import { finding, objectName, readableName } from "./field-parts.ts";
import { listedWires, none, read, write } from "./remote-calls.ts";

const keys = ["cloudAccessKeyId", "cloudSecretAccessKey"] as const;

/** API 2, Provider: the grid of test runners that executes tests. */
export const provider = defineKind({
  name: "provider",
  plural: "providers",
  description: "A provider of test runners: a private shared grid, or cloud instances created per test.",
  fields: {
    name: objectName("Name of the provider."),
    providerType: choice(["Shared", "CloudOnDemand"], {
      description:
        "Shared: a grid of self-hosted agents. CloudOnDemand: instances created per test. Cannot change in place.",
      required: true,
      change: "replace",
    }),
    metadata: map(scalar({ description: "One value." }), {
      description: "Data of the cloud account.",
      inFiles: "For CloudOnDemand: `cloudAccessKeyId` and `cloudSecretAccessKey`, from `${env:…}` or `${file:…}` only.",
      examples: [{ cloudAccessKeyId: `\${env:CLOUD_KEY_ID}`, cloudSecretAccessKey: `\${env:CLOUD_SECRET}` }],
      secretKeys: keys,
    }),
  },
  facts: {
    public: flag({ description: "Whether every organization sees it." }),
    active: flag({ description: "Whether it can be used." }),
  },
  rules: [
    readableName,
    { origin: "documented", section: "2 Provider", check: cloudKeys },
    { origin: "documented", section: "2 Provider", check: misspeltKeys },
  ],
  offers: (wire) => regionNames(wire),
  deactivatedOffers: (wire) => regionNames(wire, ({ active }) => active === false) ?? [],
  remote: {
    needs: ["providerType"],
    list: listProviders,
    read: read("GET /providers/:id", (id) => ({ params: { id }, query: { down: false } })),
    create: write("POST /providers", none, ({ organization }) => ({ organizationId: organization })),
    update: write("PUT /providers/:id", ({ id }) => ({ id })),
    remove: ({ api, id }) => api.call("DELETE /providers/:id", { params: { id } }),
  },
});

/** The providers that an organization sees, each with all of its regions. */
export async function listProviders({ api, organization }: RemoteScope): Promise<readonly Wire[]> {
  const query = { down: true, activeRegionsOnly: false };
  const providers = await api.call("GET /orgs/:orgId/providers", { params: { orgId: organization }, query });
  return listedWires(providers, "providers");
}

/** A grid runs in its own regions; instances in a cloud are created in any region. */
function regionNames({ providerType, regions }: JsonObject, which: (region: JsonObject) => boolean = () => true) {
  if (providerType !== "Shared" || !Array.isArray(regions)) return undefined;
  const found = regions.filter((region): region is JsonObject => isObject(region) && which(region));
  return found.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

/** Access keys are for cloud accounts only. */
function cloudKeys(fields: JsonObject): readonly RuleFinding[] {
  const metadata = fields.metadata;
  if (fields.providerType !== "Shared" || typeof metadata !== "object" || metadata === null) return [];
  return keys
    .filter((key) => key in metadata)
    .map((key) => {
      const detail = "This provider is Shared: remove it, or use providerType CloudOnDemand";
      return finding(["metadata", key], `${key} is for CloudOnDemand providers`, detail);
    });
}

/** A secret under a key that almost names one would not be recognized. */
function misspeltKeys({ metadata }: JsonObject): readonly RuleFinding[] {
  if (typeof metadata !== "object" || metadata === null) return [];
  return Object.keys(metadata).flatMap((key) => {
    const meant = nearest(key, keys);
    if (meant === undefined || meant === key) return [];
    const hint = meaning("The keys are cloudAccessKeyId and cloudSecretAccessKey", { found: key, instead: meant });
    return [{ path: ["metadata", key], summary: `unknown key ${key}`, ...hint }];
  });
}
