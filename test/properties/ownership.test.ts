import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../support/deep.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";

type Row = Record<string, unknown> & { readonly id: number };

/** Puts objects of somebody else everywhere, and sets a field that nobody here declares. */
async function settleOthers(rig: Rig): Promise<void> {
  const { outside } = rig;
  const theirs = await outside.call("POST /test-cases", { body: { name: "Theirs", org: 1 } });
  for (const each of await testCases(rig)) {
    const params = { testCaseId: each.id };
    await outside.call("POST /test-cases/:testCaseId/gateways", {
      params,
      body: { name: "foreign", url: "https://foreign.test" },
    });
    for (const configuration of (each.configurations ?? []) as Row[]) {
      const schedules = [
        ...((configuration.schedules ?? []) as Row[]),
        { scheduleType: "Recurring", recurringInterval: "Minute", minute: 97 },
      ];
      await outside.call("PUT /test-confs/:confId", {
        params: { confId: configuration.id },
        body: { schedules } as never,
      });
    }
  }
  await outside.call("POST /test-cases/:testCaseId/scripts", {
    params: { testCaseId: theirs.id },
    body: { name: "foreign", main: "// theirs" } as never,
  });
}

async function testCases({ outside }: Rig): Promise<readonly Row[]> {
  return (await outside.call("GET /test-cases", { query: { down: true } })) as unknown as readonly Row[];
}

/** Everything foreign that still has a place to stand in, as text. */
async function foreignObjects(rig: Rig): Promise<ReadonlyMap<string, string>> {
  const cases = await testCases(rig);
  const gateways = cases.flatMap((each) => rows(each, "gateways")).filter(({ name }) => name === "foreign");
  const schedules = cases
    .flatMap((each) => rows(each, "configurations"))
    .flatMap((configuration) =>
      rows(configuration, "schedules")
        .filter(({ minute, recurringInterval }) => minute === 97 && recurringInterval === "Minute")
        .map((schedule): [string, Row] => [`schedule ${schedule.id} of ${configuration.id}`, schedule]),
    );
  const all: readonly [string, Row][] = [
    ...cases.filter(({ name }) => name === "Theirs").map((each): [string, Row] => ["theirs", each]),
    ...gateways.map((each): [string, Row] => [`gateway ${each.id}`, each]),
    ...schedules,
  ];
  return new Map(all.map(([place, row]) => [place, JSON.stringify(row)]));
}

function rows(parent: Row, member: string): readonly Row[] {
  return (parent[member] ?? []) as readonly Row[];
}

describe("what is not ours", () => {
  test("stays byte for byte, as long as it has a place to stand in (P6)", async () => {
    await check(
      "P6",
      fc.asyncProperty(randomProject, randomProject, async (first, second) => {
        const rig = makeRig();
        await rig.apply(toTree(first));
        await settleOthers(rig);
        const before = await foreignObjects(rig);
        const outcome = await rig.apply(toTree(second));
        expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        const after = await foreignObjects(rig);
        for (const [place, text] of after) expect(text).toBe(before.get(place));
        const alive = new Set(
          (await testCases(rig)).flatMap((each) => rows(each, "configurations").map(({ id }) => id)),
        );
        const lost = [...before.keys()].filter(
          (place) => !after.has(place) && place.startsWith("schedule") && alive.has(Number(place.split(" ").at(-1))),
        );
        expect(lost).toEqual([]);
        expect(after.has("theirs")).toBe(true);
      }),
      { few: 20, deep: 10_000 },
    );
  });

  test("an unbound object of the same name is never taken over silently, and --adopt takes it over by name", async () => {
    await check(
      "collision",
      fc.asyncProperty(randomProject, async (wishes) => {
        const rig = makeRig();
        const tree = toTree(wishes);
        expect((await rig.apply(tree)).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        const ours = await testCases(rig);
        const stranger = rig.restart(undefined);
        const planned = await stranger.plan(tree);
        const errors = planned.diagnostics.filter(({ severity }) => severity === "error");
        expect(errors.length > 0).toBe(
          [...tree.nodes.values()].some(({ kind }) => kind !== "tag" && kind !== "schedule"),
        );
        const adopted = await stranger.apply(tree, { adopt: "name" });
        const problems = adopted.diagnostics.filter(({ severity, code }) => severity === "error" && code !== "LF3002");
        expect(problems).toEqual([]);
        if (adopted.status === "failed") return;
        expect((await testCases(rig)).map(({ id }) => id)).toEqual(ours.map(({ id }) => id));
        expect((await stranger.plan(tree)).plan?.changes).toEqual([]);
      }),
      { few: 15, deep: 2_000 },
    );
  });

  test.each(["exact", "name"] as const)(
    "after the state is lost, --adopt %s takes all over and sends nothing but secrets",
    async (adopt) => {
      await check(
        `adopt ${adopt}`,
        fc.asyncProperty(randomProject, async (wishes) => {
          const rig = makeRig();
          const tree = toTree(wishes);
          await rig.apply(tree);
          const stranger = rig.restart(undefined);
          const { plan, diagnostics } = await stranger.plan(tree, { adopt });
          if (diagnostics.some(({ code }) => code === "LF3002")) return;
          expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
          expect(plan?.changes.flatMap(({ fields }) => fields).filter(({ sensitive }) => !sensitive)).toEqual([]);
          expect(plan?.changes.filter(({ importing }) => !importing)).toEqual([]);
          expect((await stranger.apply(tree, { adopt })).status).not.toBe("failed");
          expect((await stranger.plan(tree)).plan?.changes).toEqual([]);
        }),
        { few: 15, deep: 2_000 },
      );
    },
  );
});
