import { describe, expect, test } from "vitest";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";

const testCase = (key: string, name: string, below: readonly Wish[] = []): Wish => ({
  kind: "testCase",
  key,
  fields: { name },
  below,
});
const scenario = (key: string): Wish => ({
  kind: "scenario",
  key,
  fields: { name: key, script: `// ${key}` },
  below: [],
});
const daily = (hour: number): Wish => ({
  kind: "schedule",
  key: "daily",
  fields: { scheduleType: "Recurring", recurringInterval: "Day", hour },
  below: [],
});
const configuration = (key: string, of: string, below: readonly Wish[] = []): Wish => ({
  kind: "configuration",
  key,
  fields: {
    name: key,
    scenario: { ref: `testCase.t/scenario.${of}` },
    providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
    durationSecs: 10,
    concurrentClients: 1,
  },
  below,
});
const provider = (key: string): Wish => ({
  kind: "provider",
  key,
  fields: { name: key, providerType: "Shared" },
  below: [],
});
const region = (key: string, name: string, of = "grid"): Wish => ({
  kind: "region",
  key,
  fields: { name, provider: { ref: `provider.${of}` } },
  below: [],
});

async function applied(wishes: readonly Wish[]): Promise<Rig> {
  const rig = makeRig();
  await rig.apply(toTree(wishes));
  return rig;
}

/** Applies with a target; answers what was done, and what is left for the full apply, which has to end it. */
async function aimed(before: readonly Wish[], after: readonly Wish[], target: string, replace: readonly string[] = []) {
  const rig = await applied(before);
  const outcome = await rig.apply(toTree(after), { targets: [target], replace });
  const done = (outcome.plan?.plan?.changes ?? []).map(({ action, address }) => `${action} ${address}`);
  const left = ((await rig.plan(toTree(after))).plan?.changes ?? []).map(
    ({ action, address }) => `${action} ${address}`,
  );
  expect(["applied", "nothing"]).toContain((await rig.apply(toTree(after))).status);
  expect((await rig.plan(toTree(after))).plan?.changes).toEqual([]);
  return { status: outcome.status, done, left };
}

describe("--target is widened", () => {
  test("to the other side of two names that are swapped", async () => {
    const names = (a: string, b: string) => [testCase("a", a), testCase("b", b), testCase("c", a + b)];
    expect(await aimed(names("one", "two"), names("two", "one"), "testCase.a")).toEqual({
      status: "applied",
      done: ["update testCase.a", "update testCase.b"],
      left: ["update testCase.c"],
    });
  });

  test("to what refers to an object that is replaced, and to what lies below it", async () => {
    const store: Wish = { kind: "dataStore", key: "d", fields: { name: "d.csv", contents: "x" }, below: [] };
    const wishes = [testCase("t", "T", [{ ...scenario("s"), below: [store] }, configuration("c", "s")])];
    const { status, done } = await aimed(wishes, wishes, "testCase.t/scenario.s", ["testCase.t/scenario.s"]);
    expect([status, done]).toEqual([
      "applied",
      [
        "update testCase.t/configuration.c",
        "replace testCase.t/scenario.s",
        "replace testCase.t/scenario.s/dataStore.d",
      ],
    ]);
  });

  test("to an update that lets go of a scenario which is deleted", async () => {
    const before = [
      testCase("t", "T", [scenario("old"), scenario("new"), configuration("c", "old"), configuration("d", "new")]),
    ];
    const after = [
      testCase("t", "T", [
        scenario("new"),
        configuration("c", "new"),
        { ...configuration("d", "new"), fields: { ...configuration("d", "new").fields, name: "e" } },
      ]),
    ];
    expect(await aimed(before, after, "testCase.t/scenario.old")).toEqual({
      status: "applied",
      done: ["update testCase.t/configuration.c", "delete testCase.t/scenario.old"],
      left: ["update testCase.t/configuration.d"],
    });
  });

  test("to the configuration in whose request a removed schedule goes", async () => {
    const wishes = (below: readonly Wish[], name: string) => [
      testCase("t", name, [scenario("s"), configuration("c", "s", below)]),
    ];
    expect(
      await aimed(wishes([daily(2)], "T"), wishes([], "T"), "testCase.t/configuration.c/schedule.daily"),
    ).toMatchObject({
      status: "applied",
      done: ["delete testCase.t/configuration.c/schedule.daily"],
      left: [],
    });
  });

  test("to everything below a key that moves, whichever of its names the target says", async () => {
    const wishes = (key: string) => [
      { ...testCase(key, "T"), below: [scenario("s"), scenario("r")] },
      testCase("z", "Z"),
    ];
    for (const target of ["testCase.t", "testCase.u", "testCase.u/scenario.s"])
      expect((await aimed(wishes("t"), wishes("u"), target)).done).toEqual([
        "no-op testCase.u",
        "no-op testCase.u/scenario.r",
        "no-op testCase.u/scenario.s",
      ]);
  });

  test("never by following a name into an object that stays bound elsewhere: a region is not taken over", async () => {
    const wishes = (a: string, b: string) => [provider("grid"), region("a", a), region("b", b)];
    const { status, done, left } = await aimed(wishes("one", "two"), wishes("two", "three"), "region.a");
    expect([status, done, left]).toEqual(["applied", ["replace region.a", "replace region.b"], []]);
  });
});

describe("--target is refused, with the flag to add,", () => {
  const cases: readonly [string, readonly Wish[], readonly Wish[], string, string][] = [
    [
      "when what goes too still uses the object",
      [testCase("t", "T", [scenario("s"), scenario("r"), configuration("c", "s")])],
      [testCase("t", "T", [scenario("r")])],
      "testCase.t/scenario.s",
      "testCase.t/configuration.c",
    ],
    [
      "when what goes too holds the name",
      [testCase("a", "A"), testCase("b", "B", [scenario("s")])],
      [testCase("a", "B")],
      "testCase.a",
      "testCase.b",
    ],
    [
      "when a schedule goes with its configuration",
      [testCase("t", "T", [scenario("s"), configuration("c", "s", [daily(2)])])],
      [testCase("t", "T", [scenario("s")])],
      "testCase.t/configuration.c/schedule.daily",
      "testCase.t/configuration.c",
    ],
  ];
  test.each(cases)("%s", async (_, before, after, target, needed) => {
    const rig = await applied(before);
    rig.takeWrites();
    const refused = await rig.apply(toTree(after), { targets: [target] });
    expect([refused.status, rig.takeWrites()]).toEqual(["failed", 0]);
    const [problem] = refused.diagnostics;
    expect(problem).toMatchObject({ code: "LF3015", address: target });
    const [, flag = ""] = /--target '([^']+)'/.exec(problem!.detail) ?? [];
    expect(flag).toBe(needed);
    expect((await rig.apply(toTree(after), { targets: [target, flag] })).status).toBe("applied");
    await rig.apply(toTree(after));
    expect((await rig.plan(toTree(after))).plan?.changes).toEqual([]);
  });
});

test("an unclear rename stops only what it is about, and all below that", async () => {
  const below = [scenario("s")];
  const rig = await applied([testCase("a", "A", below), testCase("b", "B", below), testCase("z", "Z")]);
  const after = toTree([testCase("c", "C", below), testCase("d", "D", below), testCase("z", "Y")]);
  expect((await rig.plan(after)).diagnostics).toMatchObject([{ code: "LF3011" }]);
  expect((await rig.apply(after, { targets: ["testCase.z"] })).status).toBe("applied");
  for (const target of ["testCase.c", "testCase.a/scenario.s", "testCase.c/scenario.s"])
    expect((await rig.plan(after, { targets: [target] })).diagnostics).toMatchObject([{ code: "LF3011" }]);
});
