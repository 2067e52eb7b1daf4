import { describe, expect, it, vi } from "vitest";
import { timesOf } from "../../support/deep.ts";
import { mergeTest } from "../../support/merge-test.ts";
import { daily } from "../support/configuration-cases.ts";
import { fieldsOf, makeShop } from "../support/rig.ts";

const hour = 3_600_000;
const single = (nextScheduled: string) => ({ scheduleType: "Single", nextScheduled });

describe("schedules of a configuration", () => {
  it("are a list: an item with its id keeps id, createdAt and pause; one without is new and active", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [daily, { ...daily, hour: 4 }] });
    await rig.ok("PUT", "/test-schedules/1", { active: false });
    await rig.service.advance(1000);
    const changed = await rig.ok("PUT", "/test-confs/1", {
      schedules: [{ ...daily, id: 1, hour: 5, active: true }, daily],
    });
    expect(changed.schedules).toMatchObject([
      { id: 1, hour: 5, active: false, createdAt: "2026-11-20T10:07:30.000Z", updatedAt: "2026-11-20T10:07:31.000Z" },
      { id: 3, hour: 2, active: true, createdAt: "2026-11-20T10:07:31.000Z" },
    ]);
  });

  it("stay as they are when read and sent back", async () => {
    const rig = await makeShop({ strict: true });
    const { schedules } = await rig.ok("PUT", "/test-confs/1", { schedules: [daily, single("2026-11-21T00:00:00Z")] });
    await rig.service.advance(48 * hour);
    const read = (await rig.ok("GET", "/test-confs/1")).schedules;
    expect(read[1]).toMatchObject({ active: false, nextScheduled: null });
    expect((await rig.ok("PUT", "/test-confs/1", { schedules: read })).schedules).toEqual(read);
    expect(schedules).toHaveLength(2);
  });

  it("start their runs when they are due, though nobody asks a service that listens", async () => {
    const rig = await makeShop({ clock: "real" });
    await rig.service.listen();
    try {
      await rig.ok("PUT", "/test-confs/1", { schedules: [single(new Date(Date.now() + 300).toISOString())] });
      const started = () => rig.service.snapshot().tables["execution"] ?? [];
      expect(started()).toHaveLength(0);
      await vi.waitFor(() => expect(started()).toHaveLength(1), 10_000);
    } finally {
      await rig.service.close();
    }
  });

  it("have a moment: null does not clear the one that is to come", async () => {
    const rig = await makeShop();
    const { schedules } = await rig.ok("PUT", "/test-confs/1", { schedules: [single("2026-11-21T00:00:00Z")] });
    const cleared = await rig.call("PUT", "/test-confs/1", { schedules: [{ ...schedules[0], nextScheduled: null }] });
    expect(fieldsOf(cleared)).toEqual(["schedules[0].nextScheduled"]);
    expect((await rig.ok("GET", "/test-confs/1")).schedules).toEqual(schedules);
  });

  it.each([[{ schedules: [] }], [{ schedules: null }], [{ deleteSchedule: true }]])(
    "are removed by %j",
    async (body) => {
      const rig = await makeShop();
      await rig.ok("PUT", "/test-confs/1", { schedules: [daily] });
      expect((await rig.ok("PUT", "/test-confs/1", body)).schedules).toEqual([]);
    },
  );

  it("are refused with the id of another configuration's schedule, and with one id twice", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [daily] });
    const { id } = await rig.ok("POST", "/test-cases/1/confs", {
      name: "Second",
      scriptId: 1,
      concurrentClients: 1,
      durationSecs: 1,
      providers: [{ providerId: 0 }],
    });
    expect(fieldsOf(await rig.call("PUT", `/test-confs/${id}`, { schedules: [{ ...daily, id: 1 }] }))).toEqual([
      "schedules[0].id",
    ]);
    const twice = {
      schedules: [
        { ...daily, id: 1 },
        { ...daily, id: 1 },
      ],
    };
    expect(fieldsOf(await rig.call("PUT", "/test-confs/1", twice))).toEqual(["schedules[1].id"]);
  });

  it("report fields foreign to their interval", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", {
      schedules: [{ ...daily, dayOfWeek: 3, exclusions: [{ recurringInterval: "Hour", startHour: 1, endMinute: 5 }] }],
    });
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual([
      "schedules[0].dayOfWeek",
      "schedules[0].exclusions[0].startHour",
    ]);
  });
});

describe("firing", () => {
  const runs = async (rig: Awaited<ReturnType<typeof makeShop>>) =>
    (await rig.ok("GET", "/test-confs/1/executions?limit=-1"))
      .map((each: { createdAt: string }) => each.createdAt)
      .reverse();

  it("makes an execution at each run, in order, by the time that advance returns", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", {
      schedules: [daily, { ...daily, recurringInterval: "Hour", hour: 12, minute: 30 }],
    });
    await rig.service.advance(37 * hour);
    expect(await runs(rig)).toEqual([
      "2026-11-20T10:30:00.000Z",
      "2026-11-20T22:30:00.000Z",
      "2026-11-21T02:00:00.000Z",
      "2026-11-21T10:30:00.000Z",
      "2026-11-21T22:30:00.000Z",
    ]);
    const [latest] = await rig.ok("GET", "/test-confs/1/executions");
    expect(latest).toMatchObject({ completed: true, running: false, success: true, tags: [{ name: "nightly" }] });
  });

  it("spends a Single schedule", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [single("2026-11-20T12:00:00Z")] });
    await rig.service.advance(2 * hour);
    expect(await runs(rig)).toEqual(["2026-11-20T12:00:00.000Z"]);
    expect((await rig.ok("GET", "/test-confs/1")).schedules).toMatchObject([{ active: false, nextScheduled: null }]);
    await rig.service.advance(200 * hour);
    expect(await runs(rig)).toHaveLength(1);
  });

  it("stops while paused, makes nothing up, and keeps its grid", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ ...daily, recurringInterval: "Minute", minute: 45 }] });
    expect((await rig.call("PUT", "/test-schedules/1", { active: false })).body).toBeUndefined();
    expect((await rig.ok("GET", "/scheduled"))[0]).toMatchObject({ active: false, nextScheduled: null });
    await rig.service.advance(2 * hour);
    await rig.ok("PUT", "/test-schedules/1", { active: true });
    expect((await rig.ok("GET", "/scheduled"))[0].nextScheduled).toBe("2026-11-20T12:22:00.000Z");
    await rig.service.advance(hour);
    expect(await runs(rig)).toEqual(["2026-11-20T12:22:00.000Z", "2026-11-20T13:07:00.000Z"]);
  });

  it("skips excluded runs and has no next one when all are excluded", async () => {
    const rig = await makeShop();
    const night = { recurringInterval: "Day", startHour: 1, endHour: 3 };
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ ...daily, exclusions: [night] }] });
    expect((await rig.ok("GET", "/test-confs/1")).schedules[0]).toMatchObject({ nextScheduled: null, active: true });
    await rig.service.advance(100 * hour);
    expect(await runs(rig)).toEqual([]);
  });

  mergeTest("takes no longer beside a schedule that never runs", async () => {
    const rig = await makeShop();
    const allDay = { recurringInterval: "Day", startHour: 2, endHour: 3 };
    const quarterly = { scheduleType: "Recurring", recurringInterval: "Minute", minute: 15 };
    await rig.ok("PUT", "/test-confs/1", { schedules: [{ ...daily, exclusions: [allDay] }, quarterly] });
    const days = timesOf({ few: 40 });
    const began = process.cpuUsage();
    await rig.service.advance(days * 24 * hour);
    expect(await rig.ok("GET", "/test-confs/1/executions?limit=-1&down=false")).toHaveLength(days * 24 * 4);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(days * 500);
  });

  it("fires what falls on one moment in id order", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [daily, daily, single("2026-11-21T02:00:00Z")] });
    await rig.service.advance(24 * hour);
    expect(await runs(rig)).toEqual(Array.from({ length: 3 }, () => "2026-11-21T02:00:00.000Z"));
  });

  it("cannot be paused when Single: 409", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [single("2026-11-21T00:00:00Z")] });
    expect((await rig.call("PUT", "/test-schedules/1", { active: false })).status).toBe(409);
    expect(fieldsOf(await rig.call("PUT", "/test-schedules/1", { active: "no" }))).toEqual(["active"]);
    expect((await rig.call("PUT", "/test-schedules/9", { active: false })).status).toBe(404);
  });

  it("happens on a real clock without anyone advancing it", async () => {
    const rig = await makeShop({ clock: { mode: "real", now: "2026-11-20T11:59:59.900Z" } });
    await rig.ok("PUT", "/test-confs/1", { schedules: [single("2026-11-20T12:00:00Z")] });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await runs(rig)).toEqual(["2026-11-20T12:00:00.000Z"]);
  });
});

describe("scheduled listings", () => {
  it("show every schedule with its configuration, per organization and for all", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [daily] });
    await rig.ok("POST", "/test-cases/1/scripts", { name: "b", main: "x", tags: ["release", "nightly"] });
    const [entry] = await rig.ok("GET", "/scheduled");
    expect(entry).toMatchObject({
      id: 1,
      scheduleType: "Recurring",
      nextScheduled: "2026-11-21T02:00:00.000Z",
      configuration: { id: 1, testCase: { id: 1, name: "Checkout" }, outputFileRetention: "IntelligentSampling" },
    });
    const { tags } = entry.configuration.testCase;
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(["nightly", "release"]);
    expect(await rig.ok("GET", "/orgs/1/scheduled")).toEqual([entry]);
    expect((await rig.ok("GET", "/new-summary")).scheduled).toEqual([entry]);
    expect((await rig.call("GET", "/orgs/2/scheduled")).status).toBe(404);
  });

  it("say what a start by schedule takes, by default from the settings of the organization", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { schedules: [daily] });
    const taken = async () => {
      const [{ configuration }] = await rig.ok("GET", "/scheduled");
      const { testType, onlyCaptureFailure, manualStart } = configuration;
      return { testType, onlyCaptureFailure, manualStart };
    };
    expect(await taken()).toEqual({ testType: "Load", onlyCaptureFailure: false, manualStart: false });
    const state = JSON.parse(JSON.stringify(rig.service.snapshot()));
    state.tables.organization[0].settings = { onlyCaptureFailure: "true" };
    rig.service.restore(state);
    expect(await taken()).toEqual({ testType: "Load", onlyCaptureFailure: true, manualStart: false });
    await rig.ok("POST", "/test-confs/1/executions", {});
    const { execution } = JSON.parse(JSON.stringify(rig.service.snapshot())).tables;
    expect(execution).toMatchObject([{ onlyCaptureFailure: true }]);
  });
});
