import { expect, test } from "vitest";
import type { Tree } from "../../src/model/tree.ts";
import { Crash, crashDisk } from "../support/crash-files.ts";
import { isDeep, isVerify } from "../support/deep.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const grid = (key: string): Wish => ({
  kind: "provider",
  key,
  fields: { name: key, providerType: "Shared" },
  below: [],
});
const region = (key: string, { name, in: of }: { readonly name: string; readonly in: string }): Wish => ({
  kind: "region",
  key,
  fields: { name, provider: { ref: `provider.${of}` } },
  below: [],
});
const grids = [grid("east"), grid("west")];
const withRegions = (...regions: Wish[]) => toTree([...grids, ...regions]);
const none = withRegions();
const rooms = withRegions(region("a", { name: "room", in: "east" }), region("b", { name: "room", in: "west" }));
const rekeyed = withRegions(region("c", { name: "room", in: "east" }), region("b", { name: "room", in: "west" }));
const twoRooms = withRegions(region("a", { name: "one", in: "east" }), region("b", { name: "two", in: "east" }));
const swapped = withRegions(region("a", { name: "two", in: "east" }), region("b", { name: "one", in: "east" }));

/** Killed at every step, in `npm test` at every fourth. */
const stride = isDeep || isVerify ? 1 : 4;

/** Applies each project after the other, crashes at one step of the last one, and applies that again. */
async function killAt(point: number, projects: readonly Tree[]) {
  const last = projects.at(-1)!;
  let steps = -1;
  const isDead = () => steps > point;
  const disk = crashDisk(() => {
    if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
  });
  const rig = makeRig({ files: disk.files, isDead, outlives: true });
  for (const project of projects.slice(0, -1)) await rig.apply(project, { forceThreshold: true });
  steps = 0;
  await rig.apply(last).catch((problem: unknown) => {
    if (!(problem instanceof Crash)) throw problem;
  });
  const isCrashed = isDead();
  steps = -1;
  const revived = isCrashed ? rig.restart(disk.restart(false).files) : rig;
  const { status, diagnostics } = await revived.apply(last);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const { resources } = (await revived.stored())!.state;
  const left = (await revived.plan(last)).plan?.changes;
  return { isCrashed, status, errors, isBound: [...last.nodes.keys()].every((address) => address in resources), left };
}

test.each<[string, readonly Tree[]]>([
  ["of one name in two grids, made", [none, rooms]],
  ["of one name in two grids, woken", [rooms, none, rooms]],
  ["of another key, put to sleep and woken", [rooms, rekeyed]],
  ["that swap their names", [twoRooms, swapped]],
])("regions %s by a run that is killed at any step, are found again by the next", async (_title, projects) => {
  let isCrashed = true;
  for (let point = 0; isCrashed; point += stride) {
    const found = await killAt(point, projects);
    isCrashed = found.isCrashed;
    expect({ point, ...found }).toMatchObject({ errors: [], isBound: true, left: [] });
    expect(["applied", "nothing"]).toContain(found.status);
    expect(point).toBeLessThan(200);
  }
});
