import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "../support/rig.ts";

describe("a static page", () => {
  const pages = [
    ["docs", (rig: Rig, headers = {}) => rig.service.handle({ method: "GET", path: "/_loadform/docs", headers })],
    ["console", (rig: Rig, headers = {}) => rig.service.handle({ method: "GET", path: "/_loadform/console", headers })],
  ] as const;

  it.each(pages)("needs no key and is the same whatever the service holds: %s", async (_, read) => {
    const rig = await makeRig();
    const answer = await read(rig);
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    await rig.ok("POST", "/test-cases", { name: "Secret plan", org: 1 });
    expect((await read(rig, { "x-api-key": "wrong" })).body()).toBe(answer.body());
  });

  it.each(pages)("has its style and its script in it, whole: %s", async (_, read) => {
    const page = String((await read(await makeRig())).body());
    expect(page).toContain("--accent:");
    // Nothing moves by itself, so nobody has to ask for less motion.
    expect(page).not.toMatch(/transition:|animation:|scroll-behavior/);
    expect(page).not.toMatch(/^(?:import|export) /m);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it("is small: the console has at most 70,000 bytes", async () => {
    const rig = await makeRig();
    const { body } = await rig.service.handle({ method: "GET", path: "/_loadform/console" });
    expect(Buffer.byteLength(body())).toBeLessThan(70_000);
  });

  it("tells the key where it is the default one only", async () => {
    const read = async (apiKey: string) => {
      const rig = await makeRig({ apiKey });
      return String((await rig.service.handle({ method: "GET", path: "/_loadform/docs" })).body());
    };
    expect(await read("local")).toContain("The key of this service is <code>local</code>");
    const page = await read("secret-of-ours");
    expect(page).not.toContain("secret-of-ours");
    expect(page).toContain("YOUR-KEY");
  });

  it("tells the console in which header its key travels", async () => {
    const rig = await makeRig({ settings: { authHeader: "X-Our-Key" } });
    const { body } = await rig.service.handle({ method: "GET", path: "/_loadform/console" });
    expect(String(body())).toContain('<meta name="auth-header" content="X-Our-Key">');
  });
});

describe("the request log, as the console reads it", () => {
  it("is read on from an entry", async () => {
    const rig = await makeRig();
    for (const path of ["/login", "/test-cases", "/agents"]) await rig.ok("GET", path);
    const ids = async (query: string) =>
      (await rig.ok("GET", `/_loadform/requests${query}`)).map(({ id }: { id: number }) => id);
    expect(await ids("?after=1")).toEqual([2, 3]);
    expect(await ids("?after=3")).toEqual([]);
    expect(await ids("?after=0&path=/agents")).toEqual([3]);
  });

  it("leaves out what the console reads to show it, not what it does", async () => {
    const rig = await makeRig();
    const headers = { "x-loadform-console": "1" };
    await rig.call("POST", "/search", { limit: 5 }, headers);
    await rig.ok("PUT", "/_loadform/faults", [{ method: "GET", path: "/test-cases", status: 503, times: 1 }]);
    expect((await rig.call("GET", "/test-cases", undefined, headers)).status).toBe(200);
    await rig.call("POST", "/test-cases", { name: "One", org: 1 }, headers);
    expect(await rig.ok("GET", "/_loadform/requests")).toMatchObject([{ method: "POST", path: "/test-cases" }]);
    expect(await rig.ok("GET", "/_loadform/faults")).toMatchObject([{ hits: 0 }]);
  });
});
