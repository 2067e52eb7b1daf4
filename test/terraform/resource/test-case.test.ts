import { describe, expect, it } from "vitest";
import { SessionCore } from "../../support/terraform/session-core.ts";

const type = "loadform_test_case";

describe("a test case", () => {
  it("is created, planned without change, renamed, described, imported and destroyed", async () => {
    const core = await SessionCore.open();
    const made = await core.create(type, { name: "Shop", description: "buys" });
    expect(made.value).toMatchObject({ id: "1", name: "Shop", description: "buys" });
    expect(await core.refresh(made)).toEqual(made);
    expect(SessionCore.isEmpty(await core.plan(type, { name: "Shop", description: "buys" }, made))).toBe(true);
    const renamed = await core.update(made, { name: "Store", description: "sells" });
    expect(renamed.value).toMatchObject({ id: "1", name: "Store", description: "sells" });
    const cleared = await core.update(renamed, { name: "Store" });
    expect(cleared.value).toMatchObject({ description: null });
    const imported = await core.import(type, "1");
    expect(SessionCore.isEmpty(await core.plan(type, core.generatedConfig(imported), imported))).toBe(true);
    await core.destroy(imported);
    expect(await core.refresh(imported)).toBeUndefined();
  });
});
