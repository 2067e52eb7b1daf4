import { describe, expect, it } from "vitest";
import { fieldsOf, makeShop, start } from "../support/rig.ts";
import { startedScript } from "../support/run-script.ts";
import { execution, startedShop, stateOf } from "../support/started-shop.ts";

const begun = Date.parse(start);

describe("stop (API 2, Starting a run)", () => {
  it("ends a run within its current iterations and marks it as cancelled", async () => {
    const rig = await startedShop({
      settings: { targets: [{ match: "*", latencyMs: { p50: 3000, p99: 3000 }, errorRate: 0, capacity: null }] },
    });
    await rig.service.advance(60_500);
    expect(await rig.ok("PUT", "/executions/1/stop")).toMatchObject({ running: true, cancelledByUser: true });
    await rig.service.advance(5_000);
    const done = await execution(rig);
    expect(done).toMatchObject({ running: false, completed: true });
    expect(Date.parse(done.finishedAt) - begun).toBeLessThan(64_000);
  });

  it("completes at once a run in which nobody is within an iteration", async () => {
    const rig = await startedShop({ conf: { concurrentClients: 1 } });
    await rig.service.advance(5_000);
    expect(await rig.ok("PUT", "/executions/1/stop")).toMatchObject({ completed: true, cancelledByUser: true });
  });

  it("a second time while it ends is taken, after it completed it is 409", async () => {
    const rig = await startedShop();
    await rig.service.advance(30_000);
    await rig.ok("PUT", "/executions/1/stop");
    await rig.service.advance(60_000);
    expect((await rig.call("PUT", "/executions/1/stop")).status).toBe(409);
  });

  it("of nothing is 404", async () => {
    expect((await (await makeShop()).call("PUT", "/executions/9/stop")).status).toBe(404);
  });

  it("answers PATCH as it answers PUT", async () => {
    const rig = await startedShop();
    expect((await rig.call("PATCH", "/executions/1/stop")).status).toBe(200);
  });
});

describe("live extension (API 2, Starting a run)", () => {
  it("makes a run of a duration longer, by seconds or minutes", async () => {
    const rig = await startedShop({ conf: { rampupSecs: 0 } });
    await rig.ok("POST", "/executions/1/live-extension", { durationSecs: 30 });
    await rig.ok("POST", "/executions/1/live-extension", { durationMins: 1 });
    await rig.service.advance(149_000);
    expect(await stateOf(rig)).toEqual([true, true, false]);
    await rig.service.advance(3_000);
    expect(await stateOf(rig)).toEqual([true, false, true]);
  });

  it("is 409 once the duration has passed, and changes nothing of what was measured; so are users added then", async () => {
    const rig = await startedScript("await fetch('http://wide.test/')", {
      ...{ durationSecs: 60, iterationSleepSecs: 1, concurrentClients: 60 },
    });
    await rig.service.advance(60_000);
    const users = { concurrentClients: 1 };
    expect((await rig.call("POST", "/executions/1/live-extension", { durationSecs: 60 })).status).toBe(409);
    expect((await rig.call("POST", "/executions/1/add-users", users)).status).toBe(409);
    await rig.service.advance(11_000);
    const before = await rig.ok("GET", "/executions/1/intervals");
    expect((await rig.call("POST", "/executions/1/live-extension", { durationSecs: 60 })).status).toBe(409);
    expect(await rig.ok("GET", "/executions/1/intervals")).toEqual(before);
    expect(await stateOf(rig)).toEqual([true, true, false]);
  });

  it("a moment before its end takes nothing back of what was measured", async () => {
    const rig = await startedScript("await fetch('http://wide.test/')", {
      ...{ durationSecs: 60, iterationSleepSecs: 1, concurrentClients: 60 },
    });
    await rig.service.advance(59_999);
    const before = await rig.ok("GET", "/executions/1/intervals");
    await rig.ok("POST", "/executions/1/live-extension", { durationSecs: 60 });
    await rig.service.advance(30_000);
    expect((await rig.ok("GET", "/executions/1/intervals")).slice(0, before.length)).toEqual(before);
  });

  it("is 409 for a run of iterations, and for one that completed", async () => {
    const rig = await startedShop({ conf: { iterations: 2 } });
    expect((await rig.call("POST", "/executions/1/live-extension", { durationSecs: 30 })).status).toBe(409);
    await rig.service.advance(3_600_000);
    expect((await rig.call("POST", "/executions/1/live-extension", { durationSecs: 30 })).status).toBe(409);
  });

  it.each([[{ durationSecs: 0 }], [{ durationSecs: -5 }], [{}]])("of %j is 400", async (body) => {
    const rig = await startedShop();
    expect(fieldsOf(await rig.call("POST", "/executions/1/live-extension", body))).toEqual(["durationSecs"]);
  });
});

describe("add-users (API 2, Executions)", () => {
  it("raises the users of all regions evenly, at once", async () => {
    const providers = [{ providerId: 0, params: { regions: "cloud-us-east-1,cloud-eu-west-1" } }];
    const rig = await startedShop({ conf: { providers, rampupSecs: 0 } });
    await rig.service.advance(20_000);
    expect(await rig.ok("POST", "/executions/1/add-users", { concurrentClients: 5 })).toMatchObject({
      concurrentClients: 45,
      regions: [{ concurrentClients: 23 }, { concurrentClients: 22 }],
    });
    await rig.service.advance(10_000);
    expect(await execution(rig)).toMatchObject({ actualConcurrentClients: 45 });
  });

  it("of one region only", async () => {
    const providers = [{ providerId: 0, params: { regions: "cloud-us-east-1,cloud-eu-west-1" } }];
    const rig = await startedShop({ conf: { providers } });
    const { regions } = await execution(rig);
    const body = { concurrentClients: 5, regionId: regions[1].id };
    expect(await rig.ok("POST", "/executions/1/add-users", body)).toMatchObject({
      regions: [{ concurrentClients: 20 }, { concurrentClients: 25 }],
    });
  });

  it("of a region that is not the run's is 400, of none 400, of a run that does not run 409", async () => {
    const rig = await startedShop();
    expect(fieldsOf(await rig.call("POST", "/executions/1/add-users", { concurrentClients: 1, regionId: 77 }))).toEqual(
      ["regionId"],
    );
    expect(fieldsOf(await rig.call("POST", "/executions/1/add-users", { concurrentClients: 0, regionId: 77 }))).toEqual(
      ["concurrentClients", "regionId"],
    );
    expect(fieldsOf(await rig.call("POST", "/executions/1/add-users", {}))).toEqual(["concurrentClients"]);
    await rig.service.advance(3_600_000);
    expect((await rig.call("POST", "/executions/1/add-users", { concurrentClients: 1 })).status).toBe(409);
  });
});

describe("manual start and events (API 2, Starting a run)", () => {
  it("is 409 for a run that does not wait for it", async () => {
    const rig = await startedShop();
    expect((await rig.call("PUT", "/executions/1/manual-start")).status).toBe(409);
  });

  it("events reach every chunk of a run that runs", async () => {
    const rig = await startedShop({ conf: { concurrentClients: 250 } });
    expect(await rig.ok("POST", "/executions/1/send-event", { name: "go", contents: { a: 1 } })).toEqual({
      delivered: 3,
    });
    expect(fieldsOf(await rig.call("POST", "/executions/1/send-event", {}))).toEqual(["name"]);
    await rig.service.advance(3_600_000);
    expect((await rig.call("POST", "/executions/1/send-event", { name: "go" })).status).toBe(409);
  });
});
