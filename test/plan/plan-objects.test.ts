import { expect, test } from "vitest";
import { findDrift } from "../../src/drift/find-drift.ts";
import { configuration, gateway, scenario, shop } from "../support/one-test-case.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 3 };
const testCase = (key: string): Wish => ({ kind: "testCase", key, fields: { name: "Shop" }, below: [] });

test.each(["testCase.aaa", "testCase.zzz"])(
  "an object that is bound twice is not deleted: %s is forgotten",
  async (twin) => {
    const rig = makeRig();
    const tree = toTree([testCase("shop")]);
    await rig.apply(tree);
    const { state } = (await rig.stored()) ?? expect.unreachable();
    const bound = state.resources["testCase.shop"] ?? expect.unreachable();
    const session = await rig.store.lock({ operation: "push", timeoutMs: 0 });
    await session.save({ ...state, resources: { ...state.resources, [twin]: bound } }, []);
    await session.release();
    const { plan } = await rig.plan(tree);
    expect(plan?.changes.map(({ address, action }) => [address, action])).toEqual([[twin, "forget"]]);
    expect(await rig.apply(tree)).toMatchObject({ status: "applied" });
    expect((await rig.plan(tree)).plan?.changes).toEqual([]);
    expect(await rig.outside.call("GET /test-cases", { query: {} })).toMatchObject([{ name: "Shop" }]);
  },
);

test("a schedule remains where its configuration is forgotten, whose request alone would delete it", async () => {
  const rig = makeRig();
  const schedule: Wish = { kind: "schedule", key: "n", fields: daily, below: [] };
  await rig.apply(shop([scenario("s"), configuration("s", 10, [schedule])]));
  const below = "testCase.t/configuration.c";
  const removed = [
    { address: below, destroy: false },
    { address: `${below}/schedule.n`, destroy: true },
  ];
  const tree = shop([scenario("s")]);
  const { plan } = await rig.plan(tree, { removed });
  await rig.apply(tree, { removed });
  expect(plan?.changes.map(({ address, action }) => [address, action])).toEqual(
    removed.map(({ address }) => [address, "forget"]),
  );
  expect((await rig.plan(tree, { removed })).plan?.changes).toEqual([]);
});

test("a schedule is deleted where its configuration remains declared, whatever an entry says of that", async () => {
  const rig = makeRig();
  const below: Wish = { kind: "schedule", key: "n", fields: daily, below: [] };
  await rig.apply(shop([scenario("s"), configuration("s", 10, [below])]));
  const removed = [
    { address: "testCase.t/configuration.*", destroy: false },
    { address: "testCase.t/configuration.c/schedule.n", destroy: true },
  ];
  const { plan } = await rig.plan(shop([scenario("s"), configuration("s")]), { removed });
  expect(plan?.changes.map(({ address, action }) => [address, action])).toEqual([[removed[1]?.address, "delete"]]);
});

test("a forgotten object below a deleted one is said to be deleted with it", async () => {
  const rig = makeRig();
  await rig.apply(shop([scenario("s"), gateway()]));
  const removed = [{ address: "testCase.t/gateway.g", destroy: false }];
  const { plan } = await rig.plan(toTree([testCase("k")]), { removed });
  const forgotten = plan?.changes.find(({ action }) => action === "forget");
  expect(forgotten).toMatchObject({ address: "testCase.t/gateway.g", reason: "deleted with its parent" });
});

test("a forgotten region of a grid that is deleted is said to be deleted with it", async () => {
  const rig = makeRig();
  const grid: Wish = { kind: "provider", key: "p", fields: { name: "p", providerType: "Shared" }, below: [] };
  const fields = { name: "r", provider: { ref: "provider.p" } };
  await rig.apply(toTree([grid, { kind: "region", key: "r", fields, below: [] }, testCase("k")]));
  const asked = { removed: [{ address: "region.r", destroy: false }], allowDestroy: ["**"] };
  const { plan } = await rig.plan(toTree([testCase("k")]), asked);
  expect(plan?.changes.find(({ action }) => action === "forget")?.reason).toBe("deleted with its parent");
});

test("a replacement says the fields of which drift is ignored, too: the new object has them as declared", async () => {
  const rig = makeRig();
  const ignoring = (url: string): Wish => ({ ...gateway({ name: "G", url }), lifecycle: { ignore: ["name"] } });
  await rig.apply(shop([ignoring("https://a.test")]));
  await rig.outside.call("PATCH /gateways/:id", { params: { id: 1 }, body: { name: "renamed" } });
  expect((await rig.plan(shop([ignoring("https://a.test")]))).plan?.changes).toEqual([]);
  const { plan } = await rig.plan(shop([ignoring("https://b.test")]));
  expect(plan?.changes).toMatchObject([
    { action: "replace", fields: [{ field: "name", before: "renamed", after: "G" }, { field: "url" }] },
  ]);
  const drift = findDrift(plan ?? expect.unreachable());
  expect(drift.changed.map(({ fields }) => fields.map(({ field }) => field))).toEqual([["url"]]);
});
