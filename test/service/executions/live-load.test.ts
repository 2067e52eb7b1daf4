import { describe, expect, it } from "vitest";
import {
  closeAfter,
  closeAfterEach,
  logs,
  makeLiveShop,
  makeTarget,
  metric,
  start,
  until,
} from "../support/live-rig.ts";
import { makeRig, type Rig } from "../support/rig.ts";

closeAfterEach();

describe("a run that is really made (API 2, Starting a run)", () => {
  it("sends each user's iterations to the target and counts what it answered", async () => {
    const target = await makeTarget(100);
    const rig = await makeLiveShop({ main: `http.get("${target.url}/a?b=1"); results().counter("bought", 2);` });
    await start(rig);
    const execution = await until(rig);
    expect(target.paths).toEqual(Array(6).fill("/a?b=1"));
    expect(execution).toMatchObject({
      success: true,
      summary: { count: 6, iterationsExecuted: 6, maxConcurrentClients: 3 },
    });
    const times = await metric(rig, "firstReceivedMs");
    expect(times["min"]).toBeGreaterThanOrEqual(98);
    expect(times["p50"]).toBeLessThan(1_000);
    expect(times["count"]).toBe(6);
    expect(await metric(rig, "responseCode")).toEqual({ 200: 6 });
    expect(await metric(rig, "bought")).toEqual({ value: 12 });
    expect((await rig.ok("GET", "/test-cases/1")).metricDefs).toMatchObject([
      { name: "bought", metricType: "Counter" },
    ]);
    const rows = await rig.ok("GET", "/executions/1/results");
    expect(rows).toHaveLength(6);
    expect(rows[0]).toMatchObject({ url: `${target.url}/a?b=1`, resource: `GET ${target.url}/a`, responseCode: "200" });
    const [interval] = await rig.ok("GET", "/executions/1/intervals");
    expect(interval).toMatchObject({ count: 6, iterationsExecuted: 6 });
  });

  it("counts answers as they were: failures, statuses, connections that nobody takes", async () => {
    const target = await makeTarget();
    const main = `await fetch("${target.url}/broken"); await fetch("${target.url}/"); try { await fetch("http://127.0.0.1:1/") } catch {}`;
    const rig = await makeLiveShop({ main, conf: { concurrentClients: 2, iterations: 1 } });
    await start(rig);
    expect(await until(rig)).toMatchObject({ summary: { count: 6 } });
    expect(await metric(rig, "responseCode")).toEqual({ 200: 2, 503: 2 });
    expect(await metric(rig, "outcome")).toEqual({ success: 2, failure: 4 });
    expect(await metric(rig, "httpContentType")).toEqual({ "text/plain": 4 });
    const names = (await rig.ok("GET", "/executions/1/resources")).map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual([`GET ${target.url}/`, `GET ${target.url}/broken`, "GET http://127.0.0.1:1/"].sort());
    const rows = await rig.ok("GET", "/executions/1/results");
    expect(rows.find((row: { url: string }) => row.url === "http://127.0.0.1:1/")).toMatchObject({
      responseCode: null,
    });
    expect(await rig.ok("GET", "/executions/1/traces")).not.toEqual([]);
  });

  it("reaches no other host than loopback and those that are allowed", async () => {
    const rig = await makeLiveShop({
      main: 'await fetch("http://192.0.2.1/")',
      conf: { concurrentClients: 1, iterations: 1 },
    });
    await start(rig);
    expect(await until(rig)).toMatchObject({ success: false });
    expect((await logs(rig)).join()).toContain("fetch failed");
    expect(await metric(rig, "outcome")).toEqual({ success: 0, failure: 2 });
  });

  it("gives each user its own info, globals and tests, and runs init and teardown once", async () => {
    const target = await makeTarget(20);
    const main = `const http = require("http");
      const mine = info.client + "." + info.iteration;
      await new Promise((resolve) => setTimeout(resolve, 30));
      http.get("${target.url}/" + mine + params["Suffix"]);
      describe("client", () => it("knows " + info.client, () => require("assert").equal(info.iteration, 0)));`;
    const once = (name: string) => `await fetch("${target.url}/${name}")`;
    const rig = await makeLiveShop({ main, init: once("init"), teardown: once("teardown") });
    await start(rig, { Suffix: "x" });
    const execution = await until(rig);
    expect(target.paths[0]).toBe("/init");
    expect(target.paths.at(-1)).toBe("/teardown");
    expect(target.paths.slice(1, -1).sort()).toEqual(["/0.0x", "/0.1x", "/1.0x", "/1.1x", "/2.0x", "/2.1x"]);
    expect(execution.summary.count).toBe(6);
    const tests = await rig.ok("GET", "/executions/1/suite-results");
    expect(tests.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`).sort()).toEqual(
      [0, 1, 2].flatMap((user) => [`knows ${user} failed`, `knows ${user} passed`]),
    );
    const summaries = await rig.ok("GET", "/executions/1/suite-summaries");
    expect(summaries[0]).toMatchObject({ total: 2, passed: 1, failed: 1 });
  });

  it("is kept by snapshots: what was measured is answered as before", async () => {
    const target = await makeTarget();
    const main = `http.get("${target.url}/"); log.info("bought"); results().timing("page", 12); require("fs").writeFileSync(info.outputDir + "/a.txt", "x");`;
    const rig = await makeLiveShop({ main, conf: { iterations: 1 } });
    await start(rig);
    await until(rig);
    const read = async (from: Rig) => {
      const paths = ["summary", "intervals", "results", "logs", "resources", "output-files", "traces"];
      return await Promise.all(paths.map((path) => from.ok("GET", `/executions/1/${path}`)));
    };
    const before = await read(rig);
    const text = JSON.stringify(rig.service.snapshot());
    const other = await makeRig();
    closeAfter(other);
    await other.service.restore(text);
    expect(JSON.stringify(other.service.snapshot())).toBe(text);
    expect(await read(other)).toEqual(before);
    expect(before[3]).toHaveLength(3);
    expect(before[5]).toHaveLength(3);
  });
});
