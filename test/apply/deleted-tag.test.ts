import { expect, test } from "vitest";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const scenario = (fields: Wish["fields"]): Wish => ({
  kind: "testCase",
  key: "t",
  fields: { name: "T" },
  below: [{ kind: "scenario", key: "s", fields: { name: "S", ...fields }, below: [] }],
});
const smoke: Wish = { kind: "tag", key: "smoke", fields: { name: "smoke" }, below: [] };

test("a tag that goes is not made again by a scenario that had it and changes in the same apply", async () => {
  const rig = makeRig();
  await rig.apply(toTree([smoke, scenario({ script: "one", tags: ["smoke"] })]));
  const outcome = await rig.apply(toTree([scenario({ script: "two" })]));
  expect(outcome.status).toBe("applied");
  expect(await rig.outside.call("GET /orgs/:orgId/tags", { params: { orgId: 1 } })).toEqual([]);
});
