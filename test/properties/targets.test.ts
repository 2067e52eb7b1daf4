import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyMatcher } from "../../src/model/address.ts";
import type { Change, Plan } from "../../src/plan/plan.ts";
import { savedPart } from "../../src/project/saved/save-plan.ts";
import { savedDocument } from "../../src/project/saved/saved-plan.ts";
import { Crash, crashDisk } from "../support/crash-files.ts";
import { check } from "../support/deep.ts";
import { withUnmanagedDeleted } from "../support/lifecycle.ts";
import { makeGateway } from "../support/live-objects.ts";
import { randomProject, toTree, type Wish } from "../support/random-project.ts";
import { choices, onOwnGrids, withNamesPassedOn, withNewKeys } from "../support/reshaped.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";
import { unshown } from "../support/unshown.ts";

/** Two versions of a project: unlike each other, or the same with names passed around and keys changed. */
const versions = fc.oneof(
  fc.tuple(randomProject, randomProject),
  fc.tuple(randomProject.map(onOwnGrids), randomProject.map(onOwnGrids)),
  fc
    .tuple(randomProject, choices, choices)
    .map(([wishes, names, keys]): [readonly Wish[], readonly Wish[]] => [
      wishes,
      withNewKeys(withNamesPassedOn(wishes, names), keys).wishes,
    ]),
);

const shapes = [
  (address: string) => address,
  (address: string) => `${address}/**`,
  (address: string) => `${address.slice(0, address.lastIndexOf(".") + 1)}*`,
  (address: string) => `**${address.slice(address.lastIndexOf("/") + 1, address.lastIndexOf(".") + 1)}*`,
];

const choice = fc.record({ at: fc.nat({ max: 40 }), shape: fc.nat({ max: 3 }), replaces: fc.nat({ max: 60 }) });

const errorsOf = (outcome: { readonly diagnostics: readonly { readonly severity: string }[] }) =>
  outcome.diagnostics.filter(({ severity }) => severity === "error");

/** What a change does; a project without a state has other fingerprints in every plan. */
const deedOf = ({ address, action, previousAddress, fields, importing }: Change) =>
  JSON.stringify({ address, action, previousAddress, fields, importing }).replace(/"[0-9a-f]{32}"/g, '""');

async function idsOf(rig: Rig): Promise<ReadonlyMap<string, number>> {
  const stored = await rig.stored();
  return new Map(Object.entries(stored?.state.resources ?? {}).map(([address, { id }]) => [address, id]));
}

/** Addresses whose objects the whole change keeps, by the address that they have in the end. */
function keptBy(plan: Plan, before: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const kept = new Map(before);
  for (const { previousAddress } of plan.changes) if (previousAddress !== undefined) kept.delete(previousAddress);
  for (const { address, previousAddress, action } of plan.changes) {
    if (previousAddress !== undefined) kept.set(address, before.get(previousAddress) ?? 0);
    if (action === "delete" || action === "replace" || action === "forget") kept.delete(address);
  }
  return kept;
}

/** One target on the way from one version to the other. */
interface Aimed {
  readonly rig: Rig;
  readonly tree: ReturnType<typeof toTree>;
  readonly asked: { readonly replace?: readonly string[] };
  readonly targets: readonly string[];
  readonly full: Plan;
}

async function aim(
  [first, second]: readonly [readonly Wish[], readonly Wish[]],
  { at, shape, replaces }: { readonly at: number; readonly shape: number; readonly replaces: number },
  rig = makeRig(),
): Promise<Aimed | undefined> {
  await rig.apply(toTree(first));
  const tree = toTree(second);
  const known = [...new Set([...(await idsOf(rig)).keys(), ...tree.nodes.keys()])].sort();
  const address = known[at % Math.max(1, known.length)];
  const replaced = known[replaces];
  const asked = replaced === undefined ? {} : { replace: [replaced] };
  const full = await rig.plan(tree, asked);
  if (address === undefined || full.plan === undefined || errorsOf(full).length > 0) return undefined;
  return { rig, tree, asked, targets: [shapes[shape]!(address)], full: full.plan };
}

/** Refused with what to name too, and without a write. */
async function expectRefused({ rig, tree, asked, targets }: Aimed): Promise<void> {
  rig.takeWrites();
  const outcome = await rig.apply(tree, { ...asked, targets });
  expect(outcome.status).toBe("failed");
  for (const each of errorsOf(outcome))
    expect(each).toMatchObject({ code: "LF3015", detail: expect.stringContaining("--target '") });
  expect(rig.takeWrites()).toBe(0);
}

async function expectClosure({ rig, tree, asked, targets, full }: Aimed, planned: Plan): Promise<void> {
  const deeds = new Set(full.changes.map(deedOf));
  const own = planned.changes.map(deedOf);
  for (const deed of own) expect(deeds).toContain(deed);
  const isTarget = anyMatcher(targets);
  for (const change of full.changes) if (isTarget(change.address)) expect(own).toContain(deedOf(change));
  const outcome = await rig.apply(tree, { ...asked, targets });
  expect(errorsOf(outcome)).toEqual([]);
  expect(["applied", "nothing"]).toContain(outcome.status);
  expect((await rig.plan(tree, { targets })).plan?.changes).toEqual([]);
}

describe("targeting is safe (P21)", () => {
  test("a target is its closure of the full apply or is refused with what to name too, and a full apply then ends it", async () => {
    let applied = 0;
    const runs = await check(
      "P21",
      fc.asyncProperty(versions, choice, async (pair, chosen) => {
        const aimed = await aim(pair, chosen);
        if (aimed === undefined) return;
        const { rig, tree, asked, targets, full } = aimed;
        const before = await idsOf(rig);
        const planned = await rig.plan(tree, { ...asked, targets });
        const isRefused = errorsOf(planned).length > 0;
        if (isRefused) await expectRefused(aimed);
        else await expectClosure(aimed, planned.plan!);
        applied += planned.plan!.changes.length > 0 ? 1 : 0;
        expect(errorsOf(await rig.apply(tree, isRefused ? asked : {}))).toEqual([]);
        expect((await rig.plan(tree)).plan).toMatchObject({ changes: [], operations: [] });
        const wished = [...tree.nodes.values()].filter(({ kind }) => kind !== "tag").map(({ kind }) => kind);
        expect(await serviceBodies(rig)).toEqual(wished.sort());
        const after = await idsOf(rig);
        for (const [each, id] of keptBy(full, before)) expect([each, after.get(each)]).toEqual([each, id]);
      }),
      { few: 15, deep: 2_000 },
    );
    expect(applied).toBeGreaterThan(runs / 3);
  });

  test("and so it is from a saved plan, moves and all", async () => {
    let applied = 0;
    const runs = await check(
      "P21 saved",
      fc.asyncProperty(versions, choice, fc.boolean(), async (pair, chosen, isAll) => {
        const aimed = await aim(pair, chosen);
        if (aimed === undefined) return;
        const { rig, tree, asked } = aimed;
        const all = withUnmanagedDeleted(tree);
        await leaveSomething(rig);
        const options = isAll ? asked : { ...asked, targets: aimed.targets };
        const planned = await rig.plan(all, options);
        if (errorsOf(planned).length > 0) return;
        const text = JSON.stringify(savedDocument({ project: "random" }, savedPart(planned)!, unshown));
        const outcome = await rig.applySaved(text);
        expect(errorsOf(outcome)).toEqual([]);
        expect(["applied", "nothing"]).toContain(outcome.status);
        const { replace: _done, ...again } = options;
        expect((await rig.plan(all, again)).plan).toMatchObject({ changes: [], operations: [] });
        applied += outcome.status === "applied" ? 1 : 0;
        const before = await idsOf(rig);
        const full = (await rig.plan(all)).plan!;
        expect(errorsOf(await rig.apply(all))).toEqual([]);
        const after = await idsOf(rig);
        for (const [each, id] of keptBy(full, before)) expect([each, after.get(each)]).toEqual([each, id]);
        expect((await rig.plan(all)).plan).toMatchObject({ changes: [], operations: [] });
      }),
      { few: 12, deep: 2_000 },
    );
    expect(applied).toBeGreaterThan(runs / 2.4);
  });

  test("and after a crash in the middle of it a full apply ends it all the same, with every id kept", async () => {
    await check(
      "P21 crash",
      fc.asyncProperty(versions, choice, fc.nat({ max: 60 }), async (pair, chosen, point) => {
        let steps = -1;
        const isDead = () => steps > point;
        const disk = crashDisk(() => {
          if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
        });
        const rig = makeRig({ files: disk.files, isDead });
        const aimed = await aim(pair, { ...chosen, replaces: 99 }, rig);
        if (aimed === undefined) return;
        const { tree, targets, full } = aimed;
        const before = await idsOf(rig);
        steps = 0;
        await rig.apply(tree, { targets }).catch((problem: unknown) => {
          if (!(problem instanceof Crash)) throw problem;
        });
        const crashed = isDead();
        steps = -1;
        const revived = crashed ? rig.restart(disk.restart(false).files) : rig;
        for (let tries = 0; tries < 3; tries++) await revived.apply(tree);
        expect((await revived.plan(tree)).plan).toMatchObject({ changes: [], operations: [] });
        const wished = [...tree.nodes.values()].filter(({ kind }) => kind !== "tag").map(({ kind }) => kind);
        expect(await serviceBodies(revived)).toEqual(wished.sort());
        const after = await idsOf(revived);
        for (const [each, id] of keptBy(full, before)) expect([each, after.get(each)]).toEqual([each, id]);
      }),
      { few: 10, deep: 2_000 },
    );
  });
});

/** A gateway of somebody else in every test case, which a plan may be told to take away. */
async function leaveSomething(rig: Rig): Promise<void> {
  for (const { id } of await rig.outside.call("GET /test-cases", { query: { down: false } }))
    await makeGateway(rig, id, "theirs");
}
