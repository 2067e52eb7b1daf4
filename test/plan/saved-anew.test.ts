import { expect, test } from "vitest";
import type { Tree } from "../../src/model/tree.ts";
import { configuration, scenario, shop } from "../support/one-test-case.ts";
import type { Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";

const schedule = (key: string, hour?: number): Wish => ({
  kind: "schedule",
  key,
  fields: { scheduleType: "Recurring", recurringInterval: "Day", minute: 30, ...(hour !== undefined && { hour }) },
  below: [],
});

const project = (...schedules: readonly Wish[]): Tree => shop([scenario("s"), configuration("s", 10, schedules)]);

const saved = (hour: number) => ({ scheduleType: "Recurring", recurringInterval: "Day", hour, minute: 30 }) as const;

/** A project is applied, and somebody saves the configuration without the ids of its schedules. */
async function savedWithoutIds(before: Tree, hours: readonly number[]): Promise<Rig> {
  const rig = makeRig();
  expect((await rig.apply(before)).status).toBe("applied");
  const body = { schedules: hours.map(saved) } as never;
  await rig.outside.call("PUT /test-confs/:confId", { params: { confId: 1 }, body });
  return rig;
}

async function schedulesOf(rig: Rig): Promise<readonly (readonly [id: number, hour: number])[]> {
  const found = await rig.outside.call("GET /test-confs/:confId", { params: { confId: 1 }, query: { down: false } });
  return (found.schedules ?? []).map(({ id, hour }) => [id, hour ?? -1] as const);
}

test("a schedule that somebody saved anew is updated, not made a second time", async () => {
  const rig = await savedWithoutIds(project(schedule("night", 2)), [2]);
  const outcome = await rig.plan(project(schedule("night", 3)));
  expect(outcome.plan?.summary).toMatchObject({ create: 0, update: 1, delete: 0 });
  await rig.apply(project(schedule("night", 3)));
  expect(await schedulesOf(rig)).toEqual([[2, 3]]);
  expect((await rig.plan(project(schedule("night", 3)))).plan?.changes).toEqual([]);
});

test("a schedule that somebody saved anew is deleted once it is declared no more", async () => {
  const rig = await savedWithoutIds(project(schedule("night", 2)), [2, 5]);
  const outcome = await rig.plan(project());
  expect(outcome.plan?.summary).toMatchObject({ delete: 1, forget: 0 });
  await rig.apply(project());
  expect((await schedulesOf(rig)).map(([, hour]) => hour)).toEqual([5]);
});

test("a schedule whose hour is left to the service is updated, too, once it declares one", async () => {
  const rig = await savedWithoutIds(project(schedule("night")), [0]);
  await rig.apply(project(schedule("night", 3)));
  expect(await schedulesOf(rig)).toEqual([[2, 3]]);
});

test("two equal schedules that were saved anew are both deleted", async () => {
  const rig = await savedWithoutIds(project(schedule("one", 2), schedule("two", 2)), [2, 2]);
  await rig.apply(project());
  expect(await schedulesOf(rig)).toEqual([]);
});

test("a schedule that somebody saved anew otherwise is theirs", async () => {
  const rig = await savedWithoutIds(project(schedule("night", 2)), [4]);
  await rig.apply(project());
  expect((await schedulesOf(rig)).map(([, hour]) => hour)).toEqual([4]);
});

test("a schedule that equals the declared one is bound before one that equals the applied one", async () => {
  const rig = await savedWithoutIds(project(schedule("night", 2)), [2, 3]);
  expect((await rig.plan(project(schedule("night", 3)))).plan?.changes).toEqual([]);
});
