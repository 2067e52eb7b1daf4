import { describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../src/terraform/wire/values.ts";
import { type Config, SessionCore } from "../../support/terraform/session-core.ts";
import { idOf } from "../../support/terraform/shop.ts";

describe("tags", () => {
  it("are pending until a scenario carries them, and pending again when they go", async () => {
    const core = await SessionCore.open();
    const tag = await core.create("loadform_tag", { name: "nightly" });
    expect(tag.value).toMatchObject({ id: null, name: "nightly" });
    expect(SessionCore.isEmpty(await core.plan("loadform_tag", { name: "nightly" }, tag))).toBe(true);
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    await core.create("loadform_scenario", {
      test_case_id: idOf(testCase),
      name: "s",
      script: "run()",
      tags: ["nightly"],
    });
    const bound = await core.refresh(tag);
    expect(bound?.value["id"]).toBe("1");
    await core.outside.call("DELETE /orgs/:orgId/tags/:tagId", { params: { orgId: 1, tagId: 1 } });
    await core.walk();
    expect((await core.refresh(bound ?? tag))?.value).toMatchObject({ id: null, name: "nightly" });
    await core.destroy(tag);
  });

  it("are taken off what carries them by a destroy, which is named; one that nothing carries is silent", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    const scenario = { test_case_id: idOf(testCase), script: "run()" };
    await core.create("loadform_scenario", { ...scenario, name: "Browse", tags: ["nightly", "spare"] });
    const tag = await core.create("loadform_tag", { name: "nightly" });
    const spare = await core.create("loadform_tag", { name: "spare" });
    const body = { name: "By hand", main: "run()", scriptType: "Code", tags: ["nightly"] };
    const params = { testCaseId: Number(idOf(testCase)) };
    await core.outside.call("POST /test-cases/:testCaseId/scripts", { params, body });
    await core.outside.call("PUT /scripts/:id", { params: { id: 1 }, body: { tags: ["nightly"] } });
    await core.walk();
    expect((await core.destroy(spare)).diagnostics).toEqual([]);
    const { diagnostics } = await core.destroy(tag);
    expect(diagnostics).toEqual([
      {
        severity: "warning",
        summary: 'loadform_tag "nightly" was taken off 2 scenarios',
        detail: expect.stringContaining(
          'all that carry it: scenario "Browse" (id 1), scenario "By hand" (id 2). Where',
        ),
      },
    ]);
    const tags = await core.outside.call("GET /orgs/:orgId/tags", { params: { orgId: 1 } });
    expect(tags).toEqual([]);
  });

  it("that are pending in the state are deleted too, as Terraform plans a removed one without what it has just read", async () => {
    const core = await SessionCore.open();
    const tag = await core.create("loadform_tag", { name: "nightly" });
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    const scenario = { test_case_id: idOf(testCase), name: "s", script: "run()", tags: ["nightly", "other"] };
    await core.create("loadform_scenario", scenario);
    await core.walk();
    expect(await core.destroy(tag)).toMatchObject({
      diagnostics: [{ summary: 'loadform_tag "nightly" was taken off one scenario' }],
    });
    const tags = await core.outside.call("GET /orgs/:orgId/tags", { params: { orgId: 1 } });
    expect(tags).toMatchObject([{ name: "other" }]);
  });

  it("are not somebody else's that has the id by now", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    const scenario = { test_case_id: idOf(testCase), name: "s", script: "run()", tags: ["precious"] };
    await core.create("loadform_scenario", scenario);
    const tag = (await core.refresh(await core.create("loadform_tag", { name: "precious" }))) ?? expect.unreachable();
    expect(tag.value["id"]).toBe("1");
    const value = { ...tag.value, name: "nightly", created_at: "2020-01-01T00:00:00.000Z" };
    await core.walk();
    expect((await core.refresh({ ...tag, value }))?.value).toMatchObject({ id: null, name: "nightly" });
    await core.destroy({ ...tag, value });
    const tags = () => core.outside.call("GET /orgs/:orgId/tags", { params: { orgId: 1 } });
    expect(await tags()).toMatchObject([{ name: "precious" }]);
    await core.destroy(tag);
    expect(await tags()).toEqual([]);
  });

  it("that another resource has taken over are not deleted with the former one", async () => {
    const core = await SessionCore.open();
    const testCase = await core.create("loadform_test_case", { name: "Shop" });
    const scenario = { test_case_id: idOf(testCase), name: "s", script: "run()", tags: ["nightly"] };
    await core.create("loadform_scenario", scenario);
    const former = (await core.refresh(await core.create("loadform_tag", { name: "nightly" }))) ?? expect.unreachable();
    await core.walk();
    expect((await core.create("loadform_tag", { name: "nightly" })).value["id"]).toBe(former.value["id"]);
    expect((await core.destroy(former)).diagnostics).toEqual([]);
    const tags = await core.outside.call("GET /orgs/:orgId/tags", { params: { orgId: 1 } });
    expect(tags).toMatchObject([{ name: "nightly" }]);
  });

  it("cannot be renamed", async () => {
    const core = await SessionCore.open();
    const tag = await core.create("loadform_tag", { name: "nightly" });
    await expect(core.plan("loadform_tag", { name: "weekly" }, tag)).rejects.toThrow("loadform_tag cannot be renamed");
    await expect(core.plan("loadform_tag", { name: UNKNOWN }, tag)).resolves.toMatchObject({ replace: [] });
  });
});

describe("regions", () => {
  const type = "loadform_region";

  it.each(["before", "after"] as const)("are looked for in their own grid where an answer is lost %s", async (drop) => {
    const core = await SessionCore.open();
    const grids = await Promise.all(
      ["a", "b"].map((name) => core.create("loadform_provider", { name, provider_type: "Shared" })),
    );
    const [first, second] = grids.map((grid): Config => ({ provider_id: idOf(grid), name: "rack" }));
    const former = await core.create(type, first ?? {});
    await core.setFaults([{ method: "POST", path: "/orgs/:orgId/regions", times: 1, drop }]);
    const made = await core.create(type, second ?? {});
    expect(idOf(made)).not.toBe(idOf(former));
    expect((await core.refresh(made))?.value).toEqual(made.value);
    expect((await core.refresh(former))?.value).toEqual(former.value);
    expect(core.warnings).toEqual([]);
  });

  it("that are activated again have no description where none is declared", async () => {
    const core = await SessionCore.open();
    const grid = await core.create("loadform_provider", { name: "grid", provider_type: "Shared" });
    const config = { provider_id: idOf(grid), name: "rack" };
    await core.destroy(await core.create(type, { ...config, description: "old" }));
    await core.walk();
    const again = await core.create(type, config);
    expect([again.value["description"], core.warnings]).toEqual([null, []]);
    expect((await core.refresh(again))?.value).toEqual(again.value);
  });

  it("are deactivated by a destroy, count as gone then, and are activated again under their id", async () => {
    const core = await SessionCore.open();
    const grid = await core.create("loadform_provider", { name: "grid", provider_type: "Shared" });
    const config = { provider_id: idOf(grid), name: "rack", description: "old" };
    const made = await core.create(type, config);
    await core.destroy(made);
    expect(await core.refresh(made)).toBeUndefined();
    const again = await core.create(type, { ...config, description: "new" });
    expect(again.value).toMatchObject({ id: made.value["id"], description: "new", active: true });
    expect((await core.refresh(again))?.value).toEqual(again.value);
  });

  it("are changed by description only, and replaced otherwise", async () => {
    const core = await SessionCore.open();
    const grid = await core.create("loadform_provider", { name: "grid", provider_type: "Shared" });
    const config = { provider_id: idOf(grid), name: "rack", description: "old" };
    const made = await core.create(type, config);
    expect(idOf(await core.update(made, { ...config, description: "new" }))).toBe(idOf(made));
    expect((await core.plan(type, { ...config, name: "other" }, made)).replace).toEqual(["name"]);
  });

  it("that are active under their name already are an error with the block that imports them", async () => {
    const core = await SessionCore.open();
    const grid = await core.create("loadform_provider", { name: "grid", provider_type: "Shared" });
    const made = await core.create(type, { provider_id: idOf(grid), name: "rack" });
    await core.walk();
    await expect(core.create(type, { provider_id: idOf(grid), name: "rack" })).rejects.toThrow(`id = "${idOf(made)}"`);
  });

  it("take the grid that the service chooses where none is named", async () => {
    const core = await SessionCore.open();
    const made = await core.create(type, { name: "rack" });
    expect(made.value["provider_id"]).toMatch(/^\d+$/);
    expect((await core.refresh(made))?.value).toEqual(made.value);
  });
});
