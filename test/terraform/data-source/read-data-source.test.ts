import { describe, expect, it } from "vitest";
import type { Value, ValueMap } from "../../../src/terraform/wire/values.ts";
import { SessionCore } from "../../support/terraform/session-core.ts";
import { idOf, makeShop } from "../../support/terraform/shop.ts";

const names = (values: Value | undefined) => (values as readonly ValueMap[]).map(({ name }) => name);

describe("data sources", () => {
  it("find the organization that the provider works in, and another one by name", async () => {
    const core = await SessionCore.open();
    const own = await core.readData("loadform_organization", {});
    expect(own["id"]).toBe("1");
    expect(await core.readData("loadform_organization", { name: own["name"] as string })).toEqual(own);
    await expect(core.readData("loadform_organization", { name: "no such" })).rejects.toThrow("The key sees");
  });

  it("find one object by id or by name, and say so when there is none, or several", async () => {
    const core = await SessionCore.open();
    const { testCase, scenario } = await makeShop(core);
    expect(await core.readData("loadform_test_case", { name: "Shop" })).toMatchObject({
      id: idOf(testCase),
      name: "Shop",
    });
    const found = await core.readData("loadform_scenario", { id: idOf(scenario) });
    expect(found).toMatchObject({ name: "browse", script: "run()", test_case_id: idOf(testCase) });
    const other = await core.create("loadform_test_case", { name: "Other" });
    await core.create("loadform_scenario", { test_case_id: idOf(other), name: "browse", script: "x()" });
    await core.walk();
    await expect(core.readData("loadform_scenario", { name: "browse" })).rejects.toThrow("The ids 1, 2 all have");
    const within = await core.readData("loadform_scenario", { name: "browse", test_case_id: idOf(other) });
    expect(within["script"]).toBe("x()");
    await expect(core.readData("loadform_test_case", { name: "none" })).rejects.toThrow(
      "no loadform_test_case was found",
    );
    await expect(core.readData("loadform_test_case", {})).rejects.toThrow("needs id or name");
  });

  it("find providers and regions, public ones too, and never a secret", async () => {
    const core = await SessionCore.open();
    const cloud = {
      provider_type: "CloudOnDemand",
      cloud_access_key_id: "AKIA-x",
      cloud_secret_access_key: "secret-x",
    };
    await core.create("loadform_provider", { name: "cloud", ...cloud });
    const found = await core.readData("loadform_provider", { name: "cloud" });
    expect(JSON.stringify(found)).not.toMatch(/AKIA|secret-x/);
    const region = await core.readData("loadform_region", { name: "cloud-us-east-1" });
    expect(region).toMatchObject({ provider_id: "0", active: true });
    await core.create("loadform_region", { name: "rack" });
    const all = await core.readData("loadform_regions", {});
    expect(names(all["regions"])).toContain("rack");
    const own = await core.readData("loadform_regions", { provider_id: "0" });
    expect(names(own["regions"])).not.toContain("rack");
    expect(names(own["regions"])).toEqual([...names(own["regions"])].sort());
    await expect(core.readData("loadform_regions", { provider_id: "99" })).rejects.toThrow(
      "provider_id refers to nothing",
    );
  });

  it("list the tags, and the refs of a repository", async () => {
    const core = await SessionCore.open({ settings: { refs: { "https://git.test/a.git": ["refs/heads/main"] } } });
    const { testCase } = await makeShop(core);
    await core.create("loadform_scenario", { test_case_id: idOf(testCase), name: "t", script: "x", tags: ["b", "a"] });
    expect(names((await core.readData("loadform_tags", {}))["tags"])).toEqual(["a", "b"]);
    const root = await core.create("loadform_vcs_root", { name: "r", url: "https://git.test/a.git" });
    expect(await core.readData("loadform_vcs_root_refs", { vcs_root_id: idOf(root) })).toMatchObject({
      refs: ["refs/heads/main"],
    });
  });
});
