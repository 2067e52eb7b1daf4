import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { planResource } from "../../../src/terraform/resource/plan-resource.ts";
import { UNKNOWN, type ValueMap } from "../../../src/terraform/wire/values.ts";
import { terraformSchema } from "../../../src/terraform-schema/schema.ts";
import { type Config, Refused, SessionCore } from "../../support/terraform/session-core.ts";
import { configurationOf, idOf, makeShop } from "../../support/terraform/shop.ts";

const type = "loadform_configuration";

describe("planning", () => {
  it("plans documented defaults as constants, what the service chooses as unknown, inactive fields as null", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const { planned } = await core.plan(type, configurationOf(shop.testCase, shop.scenario));
    expect(planned).toMatchObject({
      id: UNKNOWN,
      rampup_secs: 60,
      profile_type: "Flat",
      image_diff_mode: "None",
      step: null,
    });
    const more = {
      profile_type: "BreakingPoint",
      triggers: [
        { conditions: [{ metric: "a", operator: "GT", threshold: 1 }], actions: [{ action_type: "StopExecution" }] },
      ],
    };
    const step = await core.plan(type, configurationOf(shop.testCase, shop.scenario, more));
    expect(step.planned).toMatchObject({ rampup_secs: null });
    const open = await core.plan(type, configurationOf(shop.testCase, shop.scenario, { profile_type: UNKNOWN }));
    expect(open.planned).toMatchObject({ rampup_secs: UNKNOWN, iterations: null });
  });

  it("changes nothing of what the service lets nobody change, and puts another in its place where that is needed", async () => {
    const core = await SessionCore.open();
    const { testCase } = await makeShop(core);
    const config = { test_case_id: idOf(testCase), name: "fixed", script: "run()" };
    const made = await core.create("loadform_scenario", config);
    const resource = terraformSchema(kinds).resources.get("loadform_scenario") ?? expect.unreachable();
    const world = { now: () => 0, isBundled: async () => false, references: async () => [] };
    const plan = async (changed: Config) => {
      const { prior, planned, config: given } = await core.plan("loadform_scenario", { ...config, ...changed }, made);
      const fixed = { ...(prior as ValueMap), readonly: true };
      return planResource(world, resource, {
        prior: fixed,
        proposed: planned,
        config: given,
        priorPrivate: made.private,
        type: resource.type,
        capabilities: { writeOnlyAttributesAllowed: true },
      });
    };
    expect((await plan({ name: "other" })).diagnostics).toMatchObject([{ summary: "loadform_scenario is read-only" }]);
    const elsewhere = await plan({ test_case_id: UNKNOWN, name: "other" });
    expect([elsewhere.diagnostics, elsewhere.requiresReplace]).toEqual([[], [["test_case_id"]]]);
  });

  it("keeps values that mean the same exactly as they were", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const made = await core.create(
      type,
      configurationOf(testCase, scenario, { name: "other", script_params: '{"a":1,"b":"2"}' }),
    );
    const same = configurationOf(testCase, scenario, { name: " other ", script_params: '{ "b": "2", "a": "1" }' });
    expect(SessionCore.isEmpty(await core.plan(type, same, made))).toBe(true);
    const changed = await core.plan(
      type,
      configurationOf(testCase, scenario, { name: "other", script_params: '{"a":1}' }),
      made,
    );
    expect(changed.planned).toMatchObject({ script_params: '{"a":1}', updated_at: UNKNOWN, id: made.value["id"] });
  });

  it("does not know the rows of a file whose name will be another, since its extension says how it is read", async () => {
    const core = await SessionCore.open();
    const { scenario } = await makeShop(core);
    const file = { scenario_id: idOf(scenario), name: "users.txt", contents: "a,b\n1,2\n3,4\n" };
    const text = await core.create("loadform_data_store", file);
    expect(text.value["num_rows"]).toBeNull();
    const table = await core.update(text, { ...file, name: "users.csv" });
    expect(table.value["num_rows"]).toBe(2);
    expect((await core.refresh(table))?.value).toEqual(table.value);
    expect((await core.update(table, file)).value["num_rows"]).toBeNull();
  });

  it("brings a field that is no longer configured back to its default, and clears one without", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const made = await core.create(
      type,
      configurationOf(testCase, scenario, { name: "x", rampup_secs: 5, script_params: '{"a":"1"}' }),
    );
    const back = await core.update(made, configurationOf(testCase, scenario, { name: "x" }));
    expect(back.value).toMatchObject({ rampup_secs: 60, script_params: "{}" });
    expect((await core.refresh(back))?.value).toEqual(back.value);
  });

  it("replaces what cannot change in place, and only then", async () => {
    const core = await SessionCore.open();
    const { testCase } = await makeShop(core);
    const config = { test_case_id: idOf(testCase), name: "g", url: "https://a.test" };
    const made = await core.create("loadform_gateway", config);
    expect((await core.plan("loadform_gateway", { ...config, name: "h" }, made)).replace).toEqual([]);
    const plan = await core.plan("loadform_gateway", { ...config, url: "https://b.test" }, made);
    expect(plan.replace).toEqual(["url"]);
    const replaced = await core.apply(plan);
    expect(replaced.value["id"]).not.toBe(made.value["id"]);
    expect(await core.refresh(made)).toBeUndefined();
  });

  it("makes errors of our own decisions on the bundled service, asking it once", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const doubtful = configurationOf(testCase, scenario, { name: "d", start_concurrent_clients: 2 });
    await expect(core.plan(type, doubtful)).rejects.toThrow("start_concurrent_clients has no effect");
  });

  it("errs for a missing secret of a new object, and is silent about one that is there", async () => {
    const core = await SessionCore.open();
    const root = { name: "r", url: "https://git.test/a.git", vcs_auth_type: "Username", username: "ci" };
    await expect(core.plan("loadform_vcs_root", root)).rejects.toThrow("needs password");
    const made = await core.create("loadform_vcs_root", { ...root, password: "hunter2-long" });
    const imported = await core.import("loadform_vcs_root", String(made.value["id"]));
    expect(imported.value["password"]).toBeNull();
    expect(SessionCore.isEmpty(await core.plan("loadform_vcs_root", root, imported))).toBe(true);
  });

  it.each([
    ["loadform_test_case", { name: "a\nb" }, ["name"], "warning"],
    ["loadform_tag", { name: "a\u2028b" }, ["name"], "warning"],
    ["loadform_scenario", { name: "s", script: "" }, ["script"], "warning"],
    ["loadform_configuration", { providers: [] }, ["providers"], "warning"],
    [
      "loadform_configuration",
      { triggers: [{ conditions: [], actions: [] }] },
      ["triggers", 0, "conditions"],
      "warning",
    ],
    [
      "loadform_configuration",
      { providers: [{ provider_id: "0", regions: ["cloud-us-east-1,cloud-eu-west-1"] }] },
      ["providers", 0, "regions", 0],
      "error",
    ],
  ] as const)("refuses what the service does, at its attribute: %s %j", async (of, config, path, validated) => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const parent = of === "loadform_scenario" ? { test_case_id: idOf(testCase) } : {};
    const whole = of === type ? configurationOf(testCase, scenario, config as Config) : { ...config, ...parent };
    expect((await core.validate(of, whole as Config))[0]).toMatchObject({ severity: validated, path });
    expect((await core.refusals(of, whole as Config))[0]).toMatchObject({ severity: "error", path });
  });

  it("says what is wrong in words that hold in HCL too", async () => {
    const core = await SessionCore.open();
    const runner = { provider_id: "0", regions: ["a", "b", "c"], weight: [1, 2], params: { regions: "x" } };
    const found = await core.validate(type, {
      ...{ test_case_id: "1", scenario_id: "1", name: "x", concurrent_clients: 1, duration_secs: 1 },
      ...{ providers: [runner], script_params: "text" },
    });
    const words = found.map(({ summary, detail }) => `${summary}: ${detail}`);
    expect(words).toEqual([
      expect.stringMatching(/^script_params is not a JSON object: Write names and values, as in \{/),
      "regions does not belong under params: It is a field of its own: write regions next to params, not inside it",
      expect.stringContaining("give a single weight for all of them, or one for each"),
    ]);
  });

  it("refuses ids in another spelling than the service's, which would be replaced at every apply", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    const config = configurationOf(testCase, scenario, { name: "x" });
    for (const id of ["01", " 1", "Shop", "1.0", ""]) {
      const refused = {
        severity: "error",
        detail: expect.stringContaining(`${JSON.stringify(id)}; it must be the id`),
      };
      expect(await core.refusals(type, { ...config, test_case_id: id })).toMatchObject([
        { ...refused, path: ["test_case_id"], summary: "test_case_id is no id" },
      ]);
      const runner = { provider_id: id, regions: ["cloud-us-east-1"] };
      expect(await core.refusals(type, { ...config, scenario_id: id, providers: [runner] })).toMatchObject([
        { ...refused, path: ["scenario_id"] },
        { ...refused, path: ["providers", 0, "provider_id"] },
      ]);
    }
    await expect(core.import("loadform_test_case", "01")).rejects.toThrow("is imported by its id");
    await expect(core.readData("loadform_test_case", { id: "01" })).rejects.toThrow("id is no id");
  });

  it("plans without a service as long as nothing has to be read", async () => {
    const core = new SessionCore();
    await core.walk({ url: UNKNOWN });
    expect((await core.plan("loadform_test_case", { name: "Shop" })).planned).toMatchObject({ id: UNKNOWN });
    const kept = { type: "loadform_test_case", value: {}, private: new Uint8Array() };
    await expect(core.refresh(kept)).rejects.toThrow(Refused);
  });
});
