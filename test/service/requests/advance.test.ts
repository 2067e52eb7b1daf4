import { describe, expect, it, vi } from "vitest";
import * as recurrence from "../../../src/model/recurrence.ts";
import { createService } from "../../../src/service/index.ts";
import { Store } from "../../../src/service/store/store.ts";
import { timesOf } from "../../support/deep.ts";
import { grid, makeRig, makeShop, start } from "../support/rig.ts";

const hour = 3_600_000;
const day = 24 * hour;
const minutely = { scheduleType: "Recurring", recurringInterval: "Minute", minute: 1 };
const never = {
  scheduleType: "Recurring",
  recurringInterval: "Minute",
  minute: 1,
  exclusions: [
    { recurringInterval: "Day", startHour: 0, endHour: 12 },
    { recurringInterval: "Day", startHour: 12, endHour: 0 },
  ],
};

describe("advance", () => {
  it("lets others be answered meanwhile, who see whole moments", async () => {
    const rig = await makeShop({ way: "over HTTP" });
    await rig.ok("PUT", "/test-confs/1", { schedules: [minutely] });
    const hours = timesOf({ few: 24, deep: 72 });
    const span = hours * hour;
    let isDone = false;
    const advanced = rig.ok("POST", "/_loadform/clock/advance", { ms: span }).then(() => (isDone = true));
    const seen: number[] = [];
    while (!isDone) {
      await rig.ok("GET", "/_loadform/health");
      seen.push(Date.parse((await rig.ok("GET", "/_loadform/clock")).now) - Date.parse(start));
    }
    await advanced;
    expect(seen.filter((ms) => ms > 0 && ms < span)).not.toEqual([]);
    expect(await rig.ok("GET", "/_loadform/clock")).toMatchObject({
      now: new Date(Date.parse(start) + span).toISOString(),
    });
    expect(await rig.ok("GET", "/test-confs/1/executions?limit=-1")).toHaveLength(hours * 60);
    await rig.close();
  });

  it("adds up when called twice at once, each run once", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [minutely] });
    await Promise.all([rig.service.advance(2 * hour), rig.service.advance(2 * hour)]);
    expect(await rig.ok("GET", "/test-confs/1/executions?limit=-1")).toHaveLength(4 * 60);
    expect((await rig.ok("GET", "/_loadform/clock")).now).toBe(new Date(Date.parse(start) + 4 * hour).toISOString());
  });

  it("is ended by closing the service", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [minutely] });
    const advanced = rig.service.advance(60 * day);
    await rig.close();
    await advanced;
    const { execution } = rig.service.snapshot().tables;
    expect(execution?.length).toBeLessThan(60 * 24 * 60);
  });

  it("is 400 beyond 100,000 runs and beyond all dates, and nothing moves", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [minutely] });
    const far = await rig.call("POST", "/_loadform/clock/advance", { ms: 366 * day });
    expect(far).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("up to 527040 scheduled runs"), errors: [{ field: "ms" }] },
    });
    await rig.ok("PUT", "/test-schedules/1", { active: false });
    expect((await rig.call("POST", "/_loadform/clock/advance", { ms: 8e15 })).status).toBe(400);
    expect(await rig.ok("GET", "/_loadform/clock")).toMatchObject({ now: start });
    expect((await rig.call("POST", "/_loadform/clock/advance", { ms: 366 * day })).status).toBe(200);
    expect(await rig.ok("GET", "/test-confs/1/executions")).toEqual([]);
  });

  it("counts schedules that never run for nothing", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [never] });
    expect((await rig.call("POST", "/_loadform/clock/advance", { ms: 366 * day })).status).toBe(200);
  });
});

describe("advance while a long run is under way", () => {
  const long = {
    name: "Long",
    scriptId: 1,
    concurrentClients: 1_000,
    durationSecs: 60 * 86_400,
    rampupSecs: 0,
    providers: grid,
  };

  it("is 400 beyond some 5,000,000 requests, and nothing moves", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { ...long, concurrentClients: 10_000 });
    await rig.ok("PUT", "/test-confs/1", { schedules: [minutely] });
    await rig.ok("POST", "/test-confs/1/executions");
    const far = await rig.call("POST", "/_loadform/clock/advance", { ms: 30 * day });
    expect(far).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("requests; expected at most 5000000"), errors: [{ field: "ms" }] },
    });
    expect(await rig.ok("GET", "/_loadform/clock")).toMatchObject({ now: start });
  });

  it("computes it in slices: others are answered meanwhile, and a read finds it done", async () => {
    const rig = await makeShop({ way: "over HTTP" });
    await rig.ok("PUT", "/test-confs/1", long);
    await rig.ok("POST", "/test-confs/1/executions");
    let isDone = false;
    const advanced = rig.ok("POST", "/_loadform/clock/advance", { ms: 2 * hour }).then(() => (isDone = true));
    let answers = 0;
    while (!isDone) {
      await rig.ok("GET", "/_loadform/health");
      answers += 1;
    }
    await advanced;
    expect(answers).toBeGreaterThan(3);
    const { summary } = await rig.ok("GET", "/executions/1");
    expect(summary.count).toBeGreaterThan(700_000);
    await rig.close();
  });
});

describe("the next run of a schedule that its windows never let run", () => {
  it("is searched once, not by every read", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [never] });
    const spent = async () => {
      const before = process.cpuUsage();
      for (let index = 0; index < 40; index++)
        expect((await rig.ok("GET", "/test-confs/1")).schedules).toMatchObject([{ nextScheduled: null }]);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const searched = process.cpuUsage();
    recurrence.nextRun(never, Date.parse(start), Date.parse(start));
    const once = process.cpuUsage(searched).user / 1000;
    expect(await spent()).toBeLessThan(Math.max(20 * once, 100));
  });

  it("is searched again when the schedule changes, or time goes back", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [never] });
    const changed = await rig.ok("PUT", "/test-confs/1", { schedules: [{ ...never, id: 1, exclusions: [] }] });
    expect(changed.schedules).toMatchObject([{ id: 1, nextScheduled: "2026-11-20T10:08:00.000Z" }]);
    await rig.service.advance(hour);
    expect((await rig.ok("GET", "/test-confs/1")).schedules).toMatchObject([
      { nextScheduled: "2026-11-20T11:08:00.000Z" },
    ]);
    await rig.ok("PUT", "/_loadform/clock", { mode: "frozen", now: start });
    expect((await rig.ok("GET", "/test-confs/1")).schedules).toMatchObject([
      { nextScheduled: "2026-11-20T10:08:00.000Z" },
    ]);
  });
});

describe("a rename", () => {
  it("looks at no other test case but namesakes", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases", { name: "Two", org: 1 });
    const looks = vi.spyOn(Store.prototype, "all");
    await rig.ok("PUT", "/test-cases/1", { name: "Three" });
    expect((await rig.call("PUT", "/test-cases/1", { name: "Two" })).status).toBe(409);
    await rig.ok("POST", "/test-cases/1/copy", { name: "Four" });
    expect(looks.mock.calls.filter(([table]) => table === "testCase")).toEqual([]);
    looks.mockRestore();
  });
});

describe("two services with the same calls", () => {
  it("answer the same bytes, session ids too, when they began at the same moment", async () => {
    const bytes = async () => {
      const rig = await makeRig({ seed: 7 });
      return JSON.stringify([await rig.ok("GET", "/login"), rig.service.snapshot()]);
    };
    expect(await bytes()).toBe(await bytes());
    const later = createService({ seed: 7, clock: { mode: "frozen", now: Date.parse(start) + 1 } });
    const { json } = await later.handle({ method: "GET", path: "/login", headers: { "x-api-key": "local" } });
    expect(await bytes()).not.toContain(String(Reflect.get(json as object, "sid")));
  });
});
