import { expect, test } from "vitest";
import { blockedBy, configuration, scenario, testCase } from "../support/blocked-by.ts";
import { toTree } from "../support/random-project.ts";

test("a circle of references and of a name is told by what is to be done, with the ways out", async () => {
  const tree = toTree([testCase("a", [scenario]), testCase("b", [configuration("a")])]);
  const { outcome } = await blockedBy({ before: tree, after: tree, asked: { replace: ["testCase.a"] } });
  expect(outcome.diagnostics).toMatchObject([{ code: "LF3006", detail: expect.stringContaining("in two steps") }]);
  expect(outcome.diagnostics[0]?.detail).toMatch(
    /^delete testCase\.a, create testCase\.a, .*update testCase\.b\/configuration\.c:/,
  );
});
