import { describe, expect, it } from "vitest";
import { makeRig } from "../support/rig.ts";
import { configurationOf, twoRegions as two } from "../support/start-forms.ts";

const params = (configuration: { providers: { params: object }[] }) =>
  configuration.providers.map((each) => each.params);

describe("the runners of a start", () => {
  it("are the first region of the public grid by default", async () => {
    const made = await configurationOf({ virtual_users: "3" });
    expect(made.providers).toMatchObject([{ numRegions: 1, params: { concurrentClients: "3" }, provider: { id: 0 } }]);
  });

  it("share users evenly, in one provider configuration where they divide", async () => {
    const made = await configurationOf({ ...two, virtual_users: "6" });
    expect(params(made)).toEqual([{ regions: "cloud-us-east-1,cloud-eu-west-1", concurrentClients: "3" }]);
  });

  it("share users by weight, the whole number kept", async () => {
    const rig = await makeRig();
    const made = await configurationOf({ ...two, "conf_testrunners[0].weight": "1,2", virtual_users: "10" }, rig);
    expect(params(made)).toEqual([
      { regions: "cloud-us-east-1", concurrentClients: "3" },
      { regions: "cloud-eu-west-1", concurrentClients: "7" },
    ]);
    expect(await rig.ok("GET", "/executions/1")).toMatchObject({ concurrentClients: 10 });
  });

  it("may be several items, with tags and what is sent of runners as a whole", async () => {
    const made = await configurationOf({
      virtual_users: "5",
      "conf_testrunners[0].regions": "cloud-us-east-1",
      "conf_testrunners[0].required_tags": "big, fast",
      "conf_testrunners[b].regions": "cloud-eu-west-1",
      "conf_testrunners[b].weight": "4",
      testrunners_multiplier: "2",
      testrunners_clientips: "5",
      "testrunners_tags[team]": "shop",
      allow_shared_runners: "true",
    });
    const common = { multiplier: "2", clientIps: "5", allowSharedRunners: "true", tags: '{"team":"shop"}' };
    expect(params(made)).toEqual([
      { regions: "cloud-us-east-1", concurrentClients: "1", requiredTags: "big,fast", ...common },
      { regions: "cloud-eu-west-1", concurrentClients: "4", ...common },
    ]);
  });

  it("find private regions by name, those of another kind of grid beside them", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/orgs/1/regions", { name: "cellar" });
    const regions = { "conf_testrunners[0].regions": "cellar,cloud-us-east-1" };
    const made = await configurationOf({ ...regions, virtual_users: "4" }, rig);
    expect(made.providers).toMatchObject([
      { params: { regions: "cellar", concurrentClients: "2" }, provider: { id: 1 } },
      { params: { regions: "cloud-us-east-1", concurrentClients: "2" }, provider: { id: 0 } },
    ]);
    const only = { "conf_testrunners[0].regions": "cellar", "conf_testrunners[0].public": "false" };
    expect((await configurationOf(only, rig)).providers).toMatchObject([{ provider: { id: 1 } }]);
  });

  it("are made in a cloud account, whose secrets are not kept", async () => {
    const rig = await makeRig();
    const cloud = (name: string) => `conf_testrunners[0].${name}`;
    const fields = {
      virtual_users: "4",
      [cloud("cloud_access_key_id")]: "AKIA-SECRET",
      [cloud("cloud_secret_key")]: "TOP-SECRET",
      [cloud("vpc")]: "vpc-1",
      [cloud("regions[0].name")]: "us-east-1",
      [cloud("regions[1].name")]: "eu-west-1",
      [cloud("regions[1].instance_type")]: "c5.large",
      [cloud("regions[1].spot_max_price")]: "0.5",
    };
    const made = await configurationOf(fields, rig);
    const [{ provider, params: kept }] = made.providers;
    expect(provider).toMatchObject({
      name: "My Aws",
      providerType: "CloudOnDemand",
      metadata: { cloud: "A", vpc: "vpc-1", t2Unlimited: true },
    });
    expect(Object.keys(provider.metadata)).not.toContain("cloudSecretAccessKey");
    expect(kept).toMatchObject({
      regions: "us-east-1,eu-west-1",
      instanceType: "m4.large,c5.large",
      spotMaxPrice: "none,0.5",
    });
    const text = JSON.stringify(rig.service.snapshot());
    for (const secret of ["AKIA-SECRET", "TOP-SECRET"]) expect(text).not.toContain(secret);
    const { vpc: _, ...again } = {
      vpc: "",
      [cloud("name")]: "My Aws",
      [cloud("regions[0].name")]: "us-east-1",
      [cloud("subnet")]: "s",
    };
    const reused = await configurationOf(again, rig);
    expect(reused.providers[0].provider).toMatchObject({ id: provider.id, metadata: { vpc: "vpc-1", subnet: "s" } });
  });

  it.each([
    [
      "B",
      { cloudb_tenant_id: "t", cloudb_subscription_id: "s", cloudb_client_id: "c", cloudb_client_secret: "HIDDEN" },
      "My Azure",
      "Standard_D2_v2",
      { resourceGroup: "loadtest_[region]", lowPriority: false, cloudbTenantId: "t" },
    ],
    ["C", { cloudc_service_account: '{"key":"HIDDEN"}', zone: "a" }, "My GCP", "e2-standard-2", { zone: "a" }],
  ])("are made in cloud %s", async (_cloud, given, name, instanceType, metadata) => {
    const rig = await makeRig();
    const fields = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [`conf_testrunners[0].${key}`, value]),
    );
    const made = await configurationOf({ ...fields, "conf_testrunners[0].regions[0].name": "r" }, rig);
    expect(made.providers).toMatchObject([{ params: { instanceType }, provider: { name, metadata } }]);
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("HIDDEN");
  });
});
