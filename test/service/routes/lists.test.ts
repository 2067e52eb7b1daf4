import { describe, expect, it } from "vitest";
import { makeShop } from "../support/rig.ts";

describe("routes that the engine does not need", () => {
  it.each([
    ["GET", "/test-cases/1/scripts", [{ id: 1, name: "Browse" }]],
    ["GET", "/providers/all/agents", { regions: [] }],
    ["GET", "/orgs/1/providers/all/agents", { regions: [] }],
    ["GET", "/providers/0/agents", { regions: [] }],
  ])("%s %s lists what there is", async (method, path, expected) => {
    const rig = await makeShop();
    expect(await rig.ok(method, path)).toMatchObject(expected);
  });

  it.each([
    ["HEAD", "/data-stores/1"],
    ["HEAD", "/regions/1"],
  ])("%s %s tells whether it is there", async (method, path) => {
    const rig = await makeShop();
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "a.csv", contents: "" });
    expect((await rig.call(method, path)).status).toBe(200);
    expect((await rig.call(method, path.replace("1", "999"))).status).toBe(404);
  });
});
