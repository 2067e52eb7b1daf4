import { describe, expect, it } from "vitest";
import { fieldsOf, flat, makeRig, makeShop } from "../support/rig.ts";

const cloud = {
  name: "Cloud",
  organizationId: 1,
  providerType: "CloudOnDemand",
  metadata: { cloudAccessKeyId: "canary-id", cloudSecretAccessKey: "canary-key", zone: "a" },
};
const priv = { name: "Our grid", organizationId: 1, providerType: "Shared" };

describe("providers", () => {
  it("begin with the public grid and its seven regions", async () => {
    const rig = await makeRig();
    const [grid, ...rest] = await rig.ok("GET", "/orgs/1/providers?down=true");
    expect(rest).toEqual([]);
    expect(grid).toMatchObject({
      id: 0,
      name: "Public Shared Grid",
      providerType: "Shared",
      public: true,
      active: true,
    });
    expect(grid).not.toHaveProperty("organizationId");
    expect(grid.regions.map((region: { name: string }) => region.name)).toEqual([
      "cloud-us-east-1",
      "cloud-us-west-2",
      "cloud-ap-south-1",
      "cloud-ap-southeast-1",
      "cloud-ap-southeast-2",
      "cloud-eu-central-1",
      "cloud-eu-west-1",
    ]);
  });

  it("tell the location of a region with its provider and its regions (Region)", async () => {
    const rig = await makeRig();
    const { location } = await rig.ok("GET", "/orgs/1/regions/cloud-eu-west-1");
    expect(Object.keys(location)).toEqual([
      "id",
      "name",
      "latitude",
      "longitude",
      "description",
      "provider",
      "regions",
    ]);
    expect(location).toMatchObject({
      provider: { id: 0, name: "Public Shared Grid" },
      regions: [{ id: 7, name: "cloud-eu-west-1" }],
    });
  });

  it("never return cloud keys, keep them when left out, and return other metadata", async () => {
    const rig = await makeRig();
    expect(await rig.ok("POST", "/providers", cloud)).toMatchObject({ id: 1, metadata: { zone: "a" }, public: false });
    expect(await rig.ok("PUT", "/providers/1", { metadata: { zone: "b" } })).toMatchObject({ metadata: { zone: "b" } });
    const row = () => JSON.stringify(rig.service.snapshot().tables["provider"]?.[1]);
    expect(row()).toContain("cloudSecretAccessKey");
    expect(JSON.stringify([rig.service.snapshot(), rig.service.requests])).not.toContain("canary");
    await rig.ok("PUT", "/providers/1", { metadata: null });
    expect(row()).not.toContain("cloudSecretAccessKey");
  });

  it("take the sample body's names for organizationId and metadata", async () => {
    const rig = await makeRig();
    const { metadata, organizationId, ...rest } = cloud;
    expect(
      await rig.ok("POST", "/providers", { ...rest, organization: organizationId, providers: metadata }),
    ).toMatchObject({ organizationId: 1, metadata: { zone: "a" } });
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual([]);
  });

  it.each([
    ["API: nothing", {}, ["name", "providerType", "organizationId"]],
    ["API: another type", { ...priv, providerType: "Own" }, ["providerType"]],
    ["an organization that does not exist", { ...priv, organizationId: 9 }, ["organizationId"]],
    [
      "API: cloud keys on a Shared provider",
      { ...priv, metadata: { cloudAccessKeyId: "x" } },
      ["metadata.cloudAccessKeyId"],
    ],
    ["metadata that is no object", { ...priv, metadata: "x" }, ["metadata"]],
  ])("refuse %s", async (_, body, fields) => {
    const rig = await makeRig();
    expect(fieldsOf(await rig.call("POST", "/providers", body))).toEqual(fields);
  });

  it("do not change their type or organization", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/providers", priv);
    expect(
      fieldsOf(await rig.call("PUT", "/providers/1", { providerType: "CloudOnDemand", organizationId: 2 })),
    ).toEqual(["providerType", "organizationId"]);
    expect(await rig.ok("PUT", "/providers/1", { name: "New", providerType: "Shared" })).toMatchObject({ name: "New" });
  });

  it("cannot be deleted while a configuration runs on them, nor when public", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/providers", cloud);
    await rig.ok("PUT", "/test-confs/1", { providers: [{ providerId: 1, params: { regions: "anything" } }] });
    expect((await rig.call("DELETE", "/providers/1")).status).toBe(409);
    expect((await rig.call("DELETE", "/providers/0")).status).toBe(403);
    expect((await rig.call("PUT", "/providers/0", { name: "Mine" })).status).toBe(403);
    await rig.ok("PUT", "/test-confs/1", { providers: flat.providers });
    expect(await rig.ok("DELETE", "/providers/1")).toMatchObject({ id: 1 });
  });

  it("are listed by type", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/providers", cloud);
    const names = async (query: string) =>
      (await rig.ok("GET", `/providers?${query}`)).map((each: { name: string }) => each.name);
    expect(await names("providerType=CloudOnDemand")).toEqual(["Cloud"]);
    expect(await names("")).toEqual(["Public Shared Grid", "Cloud"]);
    expect((await rig.call("GET", "/providers?providerType=Own")).status).toBe(400);
  });
});

describe("regions", () => {
  it("are made in the first private grid, which is made when missing", async () => {
    const rig = await makeRig();
    expect(await rig.ok("POST", "/orgs/1/regions", { name: " dc-1 ", description: "Rack 4" })).toMatchObject({
      id: 8,
      name: "dc-1",
      description: "Rack 4",
      active: true,
      isShared: true,
    });
    expect(await rig.ok("GET", "/providers/1")).toMatchObject({
      providerType: "Shared",
      public: false,
      regions: [{ id: 8 }],
    });
  });

  it("have their description updated by a POST of the same name, in the grid that is named or in any", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/providers", priv);
    await rig.ok("POST", "/providers", { ...priv, name: "Second" });
    await rig.ok("POST", "/orgs/1/regions", { name: "dc", providerId: 2, description: "a" });
    expect(await rig.ok("POST", "/orgs/1/regions", { name: "dc", description: "b" })).toMatchObject({
      id: 8,
      description: "b",
    });
    expect(await rig.ok("POST", "/orgs/1/regions", { name: "dc" })).toMatchObject({ id: 8, description: "b" });
    expect(await rig.ok("POST", "/orgs/1/regions", { name: "dc", providerId: 1 })).toMatchObject({ id: 9 });
  });

  it.each([
    [{ name: "dc", providerId: 0 }, ["providerId"]],
    [{ name: "dc", providerId: 5 }, ["providerId"]],
    [{}, ["name"]],
  ])("are refused with %j", async (body, fields) => {
    const rig = await makeRig();
    expect(fieldsOf(await rig.call("POST", "/orgs/1/regions", body))).toEqual(fields);
  });

  it("are refused in a grid of cloud instances", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/providers", cloud);
    expect(fieldsOf(await rig.call("POST", "/orgs/1/regions", { name: "dc", providerId: 1 }))).toEqual(["providerId"]);
  });

  it("hide while inactive and come back by PUT or by POST", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/regions", { name: "dc" });
    expect(await rig.ok("PUT", "/regions/8", { active: false })).toMatchObject({ active: false });
    expect((await rig.ok("GET", "/providers/1")).regions).toEqual([]);
    expect((await rig.ok("GET", "/providers/1?activeRegionsOnly=false")).regions).toHaveLength(1);
    expect(await rig.ok("GET", "/orgs/1/regions")).toHaveLength(7);
    expect(await rig.ok("POST", "/orgs/1/regions", { name: "dc" })).toMatchObject({ id: 8, active: true });
    await rig.ok("PUT", "/regions/8", { active: false });
    expect(await rig.ok("PATCH", "/regions/8", { active: true })).toMatchObject({ active: true });
    expect((await rig.call("PUT", "/regions/1", { active: false })).status).toBe(403);
  });

  it("are listed in id order, whichever grid they belong to", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/providers", priv);
    await rig.ok("POST", "/providers", { ...priv, name: "Second" });
    await rig.ok("POST", "/orgs/1/regions", { name: "later-grid", providerId: 2 });
    await rig.ok("POST", "/orgs/1/regions", { name: "earlier-grid", providerId: 1 });
    const ids = (await rig.ok("GET", "/orgs/1/regions")).map((each: { id: number }) => each.id);
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("are found by id or name, with their counts on request", async () => {
    const rig = await makeRig();
    expect(await rig.ok("GET", "/orgs/1/regions/cloud-eu-west-1")).toMatchObject({ id: 7, activeAgentCount: 0 });
    expect(await rig.ok("GET", "/orgs/1/regions/7")).toMatchObject({ name: "cloud-eu-west-1" });
    expect((await rig.call("GET", "/orgs/1/regions/mars")).status).toBe(404);
    expect((await rig.ok("GET", "/orgs/1/regions?counts=false&includeSuccessHistory=true"))[0]).toEqual(
      expect.not.objectContaining({ activeAgentCount: 0 }),
    );
  });

  it("cannot be deactivated while agents run", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/regions", { name: "dc" });
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    const stamps = { createdAt: snapshot.tables.user[0].createdAt, updatedAt: snapshot.tables.user[0].updatedAt };
    snapshot.tables.agent = [
      {
        id: 1,
        ...stamps,
        organizationId: 1,
        name: "a",
        host: "h1",
        instanceId: "i-1",
        active: true,
        running: false,
        version: "1",
        regionIds: [8],
      },
    ];
    await rig.service.restore(snapshot);
    expect((await rig.call("PUT", "/regions/8", { active: false })).status).toBe(409);
    for (const path of [
      "/providers/all/agents",
      "/orgs/1/providers/all/agents",
      "/providers/1/agents",
      "/providers/1/regions/8/agents",
      "/providers/1/region/8/agents",
      "/regions/8/agents",
    ])
      expect(await rig.ok("GET", path), path).toMatchObject({
        regions: [{ region: { id: 8 }, numAgents: 1, agents: [{ host: "h1" }] }],
      });
    expect((await rig.call("GET", "/providers/0/regions/8/agents")).status).toBe(404);
    expect(await rig.ok("GET", "/agents?q=i-1,other")).toMatchObject([{ id: 1, region: { id: 8 } }]);
    expect(await rig.ok("GET", "/agents?q=other")).toEqual([]);
    expect(await rig.ok("PUT", "/agents/1", { regionIds: [] })).toMatchObject({ regions: [] });
    expect(fieldsOf(await rig.call("PUT", "/agents/1", { regionIds: [99] }))).toEqual(["regionIds[0]"]);
    expect(await rig.ok("PUT", "/regions/8", { active: false })).toMatchObject({ active: false });
    expect(await rig.ok("GET", "/regions/8/agents")).toEqual({ regions: [] });
  });
});

describe("regions of a CloudOnDemand test", () => {
  it("are created for it, active until it has completed, and used again by the next", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/providers", cloud);
    const runners = [{ providerId: 1, params: { regions: "eu-west-1,eu-west-2" } }];
    await rig.ok("PUT", "/test-confs/1", { providers: runners, durationSecs: 60, rampupSecs: 0 });
    const regions = async (query = "") =>
      (await rig.ok("GET", `/providers/1?${query}`)).regions.map(
        ({ name, active, isShared }: Record<string, unknown>) => [name, active, isShared],
      );
    expect(await regions("activeRegionsOnly=false")).toEqual([]);
    const run = await rig.ok("POST", "/test-confs/1/executions");
    const [eu] = run.regions;
    expect(eu.region).toMatchObject({ id: 8, name: "eu-west-1", active: true, runningExecutions: [1] });
    const both = ["eu-west-1", "eu-west-2"];
    expect(await regions()).toEqual(both.map((name) => [name, true, false]));
    expect(await rig.ok("GET", "/test-confs/1/summary-history?region=8")).toHaveLength(1);
    await rig.service.advance(100_000);
    expect(await regions()).toEqual([]);
    expect(await regions("activeRegionsOnly=false")).toEqual(both.map((name) => [name, false, false]));
    expect(await rig.ok("GET", "/orgs/1/regions/eu-west-1")).toMatchObject({ active: false, totalExecutions: 1 });
    const again = await rig.ok("POST", "/test-confs/1/executions");
    expect(again.regions[0].region).toMatchObject({ id: 8, active: true });
  });
});
