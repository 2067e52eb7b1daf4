import { Validator } from "@seriousme/openapi-schema-validator";
import { request } from "undici";
import { describe, expect, it } from "vitest";
import { mountedRoutes } from "../../../src/service/core/router.ts";
import { createService } from "../../../src/service/index.ts";
import { fieldsOf, makeRig, makeShop, start, type Way } from "../support/rig.ts";

describe("state", () => {
  it.each<Way>(["in process", "over HTTP"])("makes a byte-equal round trip %s", async (way) => {
    const rig = await makeShop({ way });
    const { url } = await rig.service.listen(0);
    const headers = { "x-api-key": "local", "content-type": "application/json" };
    const read = async () => (await fetch(`${url}/_loadform/state`, { headers })).text();
    const saved = await read();
    await rig.ok("DELETE", "/test-cases/1");
    expect(await read()).not.toBe(saved);
    expect((await fetch(`${url}/_loadform/state`, { method: "PUT", headers, body: saved })).status).toBe(200);
    expect(await read()).toBe(saved);
    expect(JSON.parse(saved)).toEqual(JSON.parse(JSON.stringify(rig.service.snapshot())));
    await rig.close();
  });

  it.each(["application/x-www-form-urlencoded", "text/plain;charset=UTF-8"])(
    "takes JSON that curl or fetch calls %s",
    async (type) => {
      const rig = await makeShop();
      const send = (path: string, body: unknown) =>
        rig.call("PUT", path, JSON.stringify(body), { "content-type": type });
      expect((await send("/_loadform/state", rig.service.snapshot())).status).toBe(200);
      expect((await send("/_loadform/clock", { mode: "frozen" })).status).toBe(200);
      expect((await send("/_loadform/faults", [{ method: "GET", path: "/login", status: 500 }])).status).toBe(200);
      expect((await rig.call("PUT", "/_loadform/clock", "mode=frozen", { "content-type": type })).status).toBe(400);
    },
  );

  it("is sorted, one object per line", async () => {
    const rig = await makeShop();
    const { body } = await rig.service.handle({ method: "GET", path: "/_loadform/state?key=local" });
    const lines = String(body()).split("\n");
    expect(lines.filter((line) => line.includes('"name":"Browse"'))).toHaveLength(1);
    const snapshot = rig.service.snapshot();
    expect(Object.keys(snapshot.tables)).toEqual(Object.keys(snapshot.tables).sort());
    for (const rows of Object.values(snapshot.tables))
      for (const row of rows) expect(Object.keys(row as object)).toEqual(Object.keys(row as object).sort());
  });

  it("restored elsewhere is the same, ids go on from there", async () => {
    const rig = await makeShop();
    const other = await makeRig();
    await other.service.restore(rig.service.snapshot());
    expect(JSON.stringify(other.service.snapshot())).toBe(JSON.stringify(rig.service.snapshot()));
    expect(await other.ok("POST", "/test-cases", { name: "Two", org: 1 })).toMatchObject({ id: 2 });
  });

  it.each([
    [{}],
    [{ format: "other/1" }],
    [[1]],
    [{ format: "loadform-service/1", next: {}, salt: "", tables: { colour: [] } }],
    [{ format: "loadform-service/1", next: {}, salt: "", tables: { tag: [{}] } }],
  ])("refuses %j", async (body) => {
    const rig = await makeShop();
    expect((await rig.call("PUT", "/_loadform/state", body)).status).toBe(400);
    expect(await rig.ok("GET", "/test-cases")).toHaveLength(1);
  });

  it("is wiped and seeded again by reset, with faults and log", async () => {
    const rig = await makeRig();
    await rig.ok("POST", "/test-cases", { name: "Seed", org: 1 });
    rig.service.keepAsSeed();
    await rig.ok("POST", "/test-cases", { name: "Two", org: 1 });
    await rig.ok("PUT", "/_loadform/faults", [{ method: "GET", path: "/login", status: 500 }]);
    await rig.ok("POST", "/_loadform/reset");
    expect(await rig.ok("GET", "/_loadform/faults")).toEqual([]);
    expect(await rig.ok("GET", "/_loadform/requests")).toEqual([]);
    expect(await rig.ok("GET", "/test-cases")).toMatchObject([{ name: "Seed" }]);
    const fresh = await makeShop();
    await fresh.ok("POST", "/_loadform/reset");
    expect(await fresh.ok("GET", "/test-cases")).toEqual([]);
  });
});

describe("the clock", () => {
  it("is read, set and advanced", async () => {
    const rig = await makeRig();
    expect(await rig.ok("GET", "/_loadform/clock")).toEqual({ mode: "frozen", now: start });
    expect(await rig.ok("POST", "/_loadform/clock/advance", { ms: 2500 })).toEqual({
      mode: "frozen",
      now: "2026-11-20T10:07:32.500Z",
    });
    expect(await rig.ok("PUT", "/_loadform/clock", { mode: "frozen", now: "2030-01-01T00:00:00Z" })).toEqual({
      mode: "frozen",
      now: "2030-01-01T00:00:00.000Z",
    });
    for (const now of [253_402_300_800_000, -1, "+010000-01-01T00:00:00Z"])
      expect((await rig.call("PUT", "/_loadform/clock", { mode: "frozen", now })).status).toBe(400);
    const real = await rig.ok("PUT", "/_loadform/clock", { mode: "real" });
    expect(Math.abs(Date.parse(real.now) - Date.now())).toBeLessThan(5000);
    expect(fieldsOf(await rig.call("PUT", "/_loadform/clock", { mode: "slow", when: 1 }))).toEqual(["mode", "when"]);
    expect((await rig.call("POST", "/_loadform/clock/advance", { ms: -1 })).status).toBe(400);
    expect((await rig.call("POST", "/_loadform/clock/advance", {})).status).toBe(400);
  });

  it("answers advance when what falls due has settled", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ scheduleType: "Recurring", recurringInterval: "Hour" }] });
    await rig.ok("POST", "/_loadform/clock/advance", { ms: 3 * 3_600_000 });
    expect(await rig.ok("GET", "/test-confs/1/executions")).toHaveLength(3);
  });
});

describe("the request log", () => {
  it("keeps every request in order, but its own routes", async () => {
    const rig = await makeRig();
    await rig.ok("GET", "/login");
    await rig.call("GET", "/api/test-cases/7");
    await rig.call("GET", "/test-casez/7");
    expect(await rig.ok("GET", "/_loadform/requests")).toEqual([
      {
        id: 1,
        at: start,
        method: "GET",
        path: "/login",
        status: 200,
        durationMs: expect.any(Number),
        unknownFields: [],
        route: "GET /login",
      },
      {
        id: 2,
        at: start,
        method: "GET",
        path: "/test-cases/7",
        status: 404,
        durationMs: expect.any(Number),
        unknownFields: [],
        route: "GET /test-cases/:testCaseId",
      },
      expect.objectContaining({ id: 3, status: 404, nearest: expect.any(Array) }),
    ]);
    expect(rig.service.requests).toHaveLength(3);
  });

  it("is filtered by method and path, and deleted", async () => {
    const rig = await makeShop();
    await rig.ok("GET", "/test-cases/1");
    const count = async (query: string) => (await rig.ok("GET", `/_loadform/requests?${query}`)).length;
    expect(await count("")).toBe(5);
    expect(await count("method=get")).toBe(1);
    expect(await count("path=/test-cases")).toBe(1);
    expect(await count("path=/api/test-cases")).toBe(1);
    expect(await count("method=GET&path=/test-cases/:testCaseId")).toBe(1);
    await rig.ok("DELETE", "/_loadform/requests");
    expect(await count("")).toBe(0);
  });

  it("masks what a script is given by query: it may be a secret", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions?token=canary");
    expect(rig.service.requests.at(-1)).toMatchObject({ query: "token=***", status: 200 });
  });

  it("masks keys and session ids", async () => {
    const rig = await makeRig({ apiKey: "canary-key" });
    const { sid } = await rig.ok("GET", "/login?key=canary-key");
    await rig.call("GET", `/data-stores/1/download?sid=${sid}`);
    const text = JSON.stringify(rig.service.requests);
    expect(text).not.toContain("canary-key");
    expect(text).not.toContain(sid);
    expect(rig.service.requests[0]).toMatchObject({ query: "key=***" });
  });
});

describe("the description", () => {
  it("is valid OpenAPI 3.1", async () => {
    const rig = await makeRig();
    const result = await new Validator().validate(await rig.ok("GET", "/_loadform/openapi.json"));
    expect(result).toMatchObject({ valid: true });
  });

  it("describes what is mounted, and nothing else", async () => {
    const rig = await makeRig();
    const { paths } = await rig.ok("GET", "/_loadform/openapi.json");
    const shape = (path: string) => path.replace(/:\w+|\{\w+\}/g, ":");
    const described = Object.entries<object>(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${shape(path)}`),
    );
    const mounted = mountedRoutes().map(({ method, path }) => `${method} ${shape(path)}`);
    expect([...described].sort()).toEqual([...mounted].sort());
  });

  it("marks decisions and aliases", async () => {
    const rig = await makeRig();
    const { paths } = await rig.ok("GET", "/_loadform/openapi.json");
    expect(paths["/test-cases"].post["x-decision"]).toContain("description is kept");
    expect(paths["/recording/{id}"].get["x-alias-of"]).toBe("GET /recordings/:id");
    expect(paths["/scripts/{id}"].patch["x-alias-of"]).toBe("PUT /scripts/:id");
    expect(paths["/users/{user}"].delete.responses).toHaveProperty("201");
  });

  it("says where nothing is: 404, 405", async () => {
    const rig = await makeRig();
    expect((await rig.call("GET", "/_loadform/nowhere")).status).toBe(404);
    expect(await rig.call("POST", "/_loadform/state", {})).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD, PUT" },
    });
    expect((await rig.call("HEAD", "/_loadform/health")).status).toBe(200);
  });

  it("says that it lives to anyone, whatever key they have", async () => {
    const { service } = await makeRig();
    for (const headers of [{}, { "x-api-key": "wrong" }])
      expect((await service.handle({ method: "GET", path: "/_loadform/health", headers })).status).toBe(200);
  });
});

describe("in process", () => {
  it("fetch takes paths, urls and requests", async () => {
    const { service } = await makeShop();
    const headers = { "x-api-key": "local" };
    for (const input of [
      "/test-cases",
      new URL("http://x.test/api/test-cases"),
      new Request("http://x.test/test-cases"),
    ])
      expect(await (await service.fetch(input, { headers })).json()).toMatchObject([{ name: "Checkout" }]);
    const head = await service.fetch("/test-cases/1", { method: "HEAD", headers });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("the dispatcher serves undici's request and Node's fetch", async () => {
    const { service } = await makeRig();
    const { dispatcher } = service;
    const options = {
      method: "POST",
      headers: { "x-api-key": "local", "content-type": "application/json" },
      body: '{"name":"A","org":1}',
    } as const;
    const made = await request("http://anywhere.test/test-cases", { ...options, dispatcher });
    expect([made.statusCode, await made.body.json()]).toMatchObject([200, { id: 1, name: "A" }]);
    const init = { headers: options.headers, dispatcher } as unknown as RequestInit;
    const response = await fetch("http://anywhere.test/test-cases", init);
    expect(await response.json()).toMatchObject([{ name: "A" }]);
    expect(
      (await request("http://anywhere.test/test-cases/1?key=local", { method: "HEAD", dispatcher })).statusCode,
    ).toBe(200);
  });

  it("fifty instances, interleaved, share nothing", async () => {
    const rigs = await Promise.all(Array.from({ length: 50 }, (_, index) => makeRig({ apiKey: `key-${index}` })));
    for (let round = 0; round < 5; round++)
      await Promise.all(rigs.map((rig, index) => rig.ok("POST", "/test-cases", { name: `${index}-${round}`, org: 1 })));
    for (const [index, rig] of rigs.entries()) {
      const names = (await rig.ok("GET", "/test-cases")).map((each: { name: string }) => each.name);
      expect(names).toEqual([0, 1, 2, 3, 4].map((round) => `${index}-${round}`));
      expect(rig.service.requests).toHaveLength(6);
    }
  });

  it("a fork starts equal and goes its own way", async () => {
    const rig = await makeShop();
    const fork = rig.service.fork();
    expect(JSON.stringify(fork.snapshot())).toBe(JSON.stringify(rig.service.snapshot()));
    const headers = { "x-api-key": "local" };
    await fork.handle({ method: "DELETE", path: "/test-cases/1", headers });
    await fork.advance(1000);
    await rig.ok("POST", "/test-cases", { name: "Mine", org: 1 });
    expect(await rig.ok("GET", "/test-cases")).toHaveLength(2);
    expect(await rig.ok("GET", "/_loadform/clock")).toMatchObject({ now: start });
    expect((await fork.handle({ method: "GET", path: "/test-cases", headers })).json).toEqual([]);
    expect(fork.requests).toHaveLength(2);
  });

  it("beyond loopback wants a key of one's own", async () => {
    await expect(createService().listen(0, "0.0.0.0")).rejects.toThrow(/default key/);
    const service = createService({ apiKey: "own" });
    const { url, port } = await service.listen(0, "0.0.0.0");
    expect(url).toBe(`http://0.0.0.0:${port}`);
    await service.close();
  });
});
