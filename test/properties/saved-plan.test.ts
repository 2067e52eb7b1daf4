import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { savedPart } from "../../src/project/saved/save-plan.ts";
import { savedDocument } from "../../src/project/saved/saved-plan.ts";
import { check } from "../support/deep.ts";
import { randomProject, toTree, type Wish } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { unshown } from "../support/unshown.ts";

/** What happens between planning and applying, and whether the plan must be refused for it. */
const mishaps = {
  nothing: { stale: false, run: async () => undefined },
  "time passes": { stale: false, run: (rig: Rig) => rig.system.sleep(3_600_000) },
  "another object appears": {
    stale: false,
    run: (rig: Rig) => rig.outside.call("POST /test-cases", { body: { name: "Other", org: 1 } }).then(() => undefined),
  },
} as const;

async function save(rig: Rig, tree: ReturnType<typeof toTree>): Promise<string | undefined> {
  const outcome = await rig.plan(tree);
  const part = savedPart(outcome);
  if (part === undefined || outcome.plan?.operations.length === 0) return undefined;
  return JSON.stringify(
    savedDocument({ project: "random", summary: { ...outcome.plan!.summary } as unknown as Json }, part, unshown),
  );
}

const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2 };
const scenario = (key: string): Wish => ({ kind: "scenario", key, fields: { name: key, script: key }, below: [] });

/** A test case with all that a plan can touch: durationSecs and hour are updated, the url replaces, scenarios come and go. */
function shop(durationSecs: number, hour: number, url: string, more: readonly Wish[]): readonly Wish[] {
  const providers = [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }];
  const fields = {
    name: "c",
    scenario: { ref: "testCase.t/scenario.run" },
    concurrentClients: 1,
    durationSecs,
    providers,
  };
  const below: Wish[] = [{ kind: "schedule", key: "daily", fields: { ...daily, hour }, below: [] }];
  return [
    {
      kind: "testCase",
      key: "t",
      fields: { name: "t" },
      below: [
        scenario("run"),
        ...more,
        { kind: "gateway", key: "g", fields: { name: "g", url }, below: [] },
        { kind: "configuration", key: "c", fields, below },
      ],
    },
  ];
}

describe("a saved plan", () => {
  test("is applied exactly as long as what it touches is as it was (P12)", async () => {
    await check(
      "P12 fresh",
      fc.asyncProperty(
        randomProject,
        randomProject,
        fc.constantFrom(...Object.keys(mishaps)),
        async (first, second, name) => {
          const rig = makeRig();
          await rig.apply(toTree(first));
          const text = await save(rig, toTree(second));
          if (text === undefined) return;
          await mishaps[name as keyof typeof mishaps].run(rig);
          const outcome = await rig.applySaved(text);
          const errors = outcome.diagnostics.filter(({ severity }) => severity === "error");
          // Within the hour a schedule may have begun a run, and what is running is not written.
          const isRunning = errors.some(({ code }) => code === "LF4003");
          if (name === "time passes" && isRunning) return;
          expect(errors).toEqual([]);
          expect(outcome.status).toBe("applied");
          expect((await rig.plan(toTree(second))).plan?.changes).toEqual([]);
        },
      ),
      { few: 40, deep: 1_000 },
    );
  });

  test("is refused as a whole, with no write, when an object that it changes was changed meanwhile (P12)", async () => {
    await check(
      "P12 stale",
      fc.asyncProperty(randomProject, randomProject, async (first, second) => {
        const rig = makeRig();
        await rig.apply(toTree(first));
        const planned = await rig.plan(toTree(second));
        const victim = planned.plan?.changes.find(
          ({ kind, action }) => kind === "testCase" && (action === "update" || action === "delete"),
        );
        const text = await save(rig, toTree(second));
        if (victim?.id === undefined || text === undefined) return;
        await rig.outside.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: victim.id } });
        rig.takeWrites();
        const outcome = await rig.applySaved(text);
        expect(outcome.status).toBe("stale");
        expect(rig.takeWrites()).toBe(0);
      }),
      { few: 60, deep: 1_000 },
    );
  });

  test.each([
    ["the configuration that it changes", "PUT", "/test-confs/1", { durationSecs: 90 }, "stale"],
    ["the schedule that it changes", "PUT", "/test-confs/1", { schedules: [{ ...daily, id: 1, hour: 5 }] }, "stale"],
    ["the scenario that it deletes", "PUT", "/scripts/1", { name: "Renamed" }, "stale"],
    ["the gateway that it replaces", "PATCH", "/gateways/1", { name: "Renamed" }, "stale"],
    ["a field that nobody declares", "PUT", "/test-confs/1", { iterationSleepSecs: 3 }, "applied"],
    ["an object that it leaves alone", "PUT", "/scripts/2", { name: "Renamed" }, "applied"],
  ] as const)("after an edit of %s is refused, or not, as a whole (P12)", async (_, method, path, body, status) => {
    const rig = makeRig();
    await rig.apply(toTree(shop(60, 2, "https://a.example.com", [scenario("old")])));
    const text = await save(rig, toTree(shop(120, 4, "https://b.example.com", [])));
    expect((await rig.service.handle({ method, path: `${path}?key=local`, body })).status).toBe(200);
    rig.takeWrites();
    expect((await rig.applySaved(text!)).status).toBe(status);
    expect(rig.takeWrites() === 0).toBe(status === "stale");
  });

  test("without changes is applied without a write, and goes for nothing that came since", async () => {
    const rig = makeRig();
    const wishes = toTree(shop(60, 2, "https://a.example.com", []));
    await rig.apply(wishes);
    const outcome = await rig.plan(wishes);
    const text = JSON.stringify(savedDocument({ project: "random" }, savedPart(outcome)!, unshown));
    await rig.service.handle({ method: "PUT", path: "/test-confs/1?key=local", body: { durationSecs: 90 } });
    rig.takeWrites();
    expect(await rig.applySaved(text)).toMatchObject({ status: "nothing", diagnostics: [] });
    expect(rig.takeWrites()).toBe(0);
  });

  const extra = toTree([
    { kind: "testCase", key: "extra", fields: { name: "extra" }, below: [] },
    ...shop(60, 2, "https://a.example.com", []),
  ]);

  test("of another state is refused, also when all could be done", async () => {
    const rig = makeRig();
    await rig.apply(toTree(shop(60, 2, "https://a.example.com", [])));
    const text = await save(rig, extra);
    const other = rig.restart();
    await other.apply(toTree([{ kind: "testCase", key: "o", fields: { name: "o" }, below: [] }]));
    other.takeWrites();
    expect([(await other.applySaved(text!)).status, other.takeWrites()]).toEqual(["stale", 0]);
  });

  test("whose state is gone is refused, also when all could be done", async () => {
    const rig = makeRig();
    await rig.apply(toTree(shop(60, 2, "https://a.example.com", [])));
    const text = await save(rig, extra);
    const without = rig.restart();
    without.takeWrites();
    expect([(await without.applySaved(text!)).status, without.takeWrites()]).toEqual(["stale", 0]);
  });

  test("of a move is refused when somebody changed what moves", async () => {
    const one = (key: string): Wish => ({ kind: "testCase", key, fields: { name: "n", description: "d" }, below: [] });
    const rig = makeRig();
    await rig.apply(toTree([one("old")]));
    const text = await save(rig, toTree([one("new"), { ...one("more"), fields: { name: "more" } }]));
    await rig.outside.call("POST /test-cases", { body: { name: "n", org: 1, description: "theirs" } });
    rig.takeWrites();
    expect([(await rig.applySaved(text!)).status, rig.takeWrites()]).toEqual(["stale", 0]);
  });

  test("of a target is applied where what it refers to has another key in the project by now", async () => {
    const grid = (key: string): Wish => ({
      kind: "provider",
      key,
      fields: { name: "grid", providerType: "Shared" },
      below: [],
    });
    const room: Wish = {
      kind: "region",
      key: "room",
      fields: { name: "r", provider: { ref: "provider.a" } },
      below: [],
    };
    const rig = makeRig();
    await rig.apply(toTree([grid("a"), room]));
    const outcome = await rig.plan(toTree([grid("b")]), { targets: ["region.room"] });
    const text = JSON.stringify(savedDocument({ project: "random" }, savedPart(outcome)!, unshown));
    expect(await rig.applySaved(text)).toMatchObject({ status: "applied", diagnostics: [] });
  });

  test("is refused when a name that it takes belongs to another object by now", async () => {
    const shops = (b: string, below: readonly Wish[], ...more: readonly Wish[]) =>
      toTree([{ kind: "testCase", key: "b", fields: { name: b }, below }, ...more]);
    const other: Wish = { kind: "testCase", key: "c", fields: { name: "two" }, below: [] };
    const rig = makeRig();
    await rig.apply(shops("one", []));
    const text = await save(rig, shops("one", [scenario("more")], other));
    await rig.apply(shops("two", []));
    rig.takeWrites();
    expect([(await rig.applySaved(text!)).status, rig.takeWrites()]).toEqual(["stale", 0]);
  });

  test("is refused when what it stands in is gone", async () => {
    const rig = makeRig();
    const before = toTree(shop(60, 2, "https://a.example.com", []));
    await rig.apply(before);
    const text = await save(rig, toTree(shop(60, 2, "https://a.example.com", [scenario("more")])));
    await rig.apply(before, { destroy: true });
    rig.takeWrites();
    expect([(await rig.applySaved(text!)).status, rig.takeWrites()]).toEqual(["stale", 0]);
  });

  test("is blocked by a guard that it hits only now", async () => {
    const rig = makeRig();
    await rig.apply(toTree(shop(60, 2, "https://a.example.com", [])));
    const outcome = await rig.plan(toTree(shop(60, 2, "https://b.example.com", [])), { allowDestroy: [] });
    const text = JSON.stringify(savedDocument({ project: "random" }, savedPart(outcome)!, unshown));
    await rig.outside.call("POST /gateways/:gatewayId/recordings", { params: { gatewayId: 1 }, body: { name: "r" } });
    rig.takeWrites();
    expect([(await rig.applySaved(text)).status, rig.takeWrites()]).toEqual(["blocked", 0]);
  });

  test("is refused when it was applied already, or does not match its digest", async () => {
    const rig = makeRig();
    const wishes = fc
      .sample(randomProject, { numRuns: 20, seed: 7 })
      .find((each) => each.some(({ kind }) => kind === "testCase"));
    const text = await save(rig, toTree(wishes!));
    expect((await rig.applySaved(text!)).status).toBe("applied");
    expect((await rig.applySaved(text!)).status).toBe("stale");
    await expect(rig.applySaved(text!.replace('"project":"random"', '"project":"other"'))).rejects.toMatchObject({
      diagnostics: [{ code: "LF5007" }],
    });
  });
});
