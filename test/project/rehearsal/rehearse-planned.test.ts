import { expect, test } from "vitest";
import { rehearsePlanned } from "../../../src/project/rehearsal/rehearse-planned.ts";
import { planInputOf } from "../../support/plan-input-of.ts";
import { toTree } from "../../support/random-project.ts";
import { makeRig } from "../../support/rig.ts";

test("a plan over live objects that the bundled service cannot have is valid, and said not to be rehearsed", async () => {
  const rig = makeRig();
  const theirs = { name: "Theirs", url: "https://git.example.com/theirs.git" };
  await rig.outside.call("POST /orgs/:orgId/vcs-roots", { params: { orgId: 1 }, body: theirs as never });
  const planned = await rig.plan(
    toTree([{ kind: "vcsRoot", key: "ours", fields: { name: "Ours", url: theirs.url }, below: [] }]),
  );
  const { plan, made } = planned;
  if (plan === undefined || made === undefined) return expect.fail("there is no plan");
  const nodes = new Map(
    [...made.live.nodes].map(([handle, { identity, ...node }]) => [
      handle,
      { ...node, ...(identity && { identity: { ...identity, createdAt: "long ago" } }) },
    ]),
  );
  const input = { ...planInputOf(planned), live: { ...made.live, nodes } };
  const outcome = await rehearsePlanned(planned, input, []);
  expect(outcome.plan).toBe(plan);
  expect(outcome.rehearsed).toBeUndefined();
  expect(outcome.diagnostics).toMatchObject([{ severity: "warning", code: "LF3021" }]);
  expect(outcome.diagnostics[0]?.detail).toContain("long ago");
});
