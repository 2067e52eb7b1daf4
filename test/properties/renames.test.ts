import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { State } from "../../src/state/state.ts";
import { Crash, crashDisk } from "../support/crash-files.ts";
import { check } from "../support/deep.ts";
import { randomProject, toTree } from "../support/random-project.ts";
import { choices, movesIn, withNamesPassedOn, withNewKeys } from "../support/reshaped.ts";
import { makeRig, type Rig } from "../support/rig.ts";

type Moves = readonly { readonly from: string; readonly to: string }[];

const tangles = fc.record({ names: choices, keys: choices });

async function idsOf(rig: Rig): Promise<ReadonlyMap<string, number>> {
  const resources: State["resources"] = (await rig.stored())?.state.resources ?? {};
  return new Map(Object.entries(resources).map(([address, { id }]) => [address, id]));
}

/** Pastes the lines of every refusal until none is left, as a person would who puts right what became which. */
async function pastedMoves(
  rig: Rig,
  tree: ReturnType<typeof toTree>,
  became: ReadonlyMap<string, string>,
): Promise<Moves> {
  const was = new Map([...became].map(([from, to]) => [to, from]));
  let moved: Moves = [];
  for (let tries = 0; tries < 6; tries++) {
    const { diagnostics } = await rig.plan(tree, { moved });
    const lines = diagnostics.filter(({ code }) => code === "LF3011").flatMap(({ detail }) => movesIn(detail));
    if (lines.length === 0) return moved;
    moved = [...moved, ...lines.map(({ to }) => ({ from: besides(to, was.get(to) ?? to), to }))];
  }
  throw new Error("pasting the lines does not end");
}

/** The key of `other` where `address` stands. */
const besides = (address: string, other: string) =>
  address.slice(0, address.lastIndexOf("/") + 1) + other.slice(other.lastIndexOf("/") + 1);
const sorted = (ids: ReadonlyMap<string, number>) =>
  [...ids].map(([address, id]) => `${address.slice(address.lastIndexOf("/") + 1).split(".")[0]}#${id}`).sort();
const deletesIn = (rig: Rig) => rig.service.requests.filter(({ method }) => method === "DELETE").length;

describe("a rename never destroys (P8)", () => {
  test("names passed around and keys changed: no delete, every id kept, and the next plan is empty", async () => {
    await check(
      "P8",
      fc.asyncProperty(randomProject, tangles, async (wishes, { names, keys }) => {
        const rig = makeRig();
        await rig.apply(toTree(wishes));
        const before = await idsOf(rig);
        const { wishes: next, became } = withNewKeys(withNamesPassedOn(wishes, names), keys);
        const tree = toTree(next);
        const moved = await pastedMoves(rig, tree, became);
        const outcome = await rig.apply(tree, { moved });
        expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(deletesIn(rig)).toBe(0);
        const after = await idsOf(rig);
        expect(sorted(after)).toEqual(sorted(before));
        for (const [was, is] of became) expect(after.get(is)).toBe(before.get(was));
        expect((await rig.plan(tree, { moved })).plan).toMatchObject({ changes: [], operations: [] });
        expect((await rig.plan(tree)).plan).toMatchObject({ changes: [], operations: [] });
      }),
      { few: 15, deep: 5_000 },
    );
  });

  test("the same, with a crash half-way", async () => {
    await check(
      "P8 crash",
      fc.asyncProperty(randomProject, tangles, fc.nat({ max: 60 }), async (wishes, { names, keys }, point) => {
        let steps = -1;
        const isDead = () => steps > point;
        const disk = crashDisk(() => {
          if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
        });
        const rig = makeRig({ files: disk.files, isDead });
        await rig.apply(toTree(wishes));
        const before = await idsOf(rig);
        const { wishes: next, became } = withNewKeys(withNamesPassedOn(wishes, names), keys);
        const tree = toTree(next);
        const moved = await pastedMoves(rig, tree, became);
        steps = 0;
        await rig.apply(tree, { moved }).catch((problem: unknown) => {
          if (!(problem instanceof Crash)) throw problem;
        });
        const crashed = isDead();
        steps = -1;
        const revived = crashed ? rig.restart(disk.restart(false).files) : rig;
        for (let tries = 0; tries < 3; tries++) await revived.apply(tree, { moved });
        expect((await revived.plan(tree, { moved })).plan).toMatchObject({ changes: [], operations: [] });
        expect(deletesIn(revived)).toBe(0);
        expect(sorted(await idsOf(revived))).toEqual(sorted(before));
      }),
      { few: 10, deep: 3_000 },
    );
  });
});
