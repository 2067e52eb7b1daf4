import { describe, expect, it } from "vitest";
import { type Config, type Kept, SessionCore, start } from "../../support/terraform/session-core.ts";
import { configurationOf, idOf, makeShop, type Shop } from "../../support/terraform/shop.ts";

const type = "loadform_schedule";
const daily = ({ configuration }: Shop, hour: number | null, more: Config = {}): Config => ({
  configuration_id: idOf(configuration),
  schedule_type: "Recurring",
  recurring_interval: "Day",
  hour,
  ...more,
});

async function hours(core: SessionCore, { configuration }: Pick<Shop, "configuration">): Promise<readonly unknown[]> {
  const params = { confId: Number(idOf(configuration)) };
  const { schedules } = await core.outside.call("GET /test-confs/:confId", { params });
  return (schedules ?? []).map(({ hour }) => Number(hour)).sort((left, right) => left - right);
}

async function listed(core: SessionCore, { configuration }: Shop): Promise<readonly number[]> {
  const id = Number(idOf(configuration));
  const { schedules } = await core.outside.call("GET /test-confs/:confId", { params: { confId: id } });
  return (schedules ?? []).map((each) => each.id).sort();
}

describe("schedules", () => {
  it("of one configuration are written one at a time, so that none is lost", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const made = await Promise.all([1, 2, 3, 4, 5].map((hour) => core.create(type, daily(shop, hour))));
    expect(new Set(made.map(idOf)).size).toBe(5);
    await Promise.all(made.slice(1).map((each) => core.destroy(each)));
    expect(await listed(core, shop)).toEqual([Number(made[0] && idOf(made[0]))]);
    if (made[0]) await core.destroy(made[0]);
    expect(await listed(core, shop)).toEqual([]);
  });

  it("of one configuration are written one at a time by all provider blocks of a process, and are nobody else's there", async () => {
    const shared = new Map();
    const provider = { adopt_existing: "created_recently" };
    const core = await SessionCore.open({ shared, provider });
    const other = await SessionCore.open({ shared, provider, service: core.service, time: core.time });
    const shop = await makeShop(core);
    const made = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((hour) => (hour % 2 === 0 ? core : other).create(type, daily(shop, hour))),
    );
    expect(await listed(core, shop)).toEqual([1, 2, 3, 4, 5, 6]);
    const twin = await other.create(type, daily(shop, 2));
    expect(made.map(idOf)).not.toContain(idOf(twin));
    const stranger = await SessionCore.open({ provider, service: core.service, time: core.time });
    expect(made.map(idOf)).toContain(idOf(await stranger.create(type, daily(shop, 2))));
  });

  it("are found again by those that follow where the service makes all of them anew with their list", async () => {
    const core = await SessionCore.open({ settings: { scheduleIds: "new" } });
    const shop = await makeShop(core);
    const made = await Promise.all([1, 2, 3, 4].map((hour) => core.create(type, daily(shop, hour))));
    const [first, second, third, last] = made as [Kept, Kept, Kept, Kept];
    await core.destroy(first);
    await core.update(second, daily(shop, 12));
    await core.destroy(third);
    expect(await hours(core, shop)).toEqual([4, 12]);
    // The next process knows nothing of that: a refresh tells it, also for a delete that is planned with the state before.
    await core.walk();
    await core.refresh(last);
    await core.destroy(last);
    expect(await hours(core, shop)).toEqual([12]);
  });

  it("of others remain where a service drops what a change of their configuration does not carry", async () => {
    const core = await SessionCore.open({ settings: { put: "replace" } });
    const { testCase, scenario, configuration } = await makeShop(core);
    const confId = Number(idOf(configuration));
    const theirs = { scheduleType: "Recurring", recurringInterval: "Day", hour: 5 };
    const sizes = { concurrentClients: 5, durationSecs: 60, providers: [{ providerId: 0, params: { regions: "1" } }] };
    const body = { name: "smoke", scriptId: Number(idOf(scenario)), ...sizes, schedules: [theirs] };
    await core.outside.call("PUT /test-confs/:confId", { params: { confId }, body: body as never });
    await core.update(configuration, configurationOf(testCase, scenario, { name: "renamed" }));
    expect(await hours(core, { configuration })).toEqual([5]);
  });

  it("are written beside a change of their configuration that waits for others, and that ends", async () => {
    let meanwhile: (() => Promise<Kept>) | undefined;
    let beside: Promise<Kept> | undefined;
    const core = await SessionCore.open({
      settings: { names: "unique" },
      onSleep: () => {
        beside ??= meanwhile?.();
      },
    });
    const shop = await makeShop(core);
    const { scenario, configuration, testCase } = shop;
    const renamed = configurationOf(testCase, scenario, { name: "taken" });
    await core.create("loadform_configuration", renamed);
    const plan = await core.plan("loadform_configuration", renamed, configuration);
    const added = await core.plan(type, daily(shop, 2));
    meanwhile = () => core.apply(added);
    await expect(core.apply(plan)).rejects.toThrow("the name of loadform_configuration is taken");
    expect((await beside)?.value).toMatchObject({ configuration_id: idOf(configuration) });
  });

  it("are not lost where a read shows them late", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    await core.setFaults([{ method: "PUT", path: "/test-confs/:confId", times: 9, staleReads: 3 }]);
    await Promise.all([1, 2, 3, 4].map((hour) => core.create(type, daily(shop, hour))));
    for (const _ of [1, 2, 3]) await hours(core, shop);
    expect(await hours(core, shop)).toEqual([1, 2, 3, 4]);
  });

  it("keep id and creation time when they change, and are paused and resumed by a request of their own", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const other = await core.create(type, daily(shop, 1));
    const made = await core.create(type, daily(shop, 2, { active: false }));
    expect(made.value["active"]).toBe(false);
    const changed = await core.update(made, daily(shop, 3, { active: true }));
    expect(changed.value).toMatchObject({
      id: made.value["id"],
      created_at: made.value["created_at"],
      hour: 3,
      active: true,
    });
    expect((await core.refresh(other))?.value).toEqual(other.value);
    const weekly: Config = { ...daily(shop, 3), recurring_interval: "Week", day_of_week: 1, hour: null };
    expect((await core.update(changed, weekly)).value).toMatchObject({ hour: 0, week: 1, day: null });
  });

  it.each([2, null])("are looked for after a lost answer, and are never made twice, at hour %s", async (hour) => {
    const core = await SessionCore.open({ provider: { max_retries: 0 } });
    const shop = await makeShop(core);
    const put = { method: "PUT", path: "/test-confs/:confId", times: 1 };
    await core.setFaults([{ ...put, drop: "after" }]);
    const made = await core.create(type, daily(shop, hour === null ? null : 1));
    expect(core.warnings.at(-1)?.summary).toBe("loadform_schedule 1 was created, though there was no answer");
    expect((await core.refresh(made))?.value).toEqual(made.value);
    await core.setFaults([{ ...put, drop: "before" }]);
    const lost = core.create(type, daily(shop, hour));
    await expect(lost).rejects.toThrow("Whether the loadform_schedule was created is not known.");
    expect(idOf(await core.create(type, daily(shop, hour)))).toBe("2");
    expect(await listed(core, shop)).toEqual([1, 2]);
  });

  it.each([1, null])(
    "are an error where an equal one of a killed run is there, and bound where that is asked for, at hour %s",
    async (hour) => {
      const core = await SessionCore.open();
      const shop = await makeShop(core);
      await core.create(type, daily(shop, hour));
      await core.walk();
      const again = core.create(type, daily(shop, hour));
      await expect(again).rejects.toThrow('import {\n  to = loadform_schedule.<name>\n  id = "1"\n}');
      await core.walk({ adopt_existing: "created_recently" });
      expect(idOf(await core.create(type, daily(shop, hour)))).toBe("1");
      expect(await listed(core, shop)).toEqual([1]);
    },
  );

  it("are not touched by a change of their configuration", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const made = await core.create(type, daily(shop, 1));
    await core.update(shop.configuration, configurationOf(shop.testCase, shop.scenario, { duration_secs: 90 }));
    expect((await core.refresh(made))?.value).toEqual(made.value);
  });

  it("that run once keep what was declared after they have run, and must lie in the future when they are new", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const at = new Date(start + 60_000).toISOString();
    const config: Config = { configuration_id: idOf(shop.configuration), schedule_type: "Single", next_scheduled: at };
    const made = await core.create(type, config);
    core.time.now += 120_000;
    await core.service.advance(120_000);
    const fired = (await core.refresh(made)) as Kept;
    expect(fired.value["next_scheduled"]).toBe(at);
    expect(SessionCore.isEmpty(await core.plan(type, config, fired))).toBe(true);
    await core.create(type, daily(shop, 1));
    await expect(core.plan(type, config)).rejects.toThrow("a new Single schedule is in the past");
    await expect(core.plan(type, { ...config, next_scheduled: new Date(start).toISOString() }, fired)).rejects.toThrow(
      "past",
    );
  });

  it("that have run once become recurring, and are put back where somebody made a recurring one run once", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const at = start + 60_000;
    const once: Config = {
      configuration_id: idOf(shop.configuration),
      schedule_type: "Single",
      next_scheduled: `${at}`,
    };
    const made = await core.create(type, once);
    const pass = () => {
      core.time.now += 120_000;
      return core.service.advance(120_000);
    };
    await pass();
    const fired = (await core.refresh(made)) as Kept;
    const nightly = await core.update(fired, daily(shop, 2));
    expect(nightly.value).toMatchObject({ schedule_type: "Recurring", hour: 2, active: true });
    const params = { confId: Number(idOf(shop.configuration)) };
    const theirs = { id: Number(idOf(nightly)), scheduleType: "Single", nextScheduled: core.time.now + 60_000 };
    await core.outside.call("PUT /test-confs/:confId", { params, body: { schedules: [theirs] } as never });
    await pass();
    const read = (await core.refresh(nightly)) as Kept;
    expect(read.value).toMatchObject({ schedule_type: "Single" });
    expect((await core.update(read, daily(shop, 2))).value).toMatchObject({ schedule_type: "Recurring", active: true });
  });

  it("compare moments by what they mean", async () => {
    const core = await SessionCore.open();
    const shop = await makeShop(core);
    const config: Config = {
      configuration_id: idOf(shop.configuration),
      schedule_type: "Single",
      next_scheduled: "2099-01-01T01:00:00+01:00",
    };
    const made = await core.create(type, config);
    expect((await core.refresh(made))?.value["next_scheduled"]).toBe("2099-01-01T01:00:00+01:00");
    const epoch = { ...config, next_scheduled: String(Date.parse("2099-01-01T00:00:00Z")) };
    expect(SessionCore.isEmpty(await core.plan(type, epoch, made))).toBe(true);
  });

  it("are found again where saving their configuration gave them new ids", async () => {
    const core = await SessionCore.open({ settings: { scheduleIds: "new" } });
    const shop = await makeShop(core);
    const first = await core.create(type, daily(shop, 1, { active: false }));
    const second = await core.create(type, daily(shop, 2));
    await core.walk();
    const read = [await core.refresh(first), await core.refresh(second)];
    expect(read.map((each) => each?.value["hour"])).toEqual([1, 2]);
    expect(read.map((each) => Number(each && idOf(each))).sort()).toEqual(await listed(core, shop));
    expect(read[0]?.value["active"]).toBe(false);
  });

  it("whose create was cut off by a kill are bound by the next apply where that is asked for", async () => {
    const core = await SessionCore.open({ provider: { adopt_existing: "created_recently" } });
    const shop = await makeShop(core);
    const lost = await core.create(type, daily(shop, 1));
    await core.walk();
    const made = await core.create(type, daily(shop, 1));
    expect(idOf(made)).toBe(idOf(lost));
    expect(idOf(await core.create(type, daily(shop, 1)))).not.toBe(idOf(lost));
  });
});
