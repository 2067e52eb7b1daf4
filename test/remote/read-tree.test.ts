import { describe, expect, test } from "vitest";
import { explainFailure } from "../../src/project/explain-failure.ts";
import { deviatingService, each } from "../conformance/deviating-service.ts";
import { toTree, type Wish } from "../support/random-project.ts";
import { makeRig } from "../support/rig.ts";

const wishes: readonly Wish[] = [
  { kind: "testCase", key: "a", fields: { name: "a" }, below: [] },
  { kind: "tag", key: "t", fields: { name: "t" }, below: [] },
  { kind: "provider", key: "p", fields: { name: "p", providerType: "Shared" }, below: [] },
  { kind: "vcsRoot", key: "v", fields: { name: "v", url: "https://git.test/a.git" }, below: [] },
];
const paths = ["test-cases", "tags", "providers", "vcs-roots"].map((list) => `/orgs/:orgId/${list}`);
const noLists = [{}, [null], [1], [{}], { testCases: [] }, "<html>", null];

describe.each(paths)("an answer of GET %s", (path) => {
  test.each(noLists)("that is %j is no empty list: nothing is planned (LF2005)", async (body) => {
    const rig = makeRig();
    const tree = toTree(wishes);
    await rig.apply(tree);
    await rig.setFaults([{ method: "GET", path, status: 200, body } as never]);
    const refused = await rig.plan(tree).catch((thrown: unknown) => explainFailure(thrown));
    expect(refused).toEqual([
      expect.objectContaining({ code: "LF2005", detail: expect.stringContaining("not as a list of objects with ids") }),
    ]);
    await rig.setFaults([]);
    expect((await rig.plan(tree)).plan?.changes).toEqual([]);
  });
});

describe("an object that lacks a member which is always there", () => {
  const answers = each(["scenario"], (object) => {
    delete object["tags"];
  });
  const scenario: Wish = { kind: "scenario", key: "s", fields: { name: "s", script: "x" }, below: [] };
  const tree = toTree([{ kind: "testCase", key: "a", fields: { name: "a" }, below: [scenario] }]);

  test("even when it is read by itself: nothing is planned (LF2005)", async () => {
    const rig = makeRig();
    await rig.apply(tree);
    const { service } = deviatingService(rig.service, { name: "no tags", answers });
    const refused = await makeRig({ service })
      .plan(tree)
      .catch((thrown: unknown) => explainFailure(thrown));
    expect(refused).toEqual([
      expect.objectContaining({ code: "LF2005", detail: expect.stringContaining("scenario 1 came without its tags") }),
    ]);
  });
});
