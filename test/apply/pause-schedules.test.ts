import { describe, expect, test } from "vitest";
import type { Target } from "../../src/model/target.ts";
import type { Fault } from "../../src/service/index.ts";
import { Crash, crashDisk } from "../support/crash-files.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig, type RigOptions } from "../support/rig.ts";

/** What one version of the project says; the rig's clock starts at 10:00. */
interface Version {
  readonly script: string;
  readonly data: string;
  readonly minute?: number;
  readonly hour?: number;
  readonly active?: boolean;
  /** Instead of the daily recurrence. */
  readonly fields?: Wish["fields"];
  readonly schedules?: readonly string[];
}

function project({ script, data, hour = 10, minute = 3, active, schedules = ["daily"], fields: other }: Version) {
  const fields = other ?? { scheduleType: "Recurring", recurringInterval: "Day", hour, minute };
  const schedule = (key: string): Wish => ({
    kind: "schedule",
    key,
    fields: active === undefined ? fields : { ...fields, active },
    below: [],
  });
  const store: Wish = { kind: "dataStore", key: "d", fields: { name: "d.csv", contents: data }, below: [] };
  return toTree([
    {
      kind: "testCase",
      key: "t",
      fields: { name: "T" },
      below: [
        { kind: "scenario", key: "s", fields: { name: "S", script }, below: [store] },
        {
          kind: "configuration",
          key: "c",
          fields: {
            name: "C",
            scenario: { ref: "testCase.t/scenario.s" },
            providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
            durationSecs: 10,
            concurrentClients: 1,
          },
          below: schedules.map(schedule),
        },
      ],
    },
  ]);
}

const first: Version = { script: "one", data: "a\n" };
const second: Version = { script: "two", data: "b\n" };

/** A rig on which the first version was applied. */
async function appliedRig(version: Version = first, options: RigOptions = {}): Promise<Rig> {
  const rig = makeRig(options);
  expect((await rig.apply(project(version))).status).toBe("applied");
  return rig;
}

/** Every write since the start, as `METHOD /path body`. */
const pausesOf = (rig: Rig) => rig.service.requests.filter(({ path }) => path.includes("/test-schedules/")).length;

async function liveSchedules(rig: Rig) {
  const [testCase] = await rig.outside.call("GET /test-cases", { query: { down: true } });
  return (testCase?.configurations?.[0]?.schedules ?? []).map(({ active }) => active);
}

async function executionsOf(rig: Rig): Promise<number> {
  return (await rig.outside.call("GET /test-confs/:confId/executions", { params: { confId: 1 } })).length;
}

/** The service asks for two minutes of patience at each of these. */
const slow = (path: string): Fault => ({
  method: "PUT",
  path,
  times: 2,
  status: 503,
  retryAfterSecs: 110,
});

describe("a schedule that could start while several objects that it runs change", () => {
  test("is paused first and resumed last, and does not start in between", async () => {
    const rig = await appliedRig();
    await rig.setFaults([slow("/data-stores/:id/contents"), slow("/scripts/:id")]);
    const outcome = await rig.apply(project(second));
    expect(outcome.status).toBe("applied");
    expect(outcome.events.filter(({ type }) => type === "paused" || type === "resumed")).toHaveLength(2);
    expect(await executionsOf(rig)).toBe(0);
    expect(await liveSchedules(rig)).toEqual([true]);
    expect(outcome.diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
      ["LF6007", "testCase.t/configuration.c/schedule.daily did not start at 2026-11-20T10:03:00.000Z"],
    ]);
    const writes = rig.service.requests.filter(({ method }) => method === "PUT").map(({ path }) => path);
    expect(writes.at(0)).toMatch("/test-schedules/");
    expect(writes.at(-1)).toMatch("/test-schedules/");
    expect((await rig.stored())?.intents).toEqual([]);
  });

  test("is said in the plan, which is the same whatever the time", async () => {
    const rig = await appliedRig();
    const { plan } = await rig.plan(project(second));
    expect(plan?.pauses.map(({ address }) => address)).toEqual(["testCase.t/configuration.c/schedule.daily"]);
    await rig.system.sleep(7_200_000);
    expect((await rig.plan(project(second))).plan?.pauses).toEqual(plan?.pauses);
  });

  test.each<[string, Version, Version]>([
    ["it starts hours later", { ...first, hour: 20 }, { ...second, hour: 20 }],
    ["one object changes", first, { ...first, data: "b\n" }],
    ["it is paused already", { ...first, active: false }, { ...second, active: false }],
  ])("is left alone when %s", async (_, before, after) => {
    const rig = await appliedRig(before);
    const sent = pausesOf(rig);
    expect((await rig.apply(project(after))).status).toBe("applied");
    expect(pausesOf(rig)).toBe(sent);
  });

  test("stays paused when that is what is wished for", async () => {
    const rig = await appliedRig();
    expect((await rig.apply(project({ ...second, active: false }))).status).toBe("applied");
    expect(await liveSchedules(rig)).toEqual([false]);
    expect((await rig.stored())?.intents).toEqual([]);
    expect((await rig.plan(project({ ...second, active: false }))).plan?.changes).toEqual([]);
  });

  test("may go in the same apply", async () => {
    const rig = await appliedRig();
    const without = project({ ...second, schedules: [] });
    expect((await rig.apply(without)).status).toBe("applied");
    expect(await liveSchedules(rig)).toEqual([]);
    expect((await rig.stored())?.intents).toEqual([]);
  });

  test("may become one that runs once", async () => {
    const rig = await appliedRig();
    const fields = { scheduleType: "Single", nextScheduled: "2026-12-01T00:00:00Z" };
    const outcome = await rig.apply(project({ ...second, fields }));
    expect([outcome.status, outcome.diagnostics]).toEqual(["applied", []]);
    expect(await liveSchedules(rig)).toEqual([true]);
    expect((await rig.stored())?.intents).toEqual([]);
  });

  test("is not touched when not declared in this project", async () => {
    const rig = await appliedRig({ ...first, schedules: [] });
    const schedules = [{ scheduleType: "Recurring", recurringInterval: "Day", hour: 10, minute: 3 } as const];
    await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body: { schedules } });
    expect((await rig.apply(project({ ...second, schedules: [] }))).status).toBe("applied");
    expect([pausesOf(rig), await liveSchedules(rig)]).toEqual([0, [true]]);
  });

  test("is resumed although a write failed", async () => {
    const rig = await appliedRig();
    await rig.setFaults([{ method: "PUT", path: "/scripts/:id", times: 9, status: 400 }]);
    expect((await rig.apply(project(second))).status).toBe("partial");
    expect(await liveSchedules(rig)).toEqual([true]);
    expect((await rig.stored())?.intents).toEqual([]);
  });

  test("is resumed by the next apply when it could not be resumed, whatever that one has to do", async () => {
    const rig = await appliedRig();
    await rig.setFaults([{ method: "PUT", path: "/test-schedules/:scheduleId", after: 1, status: 400 }]);
    const outcome = await rig.apply(project(second));
    expect([outcome.status, outcome.diagnostics[0]?.code]).toEqual(["partial", "LF6006"]);
    expect(await liveSchedules(rig)).toEqual([false]);
    const planned = await rig.plan(project(second));
    expect(planned.plan?.changes).toEqual([]);
    expect(planned.diagnostics.map(({ code }) => code)).toEqual(["LF6006"]);
    await rig.setFaults([]);
    expect((await rig.apply(project(second))).status).toBe("nothing");
    expect(await liveSchedules(rig)).toEqual([true]);
    expect((await rig.stored())?.intents).toEqual([]);
  });

  test.each<[string, Target | undefined]>([
    ["no apply ever came to its end, so that the state names no service", undefined],
    ["the service is spelled another way", { url: "HTTP://here/", organization: 1 }],
  ])("is resumed also when %s", async (_, known) => {
    const rig = await appliedRig();
    await rig.setFaults([{ method: "PUT", path: "/test-schedules/:scheduleId", after: 1, status: 400 }]);
    await rig.apply(project(second));
    await rig.setFaults([]);
    const session = await rig.store.lock({ operation: "test", timeoutMs: 0 });
    const { target: _former, ...state } = session.stored!.state;
    await session.save({ ...state, ...(known && { target: known }) }, session.stored!.intents);
    await session.release();
    await rig.apply(project(second), known && { target: { url: "http://here", organization: 1 } });
    expect([await liveSchedules(rig), (await rig.stored())?.intents]).toEqual([[true], []]);
  });

  test("is resumed also when it is not bound any more", async () => {
    const rig = await appliedRig();
    await rig.setFaults([{ method: "PUT", path: "/test-schedules/:scheduleId", after: 1, status: 400 }]);
    await rig.apply(project(second));
    await rig.setFaults([]);
    const session = await rig.store.lock({ operation: "test", timeoutMs: 0 });
    const { state, intents } = session.stored!;
    const resources = Object.entries(state.resources).filter(([, { kind }]) => kind !== "schedule");
    await session.save({ ...state, resources: Object.fromEntries(resources) }, intents);
    await session.release();
    expect((await rig.apply(project({ ...second, schedules: [] }))).status).toBe("nothing");
    expect([await liveSchedules(rig), (await rig.stored())?.intents]).toEqual([[true], []]);
  });

  test("keeps what it runs unchanged when it cannot be paused", async () => {
    const rig = await appliedRig();
    await rig.setFaults([{ method: "PUT", path: "/test-schedules/:scheduleId", times: 1, status: 400 }]);
    const outcome = await rig.apply(project(second));
    expect([outcome.status, outcome.diagnostics[0]?.code]).toEqual(["partial", "LF6006"]);
    const puts = rig.service.requests.filter(({ method, path }) => method === "PUT" && !path.includes("schedules"));
    expect(puts).toEqual([]);
    expect(await liveSchedules(rig)).toEqual([true]);
  });

  test("is never left paused by a crash: the next apply resumes it", async () => {
    let isCrashed = true;
    for (let point = 0; isCrashed; point++) {
      const found = await crashAt(point);
      isCrashed = found.isCrashed;
      expect({ point, ...found }).toMatchObject({ point, schedules: [true], intents: [] });
      expect(point).toBeLessThan(200);
    }
  });
});

describe("a pause or a resume that the project asks for", () => {
  test.each<[string, Version | undefined, Version]>([
    ["of a new schedule", undefined, { ...first, active: false }],
    ["of one that runs", { ...first, active: true }, { ...first, minute: 4, active: false }],
    ["of one that was paused", { ...first, active: false }, { ...first, minute: 4, active: true }],
    ["of one that was paused and is not any more", { ...first, active: false }, { ...first, minute: 4 }],
  ])("is no drift where it was refused, %s, and is sent by the next apply", async (_, before, after) => {
    const rig = before ? await appliedRig(before) : makeRig();
    await rig.setFaults([{ method: "PUT", path: "/test-schedules/:scheduleId", times: 1, status: 409 }]);
    expect((await rig.apply(project(after))).status).toBe("partial");
    const { plan } = await rig.plan(project(after));
    expect(plan?.changes.flatMap(({ fields = [] }) => fields)).toMatchObject([{ field: "active", cause: "change" }]);
    expect(plan?.drift).toEqual([]);
    expect((await rig.apply(project(after))).status).toBe("applied");
    expect(await liveSchedules(rig)).toEqual([after.active ?? true]);
    expect((await rig.plan(project(after))).plan?.changes).toEqual([]);
  });
});

test("a resume that nobody declares, of what had run once, is sent by the next apply where it was refused", async () => {
  const rig = await appliedRig({ ...first, fields: { scheduleType: "Single", nextScheduled: "2026-11-20T10:05:00Z" } });
  await rig.system.sleep(7_200_000);
  await rig.setFaults([{ method: "PUT", path: "/test-schedules/:scheduleId", times: 1, status: 409 }]);
  expect((await rig.apply(project(first))).status).toBe("partial");
  expect(await liveSchedules(rig)).toEqual([false]);
  expect((await rig.apply(project(first))).status).toBe("applied");
  expect(await liveSchedules(rig)).toEqual([true]);
  expect((await rig.plan(project(first))).plan?.changes).toEqual([]);
});

/** Crashes at one step of the second apply, and applies again. */
async function crashAt(point: number) {
  let steps = -1;
  const isDead = () => steps > point;
  const disk = crashDisk(() => {
    if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
  });
  const rig = await appliedRig(first, { files: disk.files, isDead });
  steps = 0;
  await rig.apply(project(second)).catch((problem: unknown) => {
    if (!(problem instanceof Crash)) throw problem;
  });
  const isCrashed = isDead();
  steps = -1;
  const revived = isCrashed ? rig.restart(disk.restart(false).files) : rig;
  expect(["applied", "nothing"]).toContain((await revived.apply(project(second))).status);
  return { isCrashed, schedules: await liveSchedules(revived), intents: (await revived.stored())?.intents };
}
