import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kinds } from "../../src/kinds/index.ts";
import type { TreeNode } from "../../src/model/tree.ts";
import { readTree } from "../../src/remote/read-tree.ts";
import type { State } from "../../src/state/state.ts";
import { sha256 } from "../../src/workspace/hash.ts";
import { Crash, crashDisk } from "../support/crash-files.ts";
import { check } from "../support/deep.ts";
import { withLifecycle, withUnmanagedDeleted } from "../support/lifecycle.ts";
import { makeCase, makeConfiguration, makeGateway, makeScript, makeStore } from "../support/live-objects.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { makeRig, type Rig } from "../support/rig.ts";
import { serviceBodies } from "../support/service-bodies.ts";

const wanted = new Set(kinds.filter(({ parent }) => parent === undefined).map(({ name }) => name));
const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 3, minute: 33 };

async function liveNodes(rig: Rig): Promise<ReadonlyMap<string, TreeNode>> {
  return (await readTree({ api: rig.outside, kinds, organization: 1, wanted, hash: sha256 })).nodes;
}

/** What somebody else may leave behind; `at` chooses where. */
const deeds = [
  "scenario",
  "store in ours",
  "gateway",
  "configuration on theirs",
  "configuration on ours",
  "schedule",
] as const;
const deed = fc.record({ what: fc.constantFrom(...deeds), at: fc.nat({ max: 20 }) });

async function settle(
  rig: Rig,
  { what, at }: { readonly what: (typeof deeds)[number]; readonly at: number },
  tag: number,
) {
  const nodes = [...(await liveNodes(rig)).values()];
  const pick = (kind: string, within?: string) => {
    const found = nodes.filter((node) => node.kind === kind && (within === undefined || node.parent === within));
    return found[at % Math.max(1, found.length)];
  };
  const testCase = pick("testCase");
  if (testCase?.identity === undefined) return;
  const { id } = testCase.identity;
  const name = `foreign ${tag}`;
  const ours = pick("scenario", testCase.handle)?.identity?.id;
  if (what === "gateway") await makeGateway(rig, id, name);
  if (what === "store in ours" && ours !== undefined) await makeStore(rig, ours, name);
  if (what === "scenario") await makeStore(rig, (await makeScript(rig, id, { name })).id, name);
  const runs = what === "configuration on ours" ? ours : undefined;
  if (what === "configuration on theirs" || runs !== undefined) {
    const scriptId = runs ?? (await makeScript(rig, id, { name })).id;
    await makeConfiguration(rig, id, { name, scriptId, schedules: [daily] });
  }
  const configuration = pick("configuration")?.identity?.id;
  if (what === "schedule" && configuration !== undefined) await addSchedule(rig, configuration);
}

async function addSchedule({ outside }: Rig, confId: number) {
  const params = { confId };
  const { schedules } = await outside.call("GET /test-confs/:confId", { params, query: { down: false, up: false } });
  await outside.call("PUT /test-confs/:confId", {
    params,
    body: { schedules: [...(schedules ?? []), daily] } as never,
  });
}

/** The test case that an object lies in. */
function caseOf(nodes: ReadonlyMap<string, TreeNode>, node: TreeNode): string {
  const parent = node.parent === undefined ? undefined : nodes.get(node.parent);
  return parent === undefined ? node.handle : caseOf(nodes, parent);
}

const asText = ({ fields, identity }: TreeNode) => JSON.stringify({ fields, identity });

describe("unmanaged: delete, on random projects with random objects of somebody else", () => {
  test("takes exactly what nobody declared below it, and nothing else (P6), and leaves an empty plan (P1)", async () => {
    await check(
      "unmanaged",
      fc.asyncProperty(
        randomProject,
        fc.array(deed, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 7 }),
        async (wishes, done, mask) => {
          const rig = makeRig();
          const plain = toTree(wishes);
          await rig.apply(plain);
          await makeCase(rig, "Theirs");
          for (const [tag, each] of done.entries()) await settle(rig, each, tag);
          const cases = [...plain.nodes.values()].filter(({ kind }) => kind === "testCase");
          const said = cases.filter((_, index) => (mask >> index) % 2 === 1).map(({ handle }) => handle);
          const tree = said.reduce((all, handle) => withLifecycle(all, handle, { unmanaged: "delete" }), plain);
          const resources: State["resources"] = (await rig.stored())?.state.resources ?? {};
          const bound = new Set(Object.values(resources).map(({ kind, id }) => `${kind}#${id}`));
          const before = await liveNodes(rig);
          const going = new Set(said.map((address) => `testCase#${resources[address]?.id}`));
          const goes = (node: TreeNode) => !bound.has(node.handle) && going.has(caseOf(before, node));
          const outcome = await rig.apply(tree);
          expect(outcome.diagnostics).toEqual([]);
          const after = await liveNodes(rig);
          const left = [...before.values()].filter((node) => !goes(node));
          expect([...after.keys()].sort()).toEqual(left.map(({ handle }) => handle).sort());
          const carriers = new Set(
            [...before.values()].filter((node) => node.kind === "schedule" && goes(node)).map(({ parent }) => parent),
          );
          for (const node of left)
            if (!carriers.has(node.handle)) expect(asText(after.get(node.handle)!)).toBe(asText(node));
          expect(outcome.counts?.delete ?? 0).toBe(before.size - left.length);
          expect((await rig.plan(tree)).plan).toMatchObject({ changes: [], operations: [] });
        },
      ),
      { few: 14, deep: 5_000 },
    );
  });

  test.each([
    ["A2", { touch: "parent" }],
    ["A4", { scheduleIds: "new" }],
    ["A5", { inUse: "allow" }],
    ["A6", { ids: "reuse" }],
    ["A8", { cascade: "refuse" }],
  ] as const)("does so where the service answers otherwise: %s", async (name, settings) => {
    await check(
      `unmanaged ${name}`,
      fc.asyncProperty(randomProject, fc.array(deed, { minLength: 1, maxLength: 5 }), async (wishes, done) => {
        const rig = makeRig({ settings });
        const tree = withUnmanagedDeleted(toTree(wishes));
        await rig.apply(tree);
        for (const [tag, each] of done.entries()) await settle(rig, each, tag);
        expect((await rig.apply(tree)).diagnostics).toEqual([]);
        expect((await rig.plan(tree)).plan).toMatchObject({ changes: [], operations: [] });
        const wished = [...tree.nodes.values()].filter(({ kind }) => kind !== "tag").map(({ kind }) => kind);
        expect(await serviceBodies(rig)).toEqual(wished.sort());
      }),
      { few: 6, deep: 1_000 },
    );
  });

  test("ends a change that crashed half-way, and nothing undeclared is left then (P2)", async () => {
    await check(
      "unmanaged crash",
      fc.asyncProperty(
        randomProject,
        randomProject,
        fc.array(deed, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 120 }),
        async (first, second, done, point) => {
          let steps = -1;
          const isDead = () => steps > point;
          const disk = crashDisk(() => {
            if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
          });
          const rig = makeRig({ files: disk.files, isDead });
          await rig.apply(toTree(first));
          for (const [tag, each] of done.entries()) await settle(rig, each, tag);
          const tree = withUnmanagedDeleted(toTree(second));
          steps = 0;
          await rig.apply(tree).catch((problem: unknown) => {
            if (!(problem instanceof Crash)) throw problem;
          });
          const crashed = isDead();
          steps = -1;
          const revived = crashed ? rig.restart(disk.restart(false).files) : rig;
          for (let tries = 0; tries < 4; tries++) await revived.apply(tree);
          expect((await revived.plan(tree)).plan).toMatchObject({ changes: [], operations: [] });
          const wished = [...tree.nodes.values()].filter(({ kind }) => kind !== "tag").map(({ kind }) => kind);
          expect(await serviceBodies(revived)).toEqual(wished.sort());
        },
      ),
      { few: 12, deep: 5_000 },
    );
  });
});
