import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { ServiceOptions } from "../../../src/service/index.ts";
import { fieldsOf, makeShop, type Rig, start } from "../support/rig.ts";

const open: Rig[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

/** A shop whose scenario 1 is this. */
async function shopWith(scenario: object, options: ServiceOptions & { way?: "over HTTP" } = {}): Promise<Rig> {
  const rig = await makeShop(options);
  open.push(rig);
  await rig.ok("PUT", "/scripts/1", scenario);
  return rig;
}

const messages = (body: { logs: readonly { message: string }[] }) => body.logs.map(({ message }) => message);
const targets = [{ match: "*", latencyMs: { p50: 100, p99: 100 }, errorRate: 0, capacity: null }];

describe("the validation of a scenario (API 1, POST /scripts/:id/run)", () => {
  it("answers requests with what they measured, custom metrics and the log", async () => {
    const main = `
      log.info("hello");
      http.get("http://shop.test/a?b=1");
      await new Promise((go) => setTimeout(go, 1_000));
      results().counter("sold", 2, "cups");
      results().histogram("kind", "tea");
    `;
    const rig = await shopWith({ main }, { settings: { targets } });
    const now = Date.parse(start);
    expect(await rig.ok("POST", "/scripts/1/run")).toEqual({
      success: true,
      startedAt: start,
      finishedAt: "2026-11-20T10:07:31.000Z",
      results: [
        {
          connectionId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
          threadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          resource: "GET http://shop.test/a",
          timestamp: now,
          firstReport: true,
          metrics: [
            metric("connected", "Counter", 1, { metricUnits: "requests" }),
            metric("outcome", "Histogram", 1, { metricKey: "success", metricUnits: "requests" }),
            metric("responseCode", "Histogram", 1, { metricKey: "200", metricUnits: "requests" }),
            metric("httpContentType", "Histogram", 1, { metricKey: "application/json", metricUnits: "requests" }),
            metric("connectionOpenMs", "Timing", 20, { metricUnits: "ms" }),
            metric("firstSentMs", "Timing", 20, { metricUnits: "ms" }),
            metric("lastSentMs", "Timing", 20, { metricUnits: "ms" }),
            metric("firstReceivedMs", "Timing", 100, { metricUnits: "ms" }),
            metric("lastReceivedMs", "Timing", 100, { metricUnits: "ms" }),
            metric("connectionCloseMs", "Timing", 100, { metricUnits: "ms" }),
            metric("bytesSent", "Counter", 62, { metricUnits: "bytes" }),
            metric("bytesReceived", "Counter", 152, { metricUnits: "bytes" }),
            metric("packetsSent", "Counter", 1, { metricUnits: "packets" }),
            metric("packetsReceived", "Counter", 1, { metricUnits: "packets" }),
          ],
        },
        {
          connectionId: null,
          threadId: expect.any(String),
          resource: null,
          timestamp: now + 1_000,
          firstReport: true,
          metrics: [metric("sold", "Counter", 2, { metricUnits: "cups" })],
        },
        {
          connectionId: null,
          threadId: expect.any(String),
          resource: null,
          timestamp: now + 1_000,
          firstReport: true,
          metrics: [metric("kind", "Histogram", 1, { metricKey: "tea" })],
        },
      ],
      logs: [
        { level: "Info", message: expect.stringMatching(/^simulated: no request was sent/), timestamp: now },
        { level: "Info", message: "hello", timestamp: now },
      ],
    });
  });

  it("fails with the reason in the log when the script throws", async () => {
    const rig = await shopWith({ main: "nothing()" });
    expect(await rig.ok("POST", "/scripts/1/run")).toMatchObject({
      success: false,
      results: [],
      logs: [{ level: "Error", message: "main failed: ReferenceError: nothing is not defined (main.js:1:1)" }],
    });
  });

  it("fails when a request fails or a test does, which is told in the log", async () => {
    const failing = [{ match: "*", latencyMs: { p50: 1, p99: 1 }, errorRate: 1, capacity: null }];
    const rig = await shopWith({ main: 'http.get("http://shop.test/")' }, { settings: { targets: failing } });
    expect(await rig.ok("POST", "/scripts/1/run")).toMatchObject({ success: false, logs: [{ level: "Info" }] });
    await rig.ok("PUT", "/scripts/1", {
      main: 'describe("till", () => it("adds", () => require("assert").equal(1, 2)))',
    });
    const body = await rig.ok("POST", "/scripts/1/run");
    expect(body.success).toBe(false);
    expect(messages(body)[0]).toMatch(/^test failed: till: adds: AssertionError: 1 == 2/);
  });

  it("runs init and teardown too", async () => {
    const rig = await shopWith({ init: 'log.info("i")', main: 'log.info("m")', teardown: 'log.info("t")' });
    expect(messages(await rig.ok("POST", "/scripts/1/run"))).toEqual(["i", "m", "t"]);
  });

  it("runs TypeScript", async () => {
    const rig = await shopWith({ language: "typescript", main: 'const a: string = "typed"; log.info(a)' });
    expect(messages(await rig.ok("POST", "/scripts/1/run"))).toEqual(["typed"]);
  });

  it("reads the data stores of the scenario", async () => {
    const rig = await shopWith({ main: 'log.info((await dataTable.open("users.csv").next())[0].data.name)' });
    const contents = Buffer.from("name\nada\n").toString("base64");
    await rig.ok("POST", "/scripts/1/data-stores/contents", { name: "users.csv", contents });
    expect(messages(await rig.ok("POST", "/scripts/1/run"))).toEqual(["ada"]);
  });

  it("is a smoke run of one client, outside of any execution", async () => {
    const main = "log.info(isSmokeTest, info.chunk.id, info.execution.concurrentClients, info.iteration, info.client)";
    const rig = await shopWith({ main });
    expect(messages(await rig.ok("POST", "/scripts/1/run"))).toEqual(["true -1 1 0 0"]);
  });

  it("leaves no trace in the store", async () => {
    const rig = await shopWith({ main: 'log.info("x")' });
    const before = JSON.stringify(rig.service.snapshot());
    await rig.ok("POST", "/scripts/1/run");
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
    expect(rig.service.requests.at(-1)).toMatchObject({ route: "POST /scripts/:id/run", status: 200 });
  });

  it("keeps nobody waiting who calls meanwhile", async () => {
    const rig = await shopWith({ main: 'log.info("x")' });
    const order: string[] = [];
    const run = rig.ok("POST", "/scripts/1/run").then(() => order.push("run"));
    await rig.ok("GET", "/scripts/1").then(() => order.push("read"));
    await run;
    expect(order).toEqual(["read", "run"]);
  });

  it("has many at a time", async () => {
    const rig = await shopWith({ main: "log.info(params.n)" });
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, n) => rig.ok("POST", "/scripts/1/run", { n: String(n) })),
    );
    expect(all.map((body) => messages(body)[0])).toEqual(Array.from({ length: 6 }, (_, n) => String(n)));
  });

  it("waits for its turn when four others run, and is stopped when the service is closed", async () => {
    const rig = await shopWith({ main: "if (params.n) log.info(params.n); else for (;;) {}" });
    const endless = Array.from({ length: 4 }, () => rig.ok("POST", "/scripts/1/run"));
    const waiting = rig.ok("POST", "/scripts/1/run", { n: "5" });
    await rig.close();
    for (const body of await Promise.all([...endless, waiting]))
      expect(messages(body)).toEqual(["the script was stopped: the service was closed"]);
  });

  it("travels over HTTP too", async () => {
    const rig = await shopWith({ main: 'log.info("x")' }, { way: "over HTTP" });
    expect(await rig.ok("POST", "/scripts/1/run")).toMatchObject({ success: true });
  });

  it("is 404 of a scenario that is not there", async () => {
    const rig = await shopWith({ main: "1" });
    expect((await rig.call("POST", "/scripts/9/run")).status).toBe(404);
  });

  it("survives the deletion of what it runs", async () => {
    const rig = await shopWith({ main: 'log.info("x")' });
    await rig.ok("DELETE", "/test-confs/1");
    const run = rig.ok("POST", "/scripts/1/run");
    await rig.ok("DELETE", "/scripts/1");
    expect(messages(await run)).toEqual(["x"]);
  });
});

function metric(name: string, metricType: string, metricValue: number, more: object = {}): object {
  return { name, metricType, metricKey: null, metricValue, metricUnits: null, ...more };
}

describe("where it runs", () => {
  const main = "log.info(info.region.id, info.region.name)";

  it("is the first public region by default, or the one of the query", async () => {
    const rig = await shopWith({ main });
    expect(messages(await rig.ok("POST", "/scripts/1/run"))).toEqual(["1 cloud-us-east-1"]);
    expect(messages(await rig.ok("POST", "/scripts/1/run?region=3"))).toEqual(["3 cloud-ap-south-1"]);
  });

  it("may be a private region", async () => {
    const rig = await shopWith({ main });
    const { id } = await rig.ok("POST", "/orgs/1/regions", { name: "cellar" });
    expect(messages(await rig.ok("POST", `/scripts/1/run?region=${id}`))).toEqual([`${id} cellar`]);
  });

  it("is 400 where there is no such region", async () => {
    const rig = await shopWith({ main });
    const answered = await rig.call("POST", "/scripts/1/run?region=99");
    expect([answered.status, fieldsOf(answered)]).toEqual([400, ["region"]]);
  });
});

describe("parameters of a validation", () => {
  const paramsConfig = [
    { name: "user", required: true },
    { name: "pace", required: true, defaultValue: "slow" },
    { name: "key", encrypted: true, defaultValue: "hidden" },
  ];
  const main = "log.info(JSON.stringify(params))";

  it("are those of the body over the defaults; an encrypted default is not known", async () => {
    const rig = await shopWith({ main, paramsConfig });
    expect(messages(await rig.ok("POST", "/scripts/1/run", { user: "ada", more: "1" }))).toEqual([
      '{"pace":"slow","user":"ada","more":"1"}',
    ]);
    expect(messages(await rig.ok("POST", "/scripts/1/run", { user: "ada", key: "k", pace: "" }))).toEqual([
      '{"pace":"","user":"ada","key":"k"}',
    ]);
  });

  it("are 400 when required ones are missing or others are no strings, all at once", async () => {
    const rig = await shopWith({ main, paramsConfig });
    const answered = await rig.call("POST", "/scripts/1/run?region=99", { pace: 1 });
    expect([answered.status, [...fieldsOf(answered)].sort()]).toEqual([400, ["pace", "region", "user"]]);
    expect((await rig.call("POST", "/scripts/1/run", ["user"])).status).toBe(400);
  });
});

describe("what is not run", () => {
  it("is any other type than Code: it fails, and one line says that no code ran", async () => {
    const rig = await shopWith({ main: 'log.info("x")', scriptType: "Postman" });
    expect(await rig.ok("POST", "/scripts/1/run")).toEqual({
      success: false,
      startedAt: start,
      finishedAt: start,
      results: [],
      logs: [
        {
          level: "Info",
          message: expect.stringMatching(/^no code ran: found scenario type Postman/),
          timestamp: Date.parse(start),
        },
      ],
    });
  });

  it("passes with the setting unrunnable: pass", async () => {
    const rig = await shopWith({ main: "x", scriptType: "Postman" }, { settings: { unrunnable: "pass" } });
    expect(await rig.ok("POST", "/scripts/1/run")).toMatchObject({ success: true, logs: [{ level: "Info" }] });
  });

  it("is any script where others reach the service, unless that was allowed", async () => {
    const rig = await shopWith({ main: 'log.info("x")' }, { apiKey: "own" });
    expect(await rig.ok("POST", "/scripts/1/run")).toMatchObject({ success: true });
    await rig.service.listen(0, "0.0.0.0");
    const body = await rig.ok("POST", "/scripts/1/run");
    expect(body).toMatchObject({ success: false, results: [], logs: [{ level: "Error" }] });
    expect(messages(body)[0]).toContain("--allow-scripts");
    const allowed = await shopWith({ main: 'log.info("x")' }, { apiKey: "own", allowScripts: true });
    await allowed.service.listen(0, "0.0.0.0");
    expect(messages(await allowed.ok("POST", "/scripts/1/run"))).toEqual(["x"]);
  });

  it("is run by a fork, which nobody reaches", async () => {
    const rig = await shopWith({ main: 'log.info("x")' }, { apiKey: "own" });
    await rig.service.listen(0, "::");
    const { json } = await rig.service
      .fork()
      .handle({ method: "POST", path: "/scripts/1/run", headers: { "x-api-key": "own" } });
    expect(json).toMatchObject({ success: true });
  });
});

describe("the network of a validation", () => {
  it("is simulated: no request leaves the process", async () => {
    let seen = 0;
    const server = createServer((_, response) => response.end(String(++seen)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const main = `const a = await fetch("http://127.0.0.1:${port}/"); log.info(a.status)`;
    const rig = await shopWith({ main });
    const simulated = await rig.ok("POST", "/scripts/1/run");
    expect(simulated).toMatchObject({ success: true });
    expect(messages(simulated)).toEqual([expect.stringMatching(/^simulated: no request was sent; 1 request/), "200"]);
    expect(seen).toBe(0);
    const real = await shopWith({ main }, { settings: { network: "loopback" } });
    expect(await real.ok("POST", "/scripts/1/run")).toMatchObject({ success: true, logs: [{ message: "200" }] });
    expect(seen).toBe(1);
    const none = await shopWith({ main }, { settings: { network: "deny" } });
    expect(await none.ok("POST", "/scripts/1/run")).toMatchObject({ success: false });
    expect(seen).toBe(1);
    server.close();
  });

  it("is told by a setting of three words", async () => {
    await expect(() => makeShop({ settings: { network: "open" as never } })).rejects.toThrow(
      'found network: "open"; expected simulated or loopback or deny',
    );
  });
});
