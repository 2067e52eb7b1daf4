import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../support/deep.ts";
import { randomProject, toTree, type Wish } from "../support/random-project.ts";
import { type Asked, makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

/** The other answer to each assumption (docs/engine.md, Assumptions) that a setting of the bundled service stands for. */
const settings = {
  "A1 nested": { nested: "summary" },
  "A2 touch": { touch: "parent" },
  "A3 put": { put: "replace" },
  "A4 scheduleIds": { scheduleIds: "new" },
  "A5 inUse": { inUse: "allow" },
  "A6 ids": { ids: "reuse" },
  "A8 cascade": { cascade: "refuse" },
  "A9 names": { names: "unique" },
  "A11 errors": { errors: "plain" },
  "A12 contents": { contents: "duplicate" },
  "A14 nameCase": { nameCase: "fold" },
  "A16 upsert": { upsert: "clear" },
} as const;

/** Siblings whose names differ, as a service wants them where names are unique. */
function withOwnName(wish: Wish): Wish {
  const name = wish.fields["name"];
  const fields = typeof name === "string" ? { ...wish.fields, name: `${name.split(" ")[0]} ${wish.key}` } : wish.fields;
  return { ...wish, fields, below: wish.below.map(withOwnName) };
}

describe("the engine lives with the other answer to an assumption", () => {
  test.each(Object.entries(settings))("%s", async (name, setting) => {
    await check(
      name,
      fc.asyncProperty(randomProject, randomProject, async (first, second) => {
        const rig = makeRig({ settings: setting });
        for (const wishes of [first, second]) {
          // An object under a reused id is told from the former one by the moment at which it was created.
          await rig.system.sleep(1_000);
          const tree = toTree("names" in setting ? wishes.map(withOwnName) : wishes);
          const outcome = await rig.apply(tree);
          expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          expect((await rig.plan(tree)).plan?.changes).toEqual([]);
          const wished = [...tree.nodes.values()].filter(({ kind }) => kind !== "tag").map(({ kind }) => kind);
          expect(await serviceBodies(rig)).toEqual(wished.sort());
        }
      }),
      { few: 6, deep: 1_000 },
    );
  });
});

const load = {
  name: "slow",
  imageDiffMode: "PreviousExecution",
  scenario: { ref: "testCase.shop/scenario.buy" },
  providers: [{ provider: { id: 0 }, regions: ["cloud-eu-west-1"] }],
  iterations: 1,
};
const shop = (concurrentClients: number, schedules: readonly Wish[], own: Wish["fields"] = load): Wish => ({
  kind: "testCase",
  key: "shop",
  fields: { name: "shop" },
  below: [
    { kind: "scenario", key: "buy", fields: { name: "buy", script: "x()\n" }, below: [] },
    { kind: "configuration", key: "slow", fields: { ...own, concurrentClients }, below: schedules },
  ],
});

describe("where a PUT drops what it does not carry (A3)", () => {
  const weekly = { scheduleType: "Recurring", recurringInterval: "Week", dayOfWeek: 1, active: false } as const;

  test("a schedule made along with a PUT that has to be sent again is made once, and bound", async () => {
    const rig = makeRig({ settings: { put: "replace" } });
    await rig.apply(toTree([shop(1, [])]));
    const tree = toTree([shop(2, [{ kind: "schedule", key: "weekly", fields: weekly, below: [] }])]);
    const { status, diagnostics } = await rig.apply(tree);
    expect([status, diagnostics]).toEqual(["applied", []]);
    expect((await rig.plan(tree)).plan?.changes).toEqual([]);
  });

  const at = "2099-01-01T00:00:00Z";
  const schedules = async (rig: Rig) => {
    const [testCase] = await rig.outside.call("GET /test-cases", { query: { down: true } });
    const found = testCase?.configurations?.flatMap((each) => each.schedules ?? []) ?? [];
    return found.map(({ scheduleType, dayOfWeek, active }) => [scheduleType, dayOfWeek ?? null, active]);
  };

  const { imageDiffMode: _lost, ...kept } = load;
  test.each([
    ["a field, too", load],
    ["nothing else", kept],
  ])(
    "schedules that it did not carry are there again, bound, paused as before, where it drops %s",
    async (_, fields) => {
      const rig = makeRig({ settings: { put: "replace" } });
      const made = (clients: number, schedules: readonly Wish[]) => toTree([shop(clients, schedules, fields)]);
      const own = [
        { kind: "schedule", key: "once", fields: { scheduleType: "Single", nextScheduled: at }, below: [] },
        { kind: "schedule", key: "weekly", fields: weekly, below: [] },
      ];
      const theirs = { kind: "schedule", key: "theirs", fields: { ...weekly, dayOfWeek: 5 }, below: [] };
      await rig.apply(made(1, [...own, theirs]));
      const left = { removed: [{ address: "testCase.shop/configuration.slow/schedule.theirs", destroy: false }] };
      await rig.apply(made(1, own), left);
      const before = await schedules(rig);
      expect(before).toHaveLength(3);
      for (const clients of [2, 3]) {
        const { status, diagnostics } = await rig.apply(made(clients, own));
        expect([status, diagnostics]).toEqual(["applied", []]);
        expect((await rig.plan(made(clients, own))).plan?.changes).toEqual([]);
        expect((await schedules(rig)).sort()).toEqual([...before].sort());
      }
    },
  );

  test("a schedule that is over is not made again, and the rest is put back", async () => {
    const rig = makeRig({ settings: { put: "replace" } });
    const soon = new Date(rig.system.now() + 60_000).toISOString();
    const over = { kind: "schedule", key: "once", fields: { scheduleType: "Single", nextScheduled: soon }, below: [] };
    await rig.apply(toTree([shop(1, [over])]));
    await rig.system.sleep(600_000);
    const { status, diagnostics } = await rig.apply(toTree([shop(2, [over])]));
    expect([status, diagnostics]).toEqual(["applied", []]);
    expect((await rig.outside.call("GET /test-confs/:confId", { params: { confId: 1 } })).imageDiffMode).toBe(
      "PreviousExecution",
    );
  });

  test("what a wished variant ends counts as nothing that a PUT dropped", async () => {
    const rig = makeRig();
    const { iterations: _ends, ...timed } = { ...load, durationSecs: 10 };
    const slow = (fields: Wish["fields"]) => ({ ...shop(1, []), below: [below[0]!, { ...below[1]!, fields }] });
    const { below } = shop(1, []);
    await rig.apply(toTree([slow({ ...timed, concurrentClients: 1 })]));
    const other = makeRig({ service: rig.service });
    other.takeWrites();
    const { status, diagnostics } = await other.apply(toTree([shop(1, [])]), { adopt: "name" });
    expect([status, diagnostics, other.takeWrites()]).toEqual(["applied", [], 1]);
  });
});

describe("where a PUT makes every schedule anew (A4)", () => {
  const schedule = (key: string, dayOfWeek: number, active: boolean): Wish => ({
    kind: "schedule",
    key,
    fields: { scheduleType: "Recurring", recurringInterval: "Week", dayOfWeek, active },
    below: [],
  });
  const live = async (rig: Rig) => {
    const [testCase] = await rig.outside.call("GET /test-cases", { query: { down: true } });
    return new Map(testCase?.configurations?.[0]?.schedules?.map((each) => [each.dayOfWeek, each]));
  };

  test("those that stay as they are stay bound, and paused, whosever they are", async () => {
    const rig = makeRig({ settings: { scheduleIds: "new" } });
    const others = [schedule("on", 2, true), schedule("off", 3, false)];
    await rig.apply(toTree([shop(1, [schedule("a", 1, true), ...others, schedule("theirs", 4, false)])]));
    const left = { removed: [{ address: "testCase.shop/configuration.slow/schedule.theirs", destroy: false }] };
    await rig.apply(toTree([shop(1, [schedule("a", 1, true), ...others])]), left);
    const before = await live(rig);
    expect((await rig.apply(toTree([shop(1, [schedule("a", 5, true), ...others])]))).status).toBe("applied");
    const after = await live(rig);
    expect([2, 3, 4, 5].map((day) => after.get(day)?.active)).toEqual([true, false, false, true]);
    expect([2, 3, 4].map((day) => after.get(day)?.id === before.get(day)?.id)).toEqual([false, false, false]);
    const { resources } = (await rig.stored())!.state;
    const bound = (key: string) => resources[`testCase.shop/configuration.slow/schedule.${key}`]?.id;
    expect([bound("a"), bound("on"), bound("off")]).toEqual([5, 2, 3].map((day) => after.get(day)?.id));
  });
});

test("a paused schedule that a PUT makes anew as a Single one is not paused: it cannot be (A4)", async () => {
  const rig = makeRig({ settings: { scheduleIds: "new" } });
  const weekly = { scheduleType: "Recurring", recurringInterval: "Week", dayOfWeek: 1, active: false };
  const single = { scheduleType: "Single", nextScheduled: "2099-01-01T00:00:00Z" };
  const tree = (fields: Wish["fields"]) => toTree([shop(1, [{ kind: "schedule", key: "s", fields, below: [] }])]);
  await rig.apply(tree(weekly));
  const { status, diagnostics } = await rig.apply(tree(single));
  expect([status, diagnostics]).toEqual(["applied", []]);
  expect((await rig.plan(tree(single))).plan?.changes).toEqual([]);
});

/** So late that also the look after the first apply, and the looks for what it made, come too early: six or seven reads. */
describe("an object that the service's lists do not show", () => {
  const wishes = ["a", "b"].map((key): Wish => ({ kind: "testCase", key, fields: { name: key }, below: [] }));
  const names = async (rig: Rig) =>
    Promise.all(
      [1, 2, 3].map((testCaseId) =>
        rig.outside.call("GET /test-cases/:testCaseId", { params: { testCaseId } }).catch(() => undefined),
      ),
    );

  test("is not made a second time (A10, A15)", async () => {
    const rig = makeRig({ settings: { pageSize: 1 } });
    await rig.apply(toTree(wishes));
    rig.takeWrites();
    const outcome = await rig.apply(toTree(wishes));
    expect([outcome.status, outcome.diagnostics.map(({ code, address }) => [code, address])]).toEqual([
      "partial",
      [["LF6002", "testCase.b"]],
    ]);
    expect(rig.takeWrites()).toBe(0);
    expect((await names(rig)).map((each) => each?.name)).toEqual(["a", "b", undefined]);
  });

  test("is found by its answer when a second look is late too (A10)", async () => {
    const below: Wish[] = [{ kind: "scenario", key: "s", fields: { name: "s", script: "x()\n" }, below: [] }];
    const shop = (description: string) =>
      toTree([{ kind: "testCase", key: "a", fields: { name: "a", description }, below }]);
    const rig = makeRig();
    await rig.setFaults([{ method: "POST", path: "/test-cases", staleReads: 7 }]);
    await rig.apply(shop("one"));
    const outcome = await rig.apply(shop("two"));
    expect([outcome.status, outcome.diagnostics.map(({ code, address }) => [code, address])]).toEqual([
      "partial",
      [["LF6002", "testCase.a"]],
    ]);
    expect((await rig.apply(shop("two"))).diagnostics).toEqual([]);
    expect(await serviceBodies(rig)).toEqual(["scenario", "testCase"]);
  });

  test("keeps what is bound below it, though nobody declares that any more (A10)", async () => {
    const file: Wish = { kind: "dataStore", key: "d", fields: { name: "d.csv", contents: "a\n" }, below: [] };
    const shop = (below: readonly Wish[]) =>
      toTree([
        {
          kind: "testCase",
          key: "a",
          fields: { name: "a" },
          below: [{ kind: "scenario", key: "s", fields: { name: "s", script: "x()\n" }, below }],
        },
      ]);
    const rig = makeRig();
    await rig.setFaults([{ method: "POST", path: "/test-cases/:testCaseId/scripts", staleReads: 6 }]);
    await rig.apply(shop([file]));
    const outcome = await rig.apply(shop([]));
    expect(outcome.diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ["LF6002", "testCase.a/scenario.s"],
    ]);
    expect((await rig.apply(shop([]))).counts).toMatchObject({ create: 0, delete: 1 });
    expect(await serviceBodies(rig)).toEqual(["scenario", "testCase"]);
  });

  test.each<[string, Asked]>([
    ["an apply", {}],
    ["a destroy of it alone", { destroy: true, targets: ["testCase.a/scenario.s"] }],
  ])("is not forgotten by %s that would delete it (A10, A15)", async (_, asked) => {
    const shop = (below: readonly Wish[]) => toTree([{ kind: "testCase", key: "a", fields: { name: "a" }, below }]);
    const file: Wish = { kind: "dataStore", key: "d", fields: { name: "d.csv", contents: "a\n" }, below: [] };
    const full = shop([{ kind: "scenario", key: "s", fields: { name: "s", script: "x()\n" }, below: [file] }]);
    const rig = makeRig();
    await rig.setFaults([{ method: "POST", path: "/test-cases/:testCaseId/scripts", staleReads: 6 }]);
    await rig.apply(full);
    const wished = asked.destroy ? full : shop([]);
    const { status, diagnostics } = await rig.apply(wished, asked);
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect([status, errors.map(({ code, address }) => [code, address])]).toEqual([
      "partial",
      [["LF6002", "testCase.a/scenario.s"]],
    ]);
    expect(Object.keys((await rig.stored())!.state.resources)).toHaveLength(3);
    expect((await rig.apply(wished, asked)).status).toBe("applied");
    expect(await serviceBodies(rig)).toEqual(["testCase"]);
  });

  test("is made again when it is really gone", async () => {
    const rig = makeRig();
    await rig.apply(toTree(wishes));
    await rig.outside.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: 2 } });
    expect((await rig.apply(toTree(wishes))).status).toBe("applied");
    expect((await names(rig)).map((each) => each?.name)).toEqual(["a", undefined, "b"]);
  });
});
