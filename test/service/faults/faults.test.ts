import { request } from "undici";
import { describe, expect, it } from "vitest";
import { ConnectionCut } from "../../../src/service/index.ts";
import { fieldsOf, makeRig, makeShop, type Rig } from "../support/rig.ts";

const plan = (rig: Rig, ...faults: object[]) => rig.ok("PUT", "/_loadform/faults", faults);
const hits = async (rig: Rig) => (await rig.ok("GET", "/_loadform/faults")).map((each: { hits: number }) => each.hits);
const create = (rig: Rig, name: string) => rig.call("POST", "/test-cases", { name, org: 1 });
const exists = async (rig: Rig) => (await rig.ok("GET", "/test-cases")).length;

describe("planned faults", () => {
  it("answer a status without doing the work, the first times calls after after", async () => {
    const rig = await makeRig();
    await plan(rig, { method: "POST", path: "/test-cases", status: 503, retryAfterSecs: 7, times: 2, after: 1 });
    const answers = [];
    for (const name of ["a", "b", "c", "d"]) answers.push(await create(rig, name));
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 200]);
    expect(answers[1]).toMatchObject({ body: { code: "UNAVAILABLE" }, headers: { "retry-after": "7" } });
    expect(await exists(rig)).toBe(2);
    expect(await hits(rig)).toEqual([2]);
  });

  it("stay without times, until they are deleted", async () => {
    const rig = await makeRig();
    await plan(rig, { method: "GET", path: "/test-cases", status: 500, body: { any: "thing" } });
    for (let index = 0; index < 3; index++)
      expect((await rig.call("GET", "/test-cases")).body).toEqual({ any: "thing" });
    expect(await rig.ok("DELETE", "/_loadform/faults")).toMatchObject([{ hits: 3 }]);
    expect(await exists(rig)).toBe(0);
  });

  it("hit one object by its path, every one by the route table's spelling, aliases and PATCH included", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases", { name: "Two", org: 1 });
    await plan(
      rig,
      { method: "GET", path: "/test-cases/2", status: 500 },
      { method: "GET", path: "/script/:id", status: 502 },
      { method: "PUT", path: "/test-confs/1", status: 500 },
    );
    expect((await rig.call("GET", "/test-cases/1")).status).toBe(200);
    expect((await rig.call("GET", "/api/test-cases/2")).status).toBe(500);
    expect((await rig.call("GET", "/scripts/1")).status).toBe(502);
    expect((await rig.call("PATCH", "/test-confs/1", { name: "x" })).status).toBe(500);
    expect(await hits(rig)).toEqual([1, 1, 1]);
  });

  it.each(["/test-confs/:confId", "/test-confs/{confId}", "/api/test-confs/{confId}", "/api/test-confs/:confId"])(
    "hit every object by %s, with and without /api",
    async (path) => {
      const rig = await makeShop();
      await plan(rig, { method: "PUT", path, status: 500 });
      expect((await rig.call("PUT", "/test-confs/1", { name: "x" })).status).toBe(500);
      expect((await rig.call("PUT", "/api/test-confs/1", { name: "x" })).status).toBe(500);
      expect(await hits(rig)).toEqual([2]);
    },
  );

  it.each([
    ["/test-confs/*", "Did you mean PUT /test-confs/:confId?"],
    ["/test-conf/1", "Did you mean PUT /test-confs/:confId?"],
    ["/nothing/like/that/at/all", "for each parameter."],
  ])("are refused at %s, which no call matches", async (path, hint) => {
    const rig = await makeShop();
    const { status, body } = await rig.call("PUT", "/_loadform/faults", [{ method: "PUT", path, status: 500 }]);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(hint)]);
    expect(JSON.stringify(body)).not.toContain("none");
  });

  it("drop before: nothing is done; after: the work is done; both in process and over HTTP", async () => {
    const rig = await makeRig();
    const { url } = await rig.service.listen(0);
    const headers = { "content-type": "application/json" };
    const send = (name: string) =>
      fetch(`${url}/test-cases?key=local`, { method: "POST", headers, body: JSON.stringify({ name, org: 1 }) });
    await plan(rig, { method: "POST", path: "/test-cases", drop: "before" });
    await expect(create(rig, "a")).rejects.toThrow(ConnectionCut);
    await expect(send("a")).rejects.toThrow("fetch failed");
    expect(await exists(rig)).toBe(0);
    await plan(rig, { method: "POST", path: "/test-cases", drop: "after" });
    await expect(create(rig, "a")).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect(send("b")).rejects.toThrow("fetch failed");
    await expect(
      rig.service.fetch("/test-cases?key=local", { method: "POST", headers, body: '{"name":"c","org":1}' }),
    ).rejects.toThrow("fetch failed");
    await expect(
      request("http://service/test-cases?key=local", {
        method: "POST",
        headers,
        body: '{"name":"d","org":1}',
        dispatcher: rig.service.dispatcher,
      }),
    ).rejects.toMatchObject({ code: "UND_ERR_SOCKET" });
    expect(await exists(rig)).toBe(4);
    await rig.close();
  });

  it("truncate: the whole body is announced and cut", async () => {
    const rig = await makeShop();
    const { url } = await rig.service.listen(0);
    await plan(rig, { method: "GET", path: "/test-cases", truncate: 10 });
    for (const response of [
      await fetch(`${url}/test-cases?key=local`),
      await rig.service.fetch("/test-cases?key=local"),
    ]) {
      expect(response.status).toBe(200);
      expect(Number(response.headers.get("content-length"))).toBeGreaterThan(100);
      await expect(response.text()).rejects.toThrow();
    }
    await expect(rig.call("GET", "/test-cases")).rejects.toMatchObject({ partial: { bytes: 10 } });
    await rig.close();
  });

  it("truncate: bytes that are no text arrive as they are up to the cut", async () => {
    const rig = await makeShop();
    const bytes = Buffer.from([0xff, 0xfe, 0x80, 0x00, 0x41]);
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "b.bin", contents: bytes.toString("base64") });
    await plan(rig, { method: "GET", path: "/data-stores/1/download", truncate: 3 });
    const response = await rig.service.fetch("/data-stores/1/download?key=local");
    expect(response.headers.get("content-length")).toBe("5");
    const { value } = (await response.body?.getReader().read()) ?? {};
    expect([...(value ?? [])]).toEqual([...bytes.subarray(0, 3)]);
  });

  it("delayMs holds the answer in wall time", async () => {
    const rig = await makeRig();
    await plan(rig, { method: "GET", path: "/login", delayMs: 60 });
    const before = performance.now();
    await rig.ok("GET", "/login");
    expect(performance.now() - before).toBeGreaterThan(55);
  });

  it("effectDelayMs postpones the work on the service's clock, and the answer with it", async () => {
    const rig = await makeRig();
    await plan(rig, { method: "POST", path: "/test-cases", effectDelayMs: 10_000, times: 1 });
    const answer = create(rig, "late");
    await rig.service.advance(9_999);
    expect(await exists(rig)).toBe(0);
    await rig.service.advance(5_000);
    expect((await answer).body).toMatchObject({ createdAt: "2026-11-20T10:07:40.000Z" });
    expect(await exists(rig)).toBe(1);
  });

  it("effectDelayMs with drop after cuts at once, and the write lands later", async () => {
    const rig = await makeRig();
    await plan(rig, { method: "POST", path: "/test-cases", effectDelayMs: 10_000, drop: "after", times: 1 });
    await expect(create(rig, "late")).rejects.toThrow(ConnectionCut);
    expect(await exists(rig)).toBe(0);
    await rig.service.advance(10_000);
    expect(await exists(rig)).toBe(1);
  });

  it("effectDelayMs passes by itself on a real clock", async () => {
    const rig = await makeRig({ clock: "real" });
    await plan(rig, { method: "POST", path: "/test-cases", effectDelayMs: 30 });
    expect((await create(rig, "late")).status).toBe(200);
    await rig.close();
  });

  it("put-off work keeps its order with schedules: earlier ones fire before, later ones after", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", {
      schedules: [{ scheduleType: "Recurring", recurringInterval: "Hour", minute: 30 }],
    });
    await plan(rig, { method: "DELETE", path: "/test-confs/:confId", effectDelayMs: 90 * 60_000, drop: "after" });
    await expect(rig.call("DELETE", "/test-confs/1")).rejects.toThrow(ConnectionCut);
    await rig.service.advance(60 * 60_000);
    expect(await rig.ok("GET", "/test-confs/1/executions")).toHaveLength(1);
    await rig.service.advance(48 * 60 * 60_000);
    expect((await rig.call("GET", "/test-confs/1")).status).toBe(404);
  });

  it("staleReads: the next reads of the object answer as before the write; other reads do not count", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases", { name: "Two", org: 1 });
    await plan(rig, { method: "PUT", path: "/test-cases/1", staleReads: 2 });
    expect(await rig.ok("PUT", "/test-cases/1", { name: "New" })).toMatchObject({ name: "New" });
    await plan(rig);
    const nameOf = async (id: number) => (await rig.ok("GET", `/test-cases/${id}?down=false`)).name;
    expect(await nameOf(2)).toBe("Two");
    expect(await nameOf(1)).toBe("Checkout");
    expect((await rig.ok("GET", "/orgs/1/test-cases"))[0].name).toBe("Checkout");
    expect(await nameOf(1)).toBe("New");
  });

  it("staleReads of a create and a delete: not there yet, still there", async () => {
    const rig = await makeShop();
    await plan(
      rig,
      { method: "POST", path: "/test-cases", staleReads: 1 },
      { method: "DELETE", path: "/gateways/:id", staleReads: 1 },
    );
    await create(rig, "Two");
    expect(await exists(rig)).toBe(1);
    expect(await exists(rig)).toBe(2);
    await rig.ok("DELETE", "/gateways/1");
    expect([(await rig.call("HEAD", "/gateways/1")).status, (await rig.call("HEAD", "/gateways/1")).status]).toEqual([
      200, 404,
    ]);
  });

  it.each([
    [[{ method: "GET", path: "/nowhere" }], ["[0].path"]],
    [[{ method: "DELETE", path: "/test-cases" }], ["[0].path"]],
    [[{ method: "GET", path: "/_loadform/state" }], ["[0].path"]],
    [[{ method: "GET", path: "/login", colour: 1 }], ["[0].colour"]],
    [[{ method: "GET", path: "/login", times: 0, drop: "now", delayMs: -1 }], ["[0].times", "[0].drop", "[0].delayMs"]],
    [
      [{ path: "/login" }, "x"],
      ["[0].method", "[1]"],
    ],
  ])("are refused: %j", async (faults, fields) => {
    const rig = await makeRig();
    const answer = await rig.call("PUT", "/_loadform/faults", faults);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toEqual(fields);
    expect(await rig.ok("GET", "/_loadform/faults")).toEqual([]);
  });

  it("are refused when they are no list", async () => {
    const rig = await makeRig();
    expect((await rig.call("PUT", "/_loadform/faults", {})).status).toBe(400);
  });
});
