import { expect, test } from "vitest";
import { Crash, crashDisk } from "../support/crash-files.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

/** Some test case with a configuration in it; its key is its name, so that another key is a rename. */
const testCase = (key: string): Wish => ({
  kind: "testCase",
  key,
  fields: { name: key },
  below: [
    { kind: "scenario", key: "s", fields: { name: "s", script: "x" }, below: [] },
    {
      kind: "configuration",
      key: "c",
      fields: {
        name: "c",
        scenario: { ref: `testCase.${key}/scenario.s` },
        providers: [{ provider: { id: 0 }, regions: ["cloud-us-east-1"] }],
        durationSecs: 10,
        concurrentClients: 1,
      },
      below: [],
    },
  ],
});
const before = toTree([testCase("old")]);
const after = toTree([testCase("new"), { kind: "testCase", key: "more", fields: { name: "more" }, below: [] }]);

/** Renames the key, crashes at one step of it, applies again, and answers the deletes that were sent and the ids that are left. */
async function renameAndCrash(point: number) {
  let steps = -1;
  const isDead = () => steps > point;
  const disk = crashDisk(() => {
    if (steps >= 0 && (isDead() || steps++ === point)) throw new Crash("power lost");
  });
  const rig = makeRig({ files: disk.files, isDead });
  await rig.apply(before);
  steps = 0;
  await rig.apply(after).catch((problem: unknown) => {
    if (!(problem instanceof Crash)) throw problem;
  });
  const isCrashed = isDead();
  steps = -1;
  const revived = isCrashed ? rig.restart(disk.restart(false).files) : rig;
  const mended = await revived.apply(after);
  const deletes = rig.service.requests.filter(({ method }) => method === "DELETE").length;
  const [first] = await rig.outside.call("GET /test-cases", { query: { down: true } });
  return {
    isCrashed,
    status: mended.status,
    deletes,
    name: first?.name,
    confs: first?.configurations?.map(({ id }) => id),
  };
}

test("a rename of a key that is cut short anywhere is ended by the next apply, and never deletes the object (P2, P8)", async () => {
  let isCrashed = true;
  for (let point = 0; isCrashed; point++) {
    const outcome = await renameAndCrash(point);
    isCrashed = outcome.isCrashed;
    expect({ point, ...outcome }).toMatchObject({ point, deletes: 0, name: "new", confs: [1] });
    expect(["applied", "nothing"]).toContain(outcome.status);
    expect(point).toBeLessThan(200);
  }
});
