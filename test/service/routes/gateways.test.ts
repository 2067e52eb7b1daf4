import { describe, expect, it } from "vitest";
import { fieldsOf, makeShop } from "../support/rig.ts";

describe("gateways", () => {
  it("have one primary key with their url, unlike any other", async () => {
    const rig = await makeShop();
    const made = await rig.ok("POST", "/test-cases/1/gateways?name=Second&url=http://b.test");
    expect(made).toMatchObject({
      id: 2,
      gatewayType: "Http",
      active: true,
      keys: [{ url: "http://b.test", isPrimary: true }],
      recordings: [],
    });
    const [first, second] = await rig.ok("GET", "/test-cases/1/gateways");
    expect(first.keys[0].key).toMatch(/^[a-z0-9]{8}$/);
    expect(first.keys[0].key).not.toBe(second.keys[0].key);
    expect(await rig.ok("GET", "/gateways/1?includeKeys=false&down=false&up=true")).toEqual(
      expect.not.objectContaining({ keys: expect.anything() }),
    );
  });

  it.each([
    [{ url: "https://a.test" }, ["name"]],
    [{ name: "A" }, ["url"]],
    [{ name: "A", url: "ftp://a.test" }, ["url"]],
    [{ name: "A", url: "shop" }, ["url"]],
    [{ name: 5, url: 6 }, ["name", "url"]],
  ])("are refused with %j", async (body, fields) => {
    const rig = await makeShop();
    expect(fieldsOf(await rig.call("POST", "/test-cases/1/gateways", body))).toEqual(fields);
  });

  it("are renamed by PATCH, and PUT; their url cannot change", async () => {
    const rig = await makeShop();
    expect(await rig.ok("PATCH", "/gateways/1", { name: "New" })).toMatchObject({ name: "New" });
    expect(await rig.ok("PUT", "/gateways/1", { name: "Newer", url: "http://other.test" })).toMatchObject({
      name: "Newer",
      keys: [{ url: "https://shop.test" }],
    });
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual(["url"]);
  });

  it("are deleted with their recordings", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
    expect(await rig.ok("DELETE", "/gateways/1")).toMatchObject({ id: 1, recordings: [{ name: "Take" }] });
    expect((await rig.call("GET", "/recordings/1")).status).toBe(404);
  });
});
