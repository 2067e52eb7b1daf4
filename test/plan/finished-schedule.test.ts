import { expect, test } from "vitest";
import { configuration, scenario, shop } from "../support/one-test-case.ts";
import type { Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const minute = 60_000;

const project = (fields: Wish["fields"], durationSecs = 10) =>
  shop([scenario("s"), configuration("s", durationSecs, [{ kind: "schedule", key: "once", fields, below: [] }])]);

const single = (at: number) => ({ scheduleType: "Single", nextScheduled: new Date(at).toISOString() });

/** A Single schedule that was applied, and has fired since. */
async function fired() {
  const rig = makeRig();
  const at = rig.system.now() + minute;
  expect((await rig.apply(project(single(at)))).status).toBe("applied");
  await rig.service.advance(10 * minute);
  const schedules = async () => {
    const found = await rig.outside.call("GET /test-confs/:confId", { params: { confId: 1 }, query: { down: false } });
    return found.schedules ?? [];
  };
  expect(await schedules()).toMatchObject([{ id: 1, active: false }]);
  return { rig, at, schedules };
}

test("a Single schedule that has fired is as declared", async () => {
  const { rig, at } = await fired();
  expect((await rig.plan(project(single(at)))).plan).toMatchObject({ changes: [], drift: [] });
  const rehearsed = await rig.plan(project(single(at), 20), { rehearsal: true });
  expect([rehearsed.rehearsed, rehearsed.diagnostics]).toEqual([true, []]);
  expect((await rig.apply(project(single(at), 20))).status).toBe("applied");
  expect((await rig.plan(project(single(at), 20))).plan).toMatchObject({ changes: [], drift: [] });
});

test("its new moment is sent, so that it fires again", async () => {
  const { rig, schedules } = await fired();
  const next = project(single(rig.system.now() + 30 * minute));
  const { plan } = await rig.plan(next);
  expect([plan?.summary, plan?.drift]).toMatchObject([{ update: 1 }, []]);
  expect((await rig.plan(next, { rehearsal: true })).diagnostics).toEqual([]);
  expect((await rig.apply(next)).status).toBe("applied");
  expect(await schedules()).toMatchObject([{ id: 1, active: true }]);
  expect((await rig.plan(next)).plan).toMatchObject({ changes: [], drift: [] });
  expect((await rig.plan(project(single(rig.system.now() - minute)))).diagnostics).toMatchObject([{ code: "LF3008" }]);
});

test("one that is declared as Recurring becomes one", async () => {
  const { rig, schedules } = await fired();
  const nightly = project({ scheduleType: "Recurring", recurringInterval: "Day", hour: 2 });
  expect((await rig.plan(nightly)).plan).toMatchObject({ summary: { update: 1 }, drift: [] });
  expect((await rig.plan(nightly, { rehearsal: true })).diagnostics).toEqual([]);
  expect((await rig.apply(nightly)).status).toBe("applied");
  expect(await schedules()).toMatchObject([{ id: 1, scheduleType: "Recurring", hour: 2, active: true }]);
  expect((await rig.plan(nightly)).plan).toMatchObject({ changes: [], drift: [] });
});

test("one that somebody else added, which has fired, is in the way of no other schedule", async () => {
  const rig = makeRig();
  const nightly = (hour: number) => project({ scheduleType: "Recurring", recurringInterval: "Day", hour });
  await rig.apply(nightly(2));
  const params = { confId: 1 };
  const { schedules } = await rig.outside.call("GET /test-confs/:confId", { params, query: { down: false } });
  const theirs = { scheduleType: "Single", nextScheduled: new Date(rig.system.now() + minute).toISOString() };
  await rig.outside.call("PUT /test-confs/:confId", {
    params,
    body: { schedules: [...(schedules ?? []), theirs] } as never,
  });
  await rig.service.advance(10 * minute);
  expect((await rig.plan(nightly(3), { rehearsal: true })).diagnostics).toEqual([]);
  expect((await rig.apply(nightly(3))).status).toBe("applied");
  expect((await rig.plan(nightly(3))).plan).toMatchObject({ changes: [], drift: [] });
});

test("a Recurring one that somebody made a Single, which has fired, is put back", async () => {
  const rig = makeRig();
  const nightly = project({ scheduleType: "Recurring", recurringInterval: "Day", hour: 2 });
  await rig.apply(nightly);
  const theirs = { id: 1, ...single(rig.system.now() + minute) };
  await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body: { schedules: [theirs] } as never });
  await rig.service.advance(10 * minute);
  const { plan } = await rig.plan(nightly);
  expect([plan?.summary, plan?.drift]).toMatchObject([{ update: 1 }, [{ action: "update" }]]);
  expect((await rig.apply(nightly)).status).toBe("applied");
  const { schedules } = await rig.outside.call("GET /test-confs/:confId", {
    params: { confId: 1 },
    query: { down: false },
  });
  expect(schedules).toMatchObject([{ scheduleType: "Recurring", active: true }]);
  expect((await rig.plan(nightly)).plan).toMatchObject({ changes: [], drift: [] });
});
