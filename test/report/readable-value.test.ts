import { expect, test } from "vitest";
import { readableObject } from "../../src/report/readable-value.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

test.each([
  ["a,b\n1,2\n", 8],
  ["", 0],
])(
  "a planned delete tells the real size of a file with %j, and none of a script that was not read",
  async (contents, bytes) => {
    const rig = makeRig();
    const store: Wish = { kind: "dataStore", key: "d", fields: { name: "d", contents }, below: [] };
    const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "run()" }, below: [store] };
    await rig.apply(toTree([{ kind: "testCase", key: "a", fields: { name: "a" }, below: [scenario] }]));
    const { plan } = await rig.plan(toTree([]));
    const before = (kind: string) => readableObject(plan?.changes.find((change) => change.kind === kind)?.before ?? {});
    expect(before("dataStore")["contents"]).toEqual({ sha256: expect.any(String), bytes });
    expect(before("scenario")["script"]).not.toHaveProperty("bytes", 0);
  },
);
