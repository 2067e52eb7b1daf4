import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Settings } from "../../../src/service/index.ts";
import { sampleOf } from "../../support/deep.ts";
import { closeAfterEach, makeLiveShop, start as startLive, until } from "../support/live-rig.ts";
import { browse, grid, makeRig, makeShop, type Rig, start } from "../support/rig.ts";
import { code, file, sendForm } from "../support/start-forms.ts";
import { execution, startedShop, stateOf } from "../support/started-shop.ts";

const folder = mkdtempSync(join(tmpdir(), "loadform-own-clock-"));
let count = 0;
const newFile = () => join(folder, `${count++}.json`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

closeAfterEach();
const begun = Date.parse(start);
const moment = (ms: number) => new Date(begun + ms).toISOString();

/** Everything that is told of a run, but for when it was last written. */
async function told(rig: Rig): Promise<object> {
  const { updatedAt: _, firstVersion: __, ...whole } = await execution(rig);
  const rest = ["summary", "intervals", "resources", "logs", `regions/${whole.regions[0].id}/intervals`];
  const answers = await Promise.all(rest.map((part) => rig.ok("GET", `/executions/1/${part}`)));
  const metric = await rig.ok("GET", "/executions/1/metric?name=firstReceivedMs");
  return { whole, metric, ...Object.fromEntries(rest.map((part, index) => [part, answers[index]])) };
}

async function carried(rig: Rig, stepMs: number): Promise<number> {
  for (let steps = 1; ; steps++) {
    await rig.service.advanceRun(1, stepMs);
    if ((await execution(rig)).completed) return steps;
  }
}

const slow = [{ match: "*", latencyMs: { p50: 50, p99: 100 }, errorRate: 0.02, capacity: { users: 8, slope: 6 } }];
const slowAt = (threshold: number) => ({
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
});

describe("a run on a clock of its own", () => {
  it.each(
    sampleOf<[string, object, Partial<Settings>, number]>([
      ["of a duration", {}, {}, 7_000],
      ["in one step", {}, {}, 3_600_000],
      ["of iterations", { iterations: 5, rampupSecs: 10 }, { targets: slow }, 5_000],
      [
        "by steps",
        { profileType: "Step", startConcurrentClients: 5, step: 5, concurrentClients: 20, durationSecs: 80 },
        {},
        1_000,
      ],
      ["that a trigger stops", { durationSecs: 600, triggers: [slowAt(200)] }, { targets: slow }, 5_000],
      [
        "to its breaking point",
        { profileType: "BreakingPoint", durationSecs: 300, triggers: [slowAt(5_000)] },
        { accountMaximum: 60 },
        60_000,
      ],
      ["that is allocated later", {}, { allocation: { afterMs: 31_500 } }, 10_000],
      ["whose script throws", { scriptId: 2 }, {}, 5_000],
    ]),
  )("is what the service's clock would have made of it: %s", async (_, conf, settings, stepMs) => {
    const made = async () => {
      const rig = await makeShop({ settings, seed: "one" });
      await rig.ok("POST", "/test-cases/1/scripts", { name: "Broken", main: 'throw new Error("no")' });
      await rig.ok("PUT", "/test-confs/1", conf);
      await rig.ok("POST", "/test-confs/1/executions");
      return rig;
    };
    const [own, other] = [await made(), await made()];
    await carried(own, stepMs);
    await other.service.advance(7_200_000);
    expect(await told(own)).toEqual(await told(other));
    expect(await told(own)).toMatchObject({ whole: { completed: true, summaryCalculated: true } });
  });

  it("shows each moment as the service's clock would have shown it", async () => {
    const [own, other] = [await startedShop({ seed: "one" }), await startedShop({ seed: "one" })];
    for (let at = 15_000; at <= 150_000; at += 15_000) {
      await own.service.advanceRun(1, 15_000);
      await other.service.advance(15_000);
      expect(await told(own), `after ${at} ms`).toEqual(await told(other));
    }
  });

  it("moves nothing else: no clock, no schedule, no other run", async () => {
    const rig = await startedShop({
      conf: { schedules: [{ scheduleType: "Recurring", recurringInterval: "Minute", minute: 1 }] },
    });
    const clock = await rig.ok("GET", "/_loadform/clock");
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advanceRun(1, 45_000);
    expect(await execution(rig)).toMatchObject({ running: true, actualConcurrentClients: 16 });
    await carried(rig, 60_000);
    expect(await rig.ok("GET", "/_loadform/clock")).toEqual(clock);
    expect(await rig.ok("GET", "/test-confs/1/executions?limit=-1")).toHaveLength(2);
    expect(await execution(rig, 2)).toMatchObject({ running: true, actualConcurrentClients: 1 });
    expect(Date.parse((await execution(rig)).finishedAt)).toBeGreaterThan(Date.parse(clock.now) + 119_000);
    expect((await rig.call("GET", "/executions/1")).headers["x-loadform-engine"]).toBe("model");
  });

  it("can be stopped midway, at its own moment, and ends with the iterations under way", async () => {
    const targets = [{ match: "*", latencyMs: { p50: 4_000, p99: 4_500 }, errorRate: 0, capacity: null }];
    const rig = await startedShop({ settings: { targets } });
    await rig.service.advanceRun(1, 70_000);
    expect(await rig.ok("PUT", "/executions/1/stop")).toMatchObject({ running: true, cancelledByUser: true });
    await rig.service.advanceRun(1, 5_000);
    const { finishedAt, ...done } = await execution(rig);
    expect(done).toMatchObject({ completed: true, cancelledByUser: true, success: true });
    expect(Date.parse(finishedAt) - begun).toBeGreaterThanOrEqual(70_000);
    expect(Date.parse(finishedAt) - begun).toBeLessThan(75_000);
    expect((await rig.call("PUT", "/executions/1/stop")).status).toBe(409);
  });

  it("is stopped before it began, and started by hand, at its own moment", async () => {
    const queued = await startedShop({ settings: { allocation: { afterMs: 60_000 } } });
    await queued.service.advanceRun(1, 20_000);
    expect(await stateOf(queued)).toEqual([false, false, false]);
    expect(await queued.ok("PUT", "/executions/1/stop")).toMatchObject({ completed: true, finishedAt: moment(20_000) });
    const rig = await makeRig();
    await sendForm(rig, { ...code, code: file("main.js", browse), manual_start: "true" });
    await rig.service.advanceRun(1, 20_000);
    expect(await rig.ok("PUT", "/executions/1/manual-start")).toMatchObject({ startedAt: moment(20_000) });
    await rig.service.advanceRun(1, 30_000);
    expect(await execution(rig)).toMatchObject({
      running: true,
      regions: [{ chunks: [{ completedDurationSecs: 30 }] }],
    });
  });

  it("takes users and more time at its own moment", async () => {
    const rig = await startedShop({ conf: { rampupSecs: 0 } });
    await rig.service.advanceRun(1, 30_000);
    await rig.ok("POST", "/executions/1/add-users", { concurrentClients: 5 });
    await rig.ok("POST", "/executions/1/live-extension", { durationSecs: 30 });
    await rig.service.advanceRun(1, 50_000);
    expect(await execution(rig)).toMatchObject({ running: true, actualConcurrentClients: 25 });
    await carried(rig, 20_000);
    expect(Date.parse((await execution(rig)).finishedAt) - begun).toBeGreaterThanOrEqual(90_000);
  });

  it("remains where it was left until the service's clock has come there, and then ends once, when it would have", async () => {
    const [own, other] = [await startedShop({ seed: "one" }), await startedShop({ seed: "one" })];
    await own.service.advanceRun(1, 70_000);
    const left = await told(own);
    await own.service.advance(60_000);
    expect(await told(own)).toEqual(left);
    await own.service.advance(20_000);
    expect(await execution(own)).toMatchObject({ regions: [{ chunks: [{ completedDurationSecs: 80 }] }] });
    await own.service.advance(60_000);
    await other.service.advance(140_000);
    expect(await told(own)).toEqual(await told(other));
    expect(await execution(own)).toMatchObject({ completed: true });
    const done = await told(own);
    await own.service.advanceRun(1, 60_000);
    await own.service.advance(7_200_000);
    expect(await told(own)).toEqual(done);
  });

  it("goes on from where the service's clock is, when that was ahead", async () => {
    const rig = await startedShop();
    await rig.service.advance(60_000);
    await rig.service.advanceRun(1, 15_000);
    expect(await execution(rig)).toMatchObject({ regions: [{ chunks: [{ completedDurationSecs: 75 }] }] });
  });

  it("is each run's own: two of one configuration", async () => {
    const rig = await startedShop();
    await rig.ok("POST", "/test-confs/1/executions");
    await Promise.all([rig.service.advanceRun(1, 50_000), rig.service.advanceRun(2, 20_000)]);
    await rig.service.advanceRun(1, 10_000);
    const secs = async (id: number) => (await execution(rig, id)).regions[0].chunks[0].completedDurationSecs;
    expect([await secs(1), await secs(2)]).toEqual([60, 20]);
    const listed = await rig.ok("GET", "/test-confs/1/executions?down=true");
    const [second, first] = listed.map((each: Awaited<ReturnType<typeof execution>>) => each.regions[0].chunks[0]);
    expect([first.completedDurationSecs, second.completedDurationSecs]).toEqual([60, 20]);
  });

  it("waits for the probe iteration of a run that a schedule started", async () => {
    const schedules = [{ scheduleType: "Recurring", recurringInterval: "Minute", minute: 1 }];
    const rig = await makeShop({ clock: { mode: "frozen", now: start } });
    await rig.ok("PUT", "/test-confs/1", { schedules });
    const advancing = rig.service.advance(60_000);
    await new Promise(setImmediate);
    expect(await stateOf(rig)).toEqual([false, false, false]);
    await rig.service.advanceRun(1, 3_600_000);
    expect(await execution(rig)).toMatchObject({ completed: true, success: true });
    await advancing;
  });

  it("is none of a run whose load is really made", async () => {
    const rig = await makeLiveShop({ main: 'info("here")' });
    await startLive(rig);
    await expect(rig.service.advanceRun(1, 1_000)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("makes real load"),
    });
    expect(await until(rig)).toMatchObject({ completed: true });
    await rig.service.advanceRun(1, 1_000);
  });

  it.each([
    [2, 1_000, "found no execution 2"],
    [1, -1, "ms: found -1; expected 0 or more milliseconds, to a moment before 9999-12-31T23:59:59.999Z"],
    [1, Number.NaN, "ms: found NaN"],
    [1, 1e15, "ms: found 1000000000000000"],
  ])("refuses what is none: execution %d, %d ms", async (id, ms, message) => {
    const rig = await startedShop();
    const before = JSON.stringify(rig.service.snapshot());
    await expect(rig.service.advanceRun(id, ms)).rejects.toThrow(message);
    expect(JSON.stringify(rig.service.snapshot())).toBe(before);
  });
});

describe("a data file with a run on a clock of its own", () => {
  const inFile = async (data: string) => {
    const rig = await makeShop({ data, seed: "one" });
    await rig.ok("PUT", "/test-confs/1", { schedules: [] });
    await rig.ok("POST", "/test-confs/1/executions");
    return rig;
  };

  it("has its end before the call returns, for a process that is killed then", async () => {
    const [data, copy] = [newFile(), newFile()];
    const rig = await inFile(data);
    await carried(rig, 10_000);
    copyFileSync(data, copy);
    copyFileSync(`${data}.log`, `${copy}.log`);
    const done = await told(rig);
    const again = await makeRig({ data: copy });
    expect(await told(again)).toEqual(done);
    expect((await again.ok("GET", "/_loadform/clock")).now).toBe(start);
    await Promise.all([rig.close(), again.close()]);
  });

  it("lets another process carry it on from where it was, and ends it no earlier", async () => {
    const data = newFile();
    const rig = await inFile(data);
    await rig.service.advanceRun(1, 70_000);
    const left = await told(rig);
    await rig.close();
    const again = await makeRig({ data });
    expect(await told(again)).toEqual(left);
    await again.service.advance(40_000);
    expect(await told(again)).toEqual(left);
    await carried(again, 10_000);
    const other = await startedShop({ seed: "one", conf: { schedules: [] } });
    await other.service.advance(7_200_000);
    expect((await execution(again)).summary).toEqual((await execution(other)).summary);
    expect((await execution(again)).finishedAt).toBe((await execution(other)).finishedAt);
    await again.close();
  });

  it("says with the next step what the disk refused of the one before, which is taken back", async () => {
    const data = newFile();
    await (await inFile(data)).close();
    symlinkSync(newFile(), `${data}.log`);
    const rig = await makeRig({ data });
    const before = await told(rig);
    await rig.service.advanceRun(1, 10_000);
    await expect.poll(() => told(rig)).toEqual(before);
    await expect(rig.service.advanceRun(1, 10_000)).rejects.toMatchObject({ status: 507 });
    await expect(rig.service.advanceRun(1, 3_600_000)).rejects.toMatchObject({ status: 507 });
    expect(await told(rig)).toEqual(before);
    expect(existsSync(join(folder, `${count - 1}.json`))).toBe(false);
    await rig.close().catch(() => undefined);
  });

  it("takes an hour of ten regions in steps of 5 s in a second", async () => {
    const rig = await makeShop({ data: newFile(), clock: "real" });
    const names = Array.from({ length: 10 }, (_, index) => `dc-${index}`);
    for (const name of names) await rig.ok("POST", "/orgs/1/regions", { name });
    const provider = (await rig.ok("GET", "/providers")).find(
      (each: { id: number }) => each.id !== grid[0]?.providerId,
    );
    const providers = [{ providerId: provider.id, params: { regions: names.join(",") } }];
    await rig.ok("PUT", "/test-confs/1", { durationSecs: 3600, concurrentClients: 10, providers });
    await rig.ok("POST", "/test-confs/1/executions");
    const began = process.cpuUsage();
    for (let at = 0; at < 3_700_000; at += 5_000) await rig.service.advanceRun(1, 5_000);
    const { user, system } = process.cpuUsage(began);
    expect(await execution(rig)).toMatchObject({ completed: true, summary: { maxConcurrentClients: 100 } });
    expect((user + system) / 1000).toBeLessThan(1_000);
    await rig.close();
  });
});
