import { describe, expect, it } from "vitest";
import { makeShop, start } from "../support/rig.ts";
import { execution, startedShop, stateOf } from "../support/started-shop.ts";

const begun = Date.parse(start);

const slowAt = (threshold: number) => [
  {
    conditions: [
      {
        metric: "firstReceivedMs",
        metricKey: "p95",
        isPercentage: false,
        operator: "GTE",
        threshold,
        timePeriod: "LastMinute",
        valueType: "Absolute",
      },
    ],
    actions: [{ actionType: "StopExecution" }],
  },
];

describe("allocation (API 2, Executions)", () => {
  it("happens at once by default: the run runs", async () => {
    const rig = await startedShop();
    expect(await stateOf(rig)).toEqual([true, true, false]);
    expect(await execution(rig)).toMatchObject({ startedAt: start, finishedAt: null, success: null });
  });

  it("after a time: queued until then, and started at that moment", async () => {
    const rig = await startedShop({ settings: { allocation: { afterMs: 30_000 } } });
    expect(await stateOf(rig)).toEqual([false, false, false]);
    expect(await execution(rig)).toMatchObject({ startedAt: null });
    await rig.service.advance(29_999);
    expect(await stateOf(rig)).toEqual([false, false, false]);
    await rig.service.advance(60_001);
    expect(await execution(rig)).toMatchObject({ running: true, startedAt: "2026-11-20T10:08:00.000Z" });
  });

  it("after so many reads", async () => {
    const rig = await startedShop({ settings: { allocation: { afterReads: 2 } } });
    expect(await stateOf(rig)).toEqual([false, false, false]);
    expect(await stateOf(rig)).toEqual([true, true, false]);
  });

  it("can be given up by a stop: completed, cancelled, never started", async () => {
    const rig = await startedShop({ settings: { allocation: { afterMs: 30_000 } } });
    expect(await rig.ok("PUT", "/executions/1/stop")).toMatchObject({
      completed: true,
      cancelledByUser: true,
      success: false,
      allocated: false,
      startedAt: null,
    });
    await rig.service.advance(3_600_000);
    expect(await execution(rig)).toMatchObject({ startedAt: null, summary: { count: 0 } });
  });
});

describe("a run lives (API 2, Executions)", () => {
  it("through its ramp-up and its duration, until its last iteration has ended", async () => {
    const rig = await startedShop();
    await rig.service.advance(30_000);
    expect(await execution(rig)).toMatchObject({ running: true, actualConcurrentClients: 11 });
    await rig.service.advance(89_000);
    expect(await execution(rig)).toMatchObject({ running: true, actualConcurrentClients: 20 });
    await rig.service.advance(10_000);
    const done = await execution(rig);
    expect(done).toMatchObject({ running: false, completed: true, success: true, actualConcurrentClients: 0 });
    const took = Date.parse(done.finishedAt) - begun;
    expect(took).toBeGreaterThanOrEqual(120_000);
    expect(took).toBeLessThan(121_000);
  });

  it("by iterations: each user makes as many", async () => {
    const rig = await startedShop({ conf: { iterations: 3, rampupSecs: 0 } });
    await rig.service.advance(3_600_000);
    expect(await execution(rig)).toMatchObject({ completed: true, summary: { iterationsExecuted: 60 } });
    const { regions } = await execution(rig);
    expect(regions[0].chunks).toMatchObject([{ completedIterations: 60, concurrentClients: 20 }]);
  });

  it("by steps", async () => {
    const rig = await startedShop({
      conf: { profileType: "Step", startConcurrentClients: 5, step: 5, concurrentClients: 20, durationSecs: 80 },
    });
    const users = async () => (await execution(rig)).actualConcurrentClients;
    const seen: number[] = [];
    for (let level = 0; level < 4; level++) {
      seen.push(await users());
      await rig.service.advance(20_000);
    }
    expect(seen).toEqual([5, 10, 15, 20]);
  });

  it("to its breaking point, with the account maximum of users", async () => {
    const targets = [
      { match: "*", latencyMs: { p50: 50, p99: 100 }, errorRate: 0, capacity: { users: 300, slope: 4 } },
    ];
    const conf = { profileType: "BreakingPoint", durationSecs: 1000, triggers: slowAt(400) };
    const rig = await startedShop({ conf, settings: { targets, accountMaximum: 2000 } });
    await rig.service.advance(3_600_000);
    const done = await execution(rig);
    expect(done).toMatchObject({ completed: true, cancelledByUser: false, limitBreached: false });
    const point = done.summary.metrics.find((each: { metricDef: string }) => each.metricDef === "breakingPoint");
    expect(point.metricValue).toBeGreaterThan(600);
    expect(point.metricValue).toBeLessThan(1000);
    expect(await rig.ok("GET", "/executions/1/logs")).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(
          /^The run was stopped: firstReceivedMs\[p95\] was [4-9]\d\d(\.\d)? ms .*400 ms or more/,
        ),
      }),
    );
  });

  it("to the account maximum where nothing breaks", async () => {
    const conf = { profileType: "BreakingPoint", durationSecs: 100, triggers: slowAt(60_000) };
    const rig = await startedShop({ conf, settings: { accountMaximum: 100 } });
    await rig.service.advance(3_600_000);
    expect(await execution(rig)).toMatchObject({ limitBreached: true, summary: { maxConcurrentClients: 100 } });
  });

  it("in as many chunks as runners are needed: one for 100 users", async () => {
    const rig = await startedShop({ conf: { concurrentClients: 250 } });
    const [region] = (await execution(rig)).regions;
    expect(region.chunks.map((each: { concurrentClients: number }) => each.concurrentClients)).toEqual([84, 83, 83]);
    expect(region.chunks[0].agent).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("the same in two services of one seed, another one of another seed", async () => {
    const result = async (seed: string) => {
      const rig = await startedShop({ seed });
      await rig.service.advance(3_600_000);
      return JSON.stringify(await execution(rig));
    };
    expect(await result("a")).toBe(await result("a"));
    expect(await result("a")).not.toBe(await result("b"));
  });

  it("on after its state was put back into another service", async () => {
    const rig = await startedShop();
    await rig.service.advance(50_000);
    const fork = rig.service.fork();
    await rig.service.advance(3_600_000);
    await fork.advance(3_600_000);
    expect(fork.snapshot()).toEqual(rig.service.snapshot());
  });

  it("the same whether time passes in one step or in many", async () => {
    const one = await startedShop();
    const many = await startedShop();
    await one.service.advance(200_000);
    for (let step = 0; step < 40; step++) {
      await many.service.advance(5_000);
      await execution(many);
    }
    expect(many.service.snapshot()).toEqual(one.service.snapshot());
  });

  it("and is found running in listings", async () => {
    const rig = await startedShop();
    expect((await rig.ok("GET", "/new-summary")).running).toHaveLength(1);
    await rig.service.advance(3_600_000);
    expect((await rig.ok("GET", "/new-summary")).running).toHaveLength(0);
  });
});

describe("schedules start the same executions (API 1, Schedule)", () => {
  it("which run from the moment of the schedule", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", {
      schedules: [{ scheduleType: "Single", nextScheduled: begun + 600_000 }],
    });
    await rig.service.advance(650_000);
    expect(await execution(rig)).toMatchObject({ running: true, startedAt: "2026-11-20T10:17:30.000Z" });
    await rig.service.advance(600_000);
    expect(await execution(rig)).toMatchObject({ completed: true });
    expect((await execution(rig)).summary.count).toBeGreaterThan(100);
  });

  it.each(["loopback", "deny"] as const)("whose script is run once where its network is %s", async (network) => {
    const rig = await makeShop({ settings: { network } });
    await rig.ok("PUT", "/scripts/1", { main: "log.info('once')" });
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ scheduleType: "Single", nextScheduled: begun + 600_000 }] });
    await rig.service.advance(1_200_000);
    expect(await execution(rig)).toMatchObject({ completed: true, success: true });
    expect(await rig.ok("GET", "/executions/1/logs")).toMatchObject([{ message: "once" }]);
  });

  it("with the same numbers that a call at that moment would give", async () => {
    const called = await makeShop({ seed: "s" });
    await called.service.advance(600_000);
    await called.ok("POST", "/test-confs/1/executions");
    await called.service.advance(600_000);
    const fired = await makeShop({ seed: "s" });
    await fired.ok("PUT", "/test-confs/1", { schedules: [{ scheduleType: "Single", nextScheduled: begun + 600_000 }] });
    await fired.service.advance(1_200_000);
    expect((await execution(fired)).summary).toEqual((await execution(called)).summary);
  });
});
