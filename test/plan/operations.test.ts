import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Crash, crashDisk, Gone } from "../support/crash-files.ts";
import { check } from "../support/deep.ts";
import { configuration, scenario, shop } from "../support/one-test-case.ts";
import type { Wish } from "../support/random-project.ts";
import { makeRig, type Rig, type RigOptions } from "../support/rig.ts";

/** The configuration of each schedule: one is declared at 1:00, the next at 2:00. */
type Places = readonly number[];

const configurations = ["a", "b", "c"];
const schedule = (hour: number): Wish => ({
  kind: "schedule",
  key: `at-${hour}`,
  fields: { scheduleType: "Recurring", recurringInterval: "Day", hour },
  below: [],
});
const hoursAt = (places: Places, at: number) => places.flatMap((place, index) => (place === at ? [index + 1] : []));
const project = (places: Places, durationSecs = 10) =>
  shop([
    scenario("s"),
    ...configurations.map((key, at) => ({
      ...configuration("s", durationSecs, hoursAt(places, at).map(schedule)),
      ...{ key, fields: { ...configuration("s", durationSecs).fields, name: key } },
    })),
  ]);
const addressOf = (place: number | undefined, index: number) =>
  `testCase.t/configuration.${configurations[place ?? 0]}/schedule.at-${index + 1}`;
const movesBetween = (before: Places, after: Places) =>
  before.flatMap((place, index) =>
    place === after[index] ? [] : [{ from: addressOf(place, index), to: addressOf(after[index], index) }],
  );

/** Hours of the schedules at the service, by configuration. */
async function liveHours({ outside }: Rig): Promise<readonly (readonly number[])[]> {
  const [live] = await outside.call("GET /test-cases", { query: { down: true } });
  return (live?.configurations ?? []).map(({ schedules }) => (schedules ?? []).map(({ hour }) => hour ?? -1).sort());
}

async function applied(places: Places, options: RigOptions = {}): Promise<Rig> {
  const rig = makeRig(options);
  expect((await rig.apply(project(places))).status).toBe("applied");
  return rig;
}

const places = fc.array(fc.nat({ max: 2 }), { minLength: 4, maxLength: 4 });
const lives = fc.record({ before: places, after: places, durationSecs: fc.constantFrom(10, 20) });

describe("a schedule that moves to another configuration", () => {
  test("is deleted where it was and created where it is declared, whatever else changes", async () => {
    await check(
      "moved schedules",
      fc.asyncProperty(lives, async ({ before, after, durationSecs }) => {
        const rig = await applied(before);
        const tree = project(after, durationSecs);
        const outcome = await rig.apply(tree, { moved: movesBetween(before, after) });
        expect(outcome.diagnostics).toEqual([]);
        expect(await liveHours(rig)).toEqual(configurations.map((_, at) => hoursAt(after, at)));
        expect((await rig.plan(tree)).plan).toMatchObject({ changes: [], operations: [] });
      }),
      { few: 60, deep: 3_000 },
    );
  });

  test("is at one of them alone once a run that was killed is repeated", async () => {
    await check(
      "moved schedules, crash",
      fc.asyncProperty(lives, fc.nat({ max: 40 }), async ({ before, after, durationSecs }, point) => {
        let steps = -1;
        const isDead = () => steps > point;
        const step = () => {
          if (isDead()) throw new Gone("the process is gone");
          if (steps >= 0 && steps++ === point) throw new Crash("power lost");
        };
        const disk = crashDisk(step);
        const rig = await applied(before, { files: disk.files, isDead, step });
        const [tree, moved] = [project(after, durationSecs), movesBetween(before, after)];
        steps = 0;
        await rig.apply(tree, { moved }).catch((problem: unknown) => {
          if (!(problem instanceof Crash)) throw problem;
        });
        const crashed = isDead();
        steps = -1;
        const revived = crashed ? rig.restart(disk.restart(false).files) : rig;
        for (let tries = 0; tries < 2; tries++) await revived.apply(tree, { moved });
        expect(await liveHours(revived)).toEqual(configurations.map((_, at) => hoursAt(after, at)));
      }),
      { few: 60, deep: 3_000 },
    );
  });

  test("needs both addresses in a target", async () => {
    const rig = await applied([0, 0]);
    const [tree, moved, here, there] = [
      project([0, 1], 20),
      movesBetween([0, 0], [0, 1]),
      addressOf(0, 1),
      addressOf(1, 1),
    ];
    const refused = await rig.apply(tree, { moved, targets: [there] });
    expect(refused.diagnostics).toMatchObject([
      { code: "LF3015", detail: expect.stringContaining(`--target '${here}'`) },
    ]);
    expect((await rig.apply(tree, { moved, targets: [there, here] })).status).toBe("applied");
    expect(await liveHours(rig)).toEqual([[1], [2], []]);
  });

  test("comes along with a target of its former place", async () => {
    const rig = await applied([0, 0]);
    const asked = { moved: movesBetween([0, 0], [0, 1]), targets: [addressOf(0, 1)] };
    expect((await rig.plan(project([0, 1], 20), asked)).plan?.summary).toMatchObject({ create: 1, delete: 1 });
    await rig.apply(project([0, 1], 20), asked);
    expect(await liveHours(rig)).toEqual([[1], [2], []]);
  });

  test("remains where it was when the other configuration is refused", async () => {
    const rig = await applied([0]);
    const ids = (await rig.stored())?.state.resources["testCase.t/configuration.b"]?.id;
    await rig.setFaults([{ method: "PUT", path: `/test-confs/${ids}`, status: 400 }]);
    const moved = movesBetween([0], [1]);
    expect((await rig.apply(project([1]), { moved })).status).toBe("partial");
    expect(await liveHours(rig)).toEqual([[1], [], []]);
    await rig.setFaults([]);
    await rig.apply(project([1]), { moved });
    expect(await liveHours(rig)).toEqual([[], [1], []]);
  });

  test("is guarded where it is declared as protected", async () => {
    const rig = await applied([0]);
    const tree = project([1]);
    const node = tree.nodes.get(addressOf(1, 0)) ?? expect.unreachable();
    const nodes = new Map([...tree.nodes, [node.handle, { ...node, lifecycle: { protect: true } }]]);
    const { status, diagnostics } = await rig.apply({ ...tree, nodes }, { moved: movesBetween([0], [1]) });
    expect([status, diagnostics.map(({ code }) => code)]).toEqual(["blocked", ["LF4001"]]);
  });

  test("is forgotten, not deleted, at an address that the state binds to it a second time", async () => {
    const rig = await applied([0]);
    const { state } = (await rig.stored()) ?? expect.unreachable();
    const bound = state.resources[addressOf(0, 0)] ?? expect.unreachable();
    const session = await rig.store.lock({ operation: "push", timeoutMs: 0 });
    await session.save({ ...state, resources: { ...state.resources, [addressOf(1, 0)]: bound } }, []);
    await session.release();
    const { plan } = await rig.apply(project([0]));
    expect(plan?.plan?.changes.map(({ action, address }) => [action, address])).toEqual([["forget", addressOf(1, 0)]]);
    expect(await liveHours(rig)).toEqual([[1], [], []]);
  });
});
