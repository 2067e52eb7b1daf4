import { describe, expect, it } from "vitest";
import { planMarkdown } from "../../src/report/plan-markdown.ts";
import { planText } from "../../src/report/plan-text.ts";
import { plainPalette } from "../../src/report/terminal-text.ts";
import { emptyPlan, instanceChanges } from "./sample-plan.ts";

const contents = () => undefined;
const options = {
  ...{ contents, identity: ["."], errors: [], blocked: [], warnings: [], lineOf: () => undefined },
  ...{ choices: [], applying: "loadform apply" },
};

describe("the changes of instances", () => {
  it("of the text are under a heading of their instance where more than three have some, and not before", () => {
    const linesOf = (count: number) => {
      const { changes, instances } = instanceChanges(count);
      const lines = planText(
        { ...emptyPlan, changes },
        { palette: plainPalette, contents, requests: 5, instances },
      ).split("\n");
      return lines.filter((line) => /^(?:Instance| {2}\+)/.test(line)).map((line) => line.replace(/ "N"$/, "").trim());
    };
    const [tag, ...four] = linesOf(4);
    expect(tag).toBe("+ tag.svc1-api");
    expect(four).toEqual(
      ["svc1", "svc2", "svc3", "svc4"].flatMap((key) => [
        `Instance ${key}:`,
        `+ testCase.${key}-api`,
        `+ testCase.${key}-api/scenario.call`,
      ]),
    );
    expect(linesOf(3).slice(0, 3)).toEqual(["+ tag.svc1-api", "+ testCase.svc1-api", "+ testCase.svc2-api"]);
    expect(linesOf(3).join()).not.toContain("Instance");
  });

  it("of the comment have a heading and a table for each instance where more than three have changes, but for more than fifty", () => {
    const headings = (count: number) => {
      const { changes, instances } = instanceChanges(count);
      const text = planMarkdown({ ...emptyPlan, changes }, { ...options, instances });
      return text.split("\n").flatMap((line) => /^#{3,4} .*|^\| \*\*create\*\* \| `[^`]*`/.exec(line) ?? []);
    };
    const row = (address: string) => `| **create** | \`${address}\``;
    expect(headings(4)).toEqual([
      "### Changes",
      row("tag.svc1-api"),
      ...["svc1", "svc2", "svc3", "svc4"].flatMap((key) => [
        `#### Instance \`${key}\``,
        row(`testCase.${key}-api`),
        row(`testCase.${key}-api/scenario.call`),
      ]),
    ]);
    for (const count of [3, 51])
      expect(headings(count).filter((line) => line.startsWith("#"))).toEqual(["### Changes"]);
  });
});
