import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, rigStart } from "../support/rig.ts";

const hour = 3_600_000;
const at = (ms: number): JsonObject => ({ scheduleType: "Single", nextScheduled: new Date(ms).toISOString() });
const nightly: JsonObject = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2 };

/** A project with one schedule. */
function tree(schedule: JsonObject) {
  const configuration: Wish = {
    kind: "configuration",
    key: "c",
    fields: {
      name: "c",
      scenario: { ref: "testCase.a/scenario.s" },
      durationSecs: 60,
      concurrentClients: 1,
      providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    },
    below: [{ kind: "schedule", key: "once", fields: schedule, below: [] }],
  };
  const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "run()" }, below: [] };
  return toTree([{ kind: "testCase", key: "a", fields: { name: "a" }, below: [scenario, configuration] }]);
}

const codes = async (rig: ReturnType<typeof makeRig>, schedule: JsonObject) =>
  (await rig.plan(tree(schedule))).diagnostics.map(({ code }) => code);

describe("a Single schedule that lies in the past", () => {
  test.each([
    ["a later moment", at(rigStart + 9 * hour)],
    ["a Recurring one", nightly],
  ])("is refused in the plan when it was %s before (LF3008)", async (_, before) => {
    const rig = makeRig();
    await rig.apply(tree(before));
    expect(await codes(rig, at(rigStart - hour))).toEqual(["LF3008"]);
    expect(await codes(rig, at(rigStart + hour))).toEqual([]);
  });

  test("is no error when it has run, or is to be what it is", async () => {
    const rig = makeRig();
    const once = at(rigStart + hour);
    await rig.apply(tree(once));
    await rig.system.sleep(2 * hour);
    expect(await codes(rig, once)).toEqual([]);
    expect((await rig.plan(tree(once))).plan?.changes).toEqual([]);
  });
});

describe("a configuration that names its scenario by what the service has", () => {
  const running = (scenario: JsonObject, name = "Browse"): Wish[] => {
    const fields = {
      name: "c",
      scenario,
      durationSecs: 60,
      concurrentClients: 1,
      providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    };
    return [
      {
        kind: "testCase",
        key: "a",
        fields: { name: "a" },
        below: [
          { kind: "scenario", key: "s", fields: { name, script: "run()" }, below: [] },
          { kind: "configuration", key: "c", fields, below: [] },
        ],
      },
    ];
  };
  const planned = async (rig: ReturnType<typeof makeRig>, scenario: JsonObject) =>
    (await rig.plan(toTree(running(scenario)))).diagnostics.map(({ code, detail }) => [code, detail]);

  test("is refused in the plan when there is none, with what there is and what was meant", async () => {
    const rig = makeRig();
    await rig.apply(toTree(running({ ref: "testCase.a/scenario.s" })));
    const there = `in the project or at the service. The service has "Browse" (id 1).`;
    expect(await planned(rig, { id: 99 })).toEqual([["LF3009", `There is no scenario with id 99 ${there}`]]);
    expect(await planned(rig, { name: "Brows" })).toEqual([
      ["LF3009", `There is no scenario "Brows" ${there} Did you mean Browse?`],
    ]);
    expect(await planned(rig, { id: 1 })).toEqual([]);
    expect(await planned(rig, { name: "Browse" })).toEqual([]);
  });

  test("is told its key when the project only declares it", async () => {
    const [[code, detail] = []] = await planned(makeRig(), { name: "Browse" });
    expect([code, detail]).toEqual([
      "LF3009",
      expect.stringContaining("The project declares it as testCase.a/scenario.s: refer to it by its key."),
    ]);
  });
});

describe("a reference by the name of an object of the project", () => {
  const runner = { provider: { name: "G" }, numRegions: 1 };
  const configuration: Wish = {
    ...{ kind: "configuration", key: "c", below: [] },
    fields: { name: "c", scenario: { ref: "testCase.a/scenario.s" }, durationSecs: 60, providers: [runner] },
  };
  const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "run()" }, below: [] };
  const testCase: Wish = { kind: "testCase", key: "a", fields: { name: "a" }, below: [scenario, configuration] };
  const grid = (name: string): Wish => ({
    ...{ kind: "provider", key: "g", fields: { name, providerType: "Shared" }, below: [] },
  });

  test("is refused in the plan that gives it another name, and not where that is ignored", async () => {
    const rig = makeRig();
    await rig.apply(toTree([grid("G")]));
    const planned = async (tree: ReturnType<typeof toTree>) =>
      (await rig.plan(tree)).diagnostics.flatMap(({ code, detail }) => (code === "LF3009" ? detail : []));
    const renaming = toTree([grid("H"), testCase]);
    expect(await planned(renaming)).toEqual([
      expect.stringContaining('This plan deletes the provider "G" or gives it another name: refer to its key'),
    ]);
    const nodes = new Map(renaming.nodes);
    const node = nodes.get("provider.g") ?? expect.unreachable();
    nodes.set("provider.g", { ...node, lifecycle: { ignore: ["name"] } });
    expect(await planned({ ...renaming, nodes })).toEqual([]);
    expect(await planned(toTree([grid("G"), testCase]))).toEqual([]);
  });

  test.each([{ name: "G" }, { id: 1 }])("is sent as its id where the object is forgotten: %j", async (provider) => {
    const rig = makeRig();
    await rig.apply(toTree([grid("G")]));
    const fields = { ...configuration.fields, concurrentClients: 1, providers: [{ provider, numRegions: 1 }] };
    const left = toTree([{ ...testCase, below: [scenario, { ...configuration, fields }] }]);
    const asked = { removed: [{ address: "provider.g", destroy: false }] };
    expect(await rig.apply(left, asked)).toMatchObject({ status: "applied" });
    expect((await rig.plan(left, asked)).plan?.changes).toEqual([]);
  });

  test("is refused in the plan that deletes it, by its name and by its id", async () => {
    const rig = makeRig();
    await rig.apply(toTree([grid("G")]));
    for (const reference of [{ name: "G" }, { id: 1 }]) {
      const providers = [{ provider: reference, numRegions: 1 }];
      const referring = { ...configuration, fields: { ...configuration.fields, providers } };
      const { diagnostics } = await rig.plan(toTree([{ ...testCase, below: [scenario, referring] }]));
      expect(diagnostics.map(({ code, detail }) => [code, detail])).toEqual([
        ["LF3009", expect.stringContaining("This plan deletes the provider ")],
      ]);
    }
  });
});

describe("a region that a provider does not have", () => {
  const project = (providerType: "Shared" | "CloudOnDemand", region: string): Wish[] => {
    const secrets = { metadata: { cloudAccessKeyId: "access-key-id", cloudSecretAccessKey: "secret-key-1" } };
    const isCloud = providerType === "CloudOnDemand";
    const own: Wish = {
      kind: "provider",
      key: "own",
      fields: { name: "own", providerType, ...(isCloud && secrets) },
      ...(isCloud && { sensitive: ["metadata.cloudAccessKeyId", "metadata.cloudSecretAccessKey"] }),
      below: [],
    };
    const dc: Wish = {
      kind: "region",
      key: "dc",
      fields: { name: "dc-1", provider: { ref: "provider.own" } },
      below: [],
    };
    const load = { scenario: { ref: "testCase.a/scenario.s" }, durationSecs: 60, concurrentClients: 1 };
    const runners = [{ provider: { ref: "provider.own" }, regions: [region] }];
    const below: Wish[] = [
      { kind: "scenario", key: "s", fields: { name: "s", script: "run()" }, below: [] },
      { kind: "configuration", key: "c", fields: { name: "c", ...load, providers: runners }, below: [] },
    ];
    return [own, ...(isCloud ? [] : [dc]), { kind: "testCase", key: "a", fields: { name: "a" }, below }];
  };

  test("is refused where the provider remains, and not where it is replaced by one that takes any region", async () => {
    const rig = makeRig();
    expect((await rig.apply(toTree(project("Shared", "dc-1")))).status).toBe("applied");
    expect((await rig.plan(toTree(project("Shared", "eu-west-1")))).diagnostics.map(({ code }) => code)).toEqual([
      "LF3009",
    ]);
    const outcome = await rig.apply(toTree(project("CloudOnDemand", "eu-west-1")));
    expect([outcome.status, outcome.diagnostics]).toEqual(["applied", []]);
    expect((await rig.plan(toTree(project("CloudOnDemand", "eu-west-1")))).plan?.changes).toEqual([]);
  });

  test("is warned of by the plan that deactivates it, and by every later one", async () => {
    const rig = makeRig();
    await rig.apply(toTree(project("Shared", "dc-1")));
    const without = project("Shared", "dc-1").filter(({ kind }) => kind !== "region");
    const warned = [["warning", "testCase.a/configuration.c: region dc-1 is deactivated"]];
    const warnings = async () =>
      (await rig.plan(toTree(without))).plan?.diagnostics.map(({ severity, summary }) => [severity, summary]);
    expect(await warnings()).toEqual(warned);
    expect((await rig.apply(toTree(without))).status).toBe("applied");
    expect(await warnings()).toEqual(warned);
    expect((await rig.plan(toTree([]), { destroy: true })).plan?.diagnostics).toEqual([]);
  });

  test("is warned of at its place where the region is deactivated, unless the project activates it again", async () => {
    const rig = makeRig();
    const all = project("Shared", "dc-1");
    await rig.apply(toTree(all));
    const regions = await rig.outside.call("GET /orgs/:org/regions", { params: { org: 1 } });
    const dc = regions.find(({ name }) => name === "dc-1");
    await rig.outside.call("PUT /regions/:id", { params: { id: dc?.id ?? -1 }, body: { active: false } });
    const text = JSON.stringify(all).replace('"regions":["dc-1"]', '"regions":["dc-1"],"concurrentClients":2');
    const changed = JSON.parse(text) as Wish[];
    const without = changed.filter(({ kind }) => kind !== "region");
    const { plan } = await rig.plan(toTree(without));
    expect([plan?.changes.length, plan?.diagnostics]).toEqual([
      2,
      [
        expect.objectContaining({
          code: "LF3009",
          severity: "warning",
          summary: "testCase.a/configuration.c: region dc-1 is deactivated",
          detail: expect.stringMatching(/^The region of own is deactivated: no agent runs there\. Declare it/),
        }),
      ],
    ]);
    expect((await rig.plan(toTree(changed))).plan?.diagnostics).toEqual([]);
  });
});
