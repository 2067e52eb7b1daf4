import { describe, expect, it } from "vitest";
import { runMarkdown } from "../../../src/report/runs/run-markdown.ts";
import type { RunDetails } from "../../../src/run/run-document.ts";
import { nodesOf, parseMarkdown } from "../../support/parse-markdown.ts";
import { control, everyRun, failed, hostileRun, lastRuns, longRun } from "./sample-runs.ts";

const markdownOf = (...runs: readonly RunDetails[]) =>
  runMarkdown({ warnings: ["Limits were not read."], runs }, ["shop"]);

describe("the Markdown of runs", () => {
  it("shows one run whole", async () => {
    await expect(markdownOf(failed)).toMatchFileSnapshot("golden/run-markdown.txt");
  });

  it("shows several in a table, then each", async () => {
    await expect(markdownOf(...everyRun)).toMatchFileSnapshot("golden/run-markdown-several.txt");
  });

  it("shows the trend of one gate", () => {
    expect(markdownOf(...lastRuns(4))).toContain("| Response time p95 | ▁▃▆█ | 225 ms → 300 ms | +75 ms (+33.3 %) |");
  });

  it("lets no text of others out of its place", async () => {
    const text = markdownOf(hostileRun);
    const tree = await parseMarkdown(text);
    const html = nodesOf(tree, "html").map(({ value }) => value ?? "");
    const known = /^(?:<!-- loadform-run shop -->|<\/?(?:details|summary|code)>)/;
    expect(html.filter((value) => !known.test(value.trim()))).toEqual([]);
    expect(html.join("")).not.toMatch(/<script|<u>/);
    expect(nodesOf(tree, "link")).toEqual([]);
    expect(text).not.toMatch(/@everyone|^\/approve/m);
    expect(text).not.toMatch(control);
    const columns = new Set(
      nodesOf(tree, "table").flatMap((table) => (table.children ?? []).map((row) => row.children?.length)),
    );
    expect([...columns].every((count) => count !== undefined && count <= 4)).toBe(true);
  });

  it("has room in a comment whatever ran, with the verdict of each run first", () => {
    const text = markdownOf(...Array.from({ length: 50 }, () => longRun()));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toContain("## Load tests: 50 passed");
    expect(text).toContain("**Left out for length:**");
  });
});
