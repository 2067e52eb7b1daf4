import { expect, it } from "vitest";
import { within } from "../../../src/cli/projects/project-output.ts";

it("leads to the file of a problem, and to the uses of its module, from the working folder", () => {
  const place = { file: "loadform.yaml", line: 4, column: 3 };
  const problem = { severity: "warning", code: "LF1303", summary: "$A is not set", detail: "Set it" } as const;
  const found = within("tests/a", { ...problem, file: "../m.yaml", used: [place, { ...place, file: "/far/m.yaml" }] });
  expect([found.file, ...(found.used ?? []).map(({ file }) => file)]).toEqual([
    "tests/m.yaml",
    "tests/a/loadform.yaml",
    "/far/m.yaml",
  ]);
  expect(within("tests/a", problem)).toEqual(problem);
});
