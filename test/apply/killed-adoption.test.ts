import { expect, test } from "vitest";
import { Crash, crashDisk } from "../support/crash-files.ts";
import { toTree } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const wish = toTree([{ kind: "testCase", key: "t", fields: { name: "By hand", description: "ours" }, below: [] }]);

/** Takes an object over and crashes at one step of it; answers what was written to it and whether it is bound. */
async function adoptAndCrash(point: number) {
  let steps = -1;
  const isDead = () => steps > point;
  const disk = crashDisk(() => {
    if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
  });
  const rig = makeRig({ files: disk.files, isDead });
  await rig.outside.call("POST /test-cases", { body: { name: "By hand", org: 1, description: "theirs" } });
  steps = 0;
  await rig.apply(wish, { adopt: "name" }).catch((problem: unknown) => {
    if (!(problem instanceof Crash)) throw problem;
  });
  const isCrashed = isDead();
  steps = -1;
  const [live] = await rig.outside.call("GET /test-cases", { query: { down: true } });
  const stored = await (isCrashed ? rig.restart(disk.restart(false).files) : rig).stored();
  return {
    isCrashed,
    isWritten: live?.description === "ours",
    isBound: stored?.state.resources["testCase.t"]?.id === 1,
  };
}

test("an object that is taken over is bound before it is changed, wherever the apply is cut short (P2)", async () => {
  let isCrashed = true;
  for (let point = 0; isCrashed; point++) {
    const found = await adoptAndCrash(point);
    isCrashed = found.isCrashed;
    expect({ point, ...found }).toMatchObject(found.isWritten ? { isBound: true } : {});
    expect(point).toBeLessThan(200);
  }
});
