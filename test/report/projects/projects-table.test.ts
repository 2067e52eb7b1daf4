import { describe, expect, test } from "vitest";
import { type ProjectRow, projectsSentence, projectsTable } from "../../../src/report/projects/projects-table.ts";
import { plainPalette } from "../../../src/report/terminal-text.ts";

const rows: readonly ProjectRow[] = [
  { dir: "tests/shop", name: "shop", counts: [3, 0, 0], result: "with changes", mood: "changed" },
  { dir: "tests/x", name: "search", environment: "dev", counts: [0, 12, 0], result: "with changes", mood: "changed" },
  { dir: "bad\u001b[2J", counts: [], result: "failed", mood: "stopped" },
];

describe("the table of several projects", () => {
  test("omits columns in which nothing is counted, but for some, and shows no control character", () => {
    const style = { columns: ["Create", "Update", "Delete"], always: ["Create"], palette: plainPalette };
    expect(projectsTable(rows, style).split("\n").slice(0, 3)).toEqual([
      "Project           Environment  Create  Update  Result",
      "tests/shop                          3       0  with changes",
      "tests/x (search)  dev               0      12  with changes",
    ]);
    expect(projectsTable(rows, style)).not.toContain("\u001b");
  });

  test("is counted by its results", () => {
    expect(projectsSentence(rows, 1)).toBe("3 projects: 2 with changes, 1 failed. 1 request.");
  });
});
