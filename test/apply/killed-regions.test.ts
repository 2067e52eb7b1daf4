import { expect, test } from "vitest";
import { Crash, crashDisk } from "../support/crash-files.ts";
import type { Wish } from "../support/random-project.ts";
import { toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const grid = (key: string): Wish => ({
  kind: "provider",
  key,
  fields: { name: key, providerType: "Shared" },
  below: [],
});
const room = (key: string): Wish => ({
  kind: "region",
  key: `room-${key}`,
  fields: { name: "room", provider: { ref: `provider.${key}` } },
  below: [],
});
const grids = [grid("east"), grid("west")];
const rooms = toTree([...grids, room("east"), room("west")]);

/** Makes the regions, which slept when `wakes`, crashes at one step of it, and applies again. */
async function killAt(point: number, wakes: boolean) {
  let steps = -1;
  const isDead = () => steps > point;
  const disk = crashDisk(() => {
    if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
  });
  const rig = makeRig({ files: disk.files, isDead, outlives: true });
  if (wakes) await rig.apply(rooms);
  await rig.apply(toTree(grids), { forceThreshold: true });
  steps = 0;
  await rig.apply(rooms).catch((problem: unknown) => {
    if (!(problem instanceof Crash)) throw problem;
  });
  const isCrashed = isDead();
  steps = -1;
  const revived = isCrashed ? rig.restart(disk.restart(false).files) : rig;
  const { status, diagnostics } = await revived.apply(rooms);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const { resources } = (await revived.stored())!.state;
  const left = (await revived.plan(rooms)).plan?.changes;
  return { isCrashed, status, errors, bound: Object.keys(resources).sort(), left };
}

const bound = ["provider.east", "provider.west", "region.room-east", "region.room-west"];

test.each([
  ["made", false],
  ["woken", true],
])(
  "regions of one name in two grids, %s by a run that is killed at any step, are found again by the next",
  async (_title, wakes) => {
    let isCrashed = true;
    for (let point = 0; isCrashed; point++) {
      const found = await killAt(point, wakes);
      isCrashed = found.isCrashed;
      expect({ point, ...found }).toMatchObject({ errors: [], bound, left: [] });
      expect(["applied", "nothing"]).toContain(found.status);
      expect(point).toBeLessThan(200);
    }
  },
);
