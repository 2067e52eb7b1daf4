import { describe, expect, it } from "vitest";
import { SessionCore } from "../../support/terraform/session-core.ts";
import { idOf, makeShop } from "../../support/terraform/shop.ts";

const hourMs = 3_600_000;

describe("a create that would collide with an object of the service", () => {
  it("is an error with the import block to paste, and writes nothing", async () => {
    const core = await SessionCore.open();
    const { id } = await core.outside.call("POST /test-cases", {
      body: { name: "Shop", description: "theirs", org: 1 },
    });
    const refused = core.create("loadform_test_case", { name: " Shop ", description: "ours" });
    await expect(refused).rejects.toThrow(`import {\n  to = loadform_test_case.<name>\n  id = "${id}"\n}`);
    const found = await core.outside.call("GET /test-cases/:testCaseId", { params: { testCaseId: id } });
    expect(found.description).toBe("theirs");
  });

  it("is none for siblings of this configuration that share a name where names may be shared", async () => {
    const core = await SessionCore.open();
    const { testCase } = await makeShop(core);
    const config = { test_case_id: idOf(testCase), name: "browse", script: "other()" };
    expect(idOf(await core.create("loadform_scenario", config))).toBe("2");
    await core.walk();
    await expect(core.create("loadform_scenario", config)).rejects.toThrow("exists already");
  });

  it("says so where it is another resource of this configuration that has the name", async () => {
    const core = await SessionCore.open();
    await core.create("loadform_test_case", { name: "Shop" });
    const twin = core.create("loadform_test_case", { name: "Shop" });
    await expect(twin).rejects.toThrow(
      "loadform_test_case with id 1 has this name, and is another resource of this configuration: two may not share one",
    );
    await core.walk();
    const other = core.create("loadform_test_case", { name: "Shop" });
    await expect(other).rejects.toThrow(
      "loadform_test_case with id 1 has this name. If a resource of this configuration has it",
    );
  });

  it("is one for an object of this configuration that would be updated instead", async () => {
    const core = await SessionCore.open();
    const made = await core.create("loadform_test_case", { name: "Shop" });
    await expect(core.create("loadform_test_case", { name: "Shop" })).rejects.toThrow("exists already");
    const both = await Promise.allSettled(
      [1, 2].map((n) => core.create("loadform_test_case", { name: "New", description: `${n}` })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await core.update(made, { name: "Store" });
    await expect(core.create("loadform_test_case", { name: "Store" })).rejects.toThrow("exists already");
    expect(idOf(await core.create("loadform_test_case", { name: "Shop" }))).toBe("3");
  });

  it("binds an object made within the last hour where that is asked for, and brings it to what is planned", async () => {
    const core = await SessionCore.open({ provider: { adopt_existing: "created_recently" } });
    const { scenario, testCase } = await makeShop(core);
    await core.walk();
    const config = { test_case_id: idOf(testCase), name: "browse", script: "changed()", tags: ["smoke"] };
    const bound = await core.create("loadform_scenario", config);
    expect(idOf(bound)).toBe(idOf(scenario));
    expect((await core.refresh(bound))?.value).toEqual(bound.value);
    expect(core.warnings[0]?.summary).toContain("was taken over");
    core.time.now += hourMs + 1;
    await core.service.advance(hourMs + 1);
    await core.walk();
    await expect(core.create("loadform_scenario", config)).rejects.toThrow("exists already");
  });

  it("waits a moment for one that another resource of this configuration is just deleting", async () => {
    let meanwhile = async (): Promise<void> => undefined;
    const core = await SessionCore.open({ onSleep: () => void meanwhile() });
    const { testCase } = await makeShop(core);
    const config = { test_case_id: idOf(testCase), name: "api", url: "https://a.test" };
    const former = await core.create("loadform_gateway", config);
    await core.walk();
    meanwhile = async () => {
      await core.destroy(former);
    };
    const made = await core.create("loadform_gateway", config);
    expect(idOf(made)).not.toBe(idOf(former));
    expect((await core.refresh(made))?.value).toEqual(made.value);
  });

  it("is not deleted by the resource that had it, once another one has taken it over", async () => {
    const core = await SessionCore.open({ provider: { adopt_existing: "created_recently" } });
    const { testCase } = await makeShop(core);
    const config = { test_case_id: idOf(testCase), name: "api", url: "https://a.test" };
    const former = await core.create("loadform_gateway", config);
    await core.walk();
    const bound = await core.create("loadform_gateway", config);
    await core.destroy(former);
    expect(idOf(bound)).toBe(idOf(former));
    expect((await core.refresh(bound))?.value).toEqual(bound.value);
  });

  it("is not taken over where no update could bring it to what is planned", async () => {
    const core = await SessionCore.open({ provider: { adopt_existing: "created_recently" } });
    const { testCase } = await makeShop(core);
    const config = { test_case_id: idOf(testCase), name: "api", url: "https://a.test" };
    await core.create("loadform_gateway", config);
    await core.walk();
    const other = core.create("loadform_gateway", { ...config, url: "https://b.test" });
    await expect(other).rejects.toThrow("exists already");
  });
});
