import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { settingsOf } from "../../../src/service/settings.ts";
import { makeRig, makeShop } from "../support/rig.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** The bytes of buffers that are in use once all that can be freed is. */
function usedBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}

describe("state", () => {
  it("is restored at any size at which it is read, by those who have the key", async () => {
    const rig = await makeShop({ way: "over HTTP", settings: { bodyLimit: 3000 } });
    for (const name of ["One", "Two", "Three"])
      await rig.ok("POST", "/test-cases/1/scripts", { name, main: "x".repeat(2000) });
    const { url } = await rig.service.listen(0);
    const put = (body: unknown, key: string) =>
      fetch(`${url}/_loadform/state`, {
        method: "PUT",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const state = JSON.stringify(rig.service.snapshot());
    expect(state.length).toBeGreaterThan(6000);
    expect((await put(JSON.parse(state), "local")).status).toBe(200);
    expect(JSON.stringify(rig.service.snapshot())).toBe(state);
    expect((await put(JSON.parse(state), "other")).status).toBe(401);
    const large = { name: "x".repeat(4000), org: 1 };
    expect((await rig.call("POST", "/test-cases", large)).status).toBe(413);
    expect((await rig.call("PUT", "/_loadform/faults", [{ method: "x".repeat(4000), path: "/" }])).status).toBe(413);
    await rig.close();
  });
});

describe("a body", () => {
  it("is read once it is wanted: not without the key, and a state of any size with it", async () => {
    const service = createService({ apiKey: "own" });
    const limits: number[] = [];
    const put = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
      const body = async (limit: number) => {
        limits.push(limit);
        return new TextEncoder().encode("{}");
      };
      const type = { "content-type": "application/json" };
      return (await service.handle({ method: "PUT", path, headers: { ...type, ...headers }, body })).status;
    };
    expect(await put("/_loadform/state")).toBe(401);
    expect(await put("/_loadform/state", { "X-Api-Key": "other" })).toBe(401);
    expect(await put("/test-cases/1", { "X-Api-Key": "other" })).toBe(401);
    expect(await put("/nowhere", { "X-Api-Key": "own" })).toBe(404);
    expect(limits).toEqual([]);
    expect(await put("/_loadform/state?key=own")).toBe(400);
    expect(await put("/_loadform/clock", { "X-Api-Key": "own" })).toBe(400);
    expect(limits).toEqual([Number.POSITIVE_INFINITY, settingsOf({}).bodyLimit]);
    await service.close();
  });

  it("costs no memory beyond the limit, however long it is", async () => {
    const service = createService({ settings: { bodyLimit: 1_000_000 } });
    const { url } = await service.listen(0);
    const chunk = new Uint8Array(65_536);
    const send = async (key: string) => {
      let sent = 0;
      const pull = (controller: ReadableStreamDefaultController) => {
        sent += 1;
        if (sent % 100 === 0) most = Math.max(most, usedBytes());
        if (sent > 800) controller.close();
        else controller.enqueue(chunk);
      };
      const headers = { "x-api-key": key, "content-type": "application/json" };
      const init = { method: "PUT", headers, body: new ReadableStream({ pull }), duplex: "half" };
      return (await fetch(`${url}/test-cases/1`, init as RequestInit)).status;
    };
    const before = usedBytes();
    let most = 0;
    expect(await send("local")).toBe(413);
    expect(most).toBeGreaterThan(0);
    expect(most - before).toBeLessThan(20_000_000);
    await service.close();
  });
});

describe("the key", () => {
  it("opens the own routes though its user was deleted, so that reset and restore bring the user back", async () => {
    const rig = await makeShop();
    const snapshot = JSON.parse(JSON.stringify(rig.service.snapshot()));
    expect((await rig.call("DELETE", "/users/1")).status).toBe(201);
    expect(await rig.call("GET", "/test-cases")).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining("/_loadform/reset") },
    });
    for (const path of ["state", "clock", "faults", "requests", "docs"])
      expect((await rig.call("GET", `/_loadform/${path}`)).status, path).toBe(200);
    expect((await rig.call("GET", "/_loadform/state", undefined, { "x-api-key": "other" })).status).toBe(401);
    const deleted = JSON.parse(JSON.stringify(rig.service.snapshot()));
    await rig.ok("PUT", "/_loadform/state", snapshot);
    expect(await rig.ok("GET", "/test-cases")).toHaveLength(1);
    await rig.ok("PUT", "/_loadform/state", deleted);
    expect(JSON.stringify(rig.service.snapshot())).toBe(JSON.stringify(deleted));
    await rig.ok("POST", "/_loadform/reset");
    expect(await rig.ok("GET", "/login")).toMatchObject({ user: { id: 1 } });
  });
});

describe("a defect of the service", () => {
  it("is 500 without where it happened, which stands on stderr", async () => {
    const rig = await makeRig();
    const written: string[] = [];
    const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => written.push(String(text)) > 0);
    const body = {
      get name(): string {
        throw new Error("boom");
      },
    };
    const answers = [await rig.call("POST", "/test-cases", body), await rig.call("PUT", "/_loadform/clock", body)];
    spy.mockRestore();
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 500,
        body: { code: "INTERNAL", message: expect.not.stringMatching(/boom|\.ts|\//) },
      });
    expect(written.join("")).toMatch(/a defect of the bundled service: Error: boom\n +at .*key-and-limits\.test\.ts/);
    expect(rig.service.requests.at(-1)).toMatchObject({ status: 500 });
  });
});

describe("the recording proxy", () => {
  it("says in process that a service has to listen, by every method and without the service's key", async () => {
    const rig = await makeRig();
    for (const path of ["/_gw", "/_gw/abc", "/_gw/abc/shop/1", "/api/_gw/abc"])
      for (const method of ["GET", "POST", "HEAD"])
        expect((await rig.call(method, path, undefined, { "x-api-key": "" })).status, `${method} ${path}`).toBe(400);
    expect(await rig.call("GET", "/_gw/abc/")).toMatchObject({
      body: { code: "INVALID", message: expect.stringMatching(/recording proxy .* only where the service listens/) },
    });
    expect((await rig.call("GET", "/_gwx")).status).toBe(404);
  });
});
