import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/plan/plan.ts";
import { type PlanMarkdownOptions, planMarkdown } from "../../src/report/plan-markdown.ts";
import { planText } from "../../src/report/plan-text.ts";
import { plainPalette } from "../../src/report/terminal-text.ts";
import { nodesOf, parseMarkdown, wordsOf } from "../support/parse-markdown.ts";
import { change, emptyPlan, field } from "./sample-plan.ts";

const style = { palette: plainPalette, requests: 5, contents: () => undefined };
const textOf = (parts: Partial<Plan>) => planText({ ...emptyPlan, ...parts }, style);

describe("the text of a plan", () => {
  it("writes a long new list as a person would in YAML, one item on a line", () => {
    const trigger = (percent: number) => ({ conditions: [{ metric: "errorRate", over: percent }], action: "stop" });
    const triggers = [trigger(5), { ...trigger(10), notes: "x".repeat(90) }];
    const changes = [
      change({
        address: "testCase.a/configuration.b",
        kind: "configuration",
        action: "create",
        fields: [field("triggers", { after: triggers })],
      }),
    ];
    expect(textOf({ changes })).toContain(
      [
        "      + triggers:",
        '          - { conditions: [{ metric: "errorRate", over: 5 }], action: "stop" }',
        '          - conditions: [{ metric: "errorRate", over: 10 }]',
        '            action: "stop"',
        `            notes: "${"x".repeat(90)}"\n`,
      ].join("\n"),
    );
  });

  it("shows no diff of a text that changed outside and is declared already", () => {
    const script = field("script", {
      before: { $content: "a", bytes: 2 },
      after: { $content: "b", bytes: 2 },
      cause: "both",
    });
    const drift = [change({ address: "testCase.a/scenario.b", kind: "scenario", action: "update", fields: [script] })];
    const contents = (hash: string) => `${hash}\n`;
    const text = planText({ ...emptyPlan, drift }, { ...style, contents });
    expect(text).toContain("(already declared)\n");
    expect(text).not.toMatch(/^ +[-+@]/m);
    const planned = planText({ ...emptyPlan, drift, changes: drift }, { ...style, contents });
    expect(planned).toMatch(/^ +\+b$/m);
  });

  it("says that a schedule is paused", () => {
    const schedule = { address: "testCase.a/configuration.b/schedule.c", kind: "schedule", action: "create" } as const;
    expect(textOf({ changes: [change({ ...schedule, after: { active: false }, nextTimes: [] })] })).toContain(
      "next runs if applied now: paused\n",
    );
    expect(textOf({ changes: [change({ ...schedule, after: {}, nextTimes: [] })] })).toContain(
      "next runs if applied now: none\n",
    );
  });

  it("counts tags that come with what carries them, and names the others", () => {
    const tag = (name: string) => ({ address: `tag.${name}`, kind: "tag", name, binding: {} as never });
    const scenario = { address: "testCase.a/scenario.b", kind: "scenario", action: "create" } as const;
    const text = textOf({
      changes: [change({ ...scenario, after: { tags: ["nightly"] } })],
      pending: [tag("nightly"), tag("later")],
      summary: { ...emptyPlan.summary, create: 1 },
    });
    expect(text).toContain("1 tag is created with the scenarios that use it: tag.nightly\n");
    expect(text).toContain("Created with the first object or run that uses it: tag.later\n");
    expect(text).toContain("0 unchanged, 1 tag to create with them.");
  });

  it("paints a load that rises yellow, and no other", () => {
    const tag = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const palette = { ...plainPalette, bold: tag("b"), yellow: tag("yellow"), dim: tag("dim") };
    const fields = (users: number) => ({
      concurrentClients: users,
      durationSecs: 60,
      providers: [{ provider: { id: 0 }, numRegions: 1 }],
    });
    const loadOf = (before: number | undefined, after: number) =>
      planText(
        {
          ...emptyPlan,
          changes: [
            change({
              address: "testCase.a/configuration.b",
              kind: "configuration",
              action: before === undefined ? "create" : "update",
              after: fields(after),
              ...(before !== undefined && { before: fields(before) }),
            }),
          ],
        },
        { ...style, palette },
      )
        .split("\n")
        .find((line) => line.includes("load:"));
    expect(loadOf(10, 20)).toMatch(/^<b><yellow> +load: .*<\/yellow><\/b>$/);
    expect(loadOf(20, 10)).toMatch(/^<b> +load: .*<\/b>$/);
    expect(loadOf(undefined, 10)).toMatch(/^<b> +load: .*<\/b>$/);
  });
});

const markdownOf = (parts: Partial<Plan>, further: Partial<PlanMarkdownOptions> = {}) =>
  planMarkdown(
    { ...emptyPlan, ...parts },
    {
      contents: () => undefined,
      identity: ["."],
      errors: [],
      blocked: [],
      warnings: [],
      lineOf: () => undefined,
      choices: [],
      applying: "loadform apply",
      ...further,
    },
  );

/** The words of the first table, row by row. */
async function rowsOf(text: string) {
  const { children = [] } = await parseMarkdown(text);
  const table = children.find(({ type }) => type === "table");
  return nodesOf(table ?? { type: "none" }, "tableRow")
    .slice(1)
    .map((row) => row.children?.map((cell) => wordsOf(cell).replaceAll("\u200b", "")));
}

describe("the comment on a plan", () => {
  it("marks a load that grows more than tenfold, before other loads", async () => {
    const fields = (users: number) => ({
      concurrentClients: users,
      durationSecs: 60,
      providers: [{ provider: { id: 0 }, numRegions: 1 }],
    });
    const grown = (key: string, before: number, after: number) =>
      change({
        address: `testCase.a/configuration.${key}`,
        kind: "configuration",
        action: "update",
        before: fields(before),
        after: fields(after),
      });
    const rows = await rowsOf(markdownOf({ changes: [grown("b", 20, 200), grown("c", 20, 4000)] }));
    expect(rows.map((row) => row?.slice(0, 2))).toEqual([
      ["⚠️ load", "testCase.a/configuration.c"],
      ["load", "testCase.a/configuration.b"],
    ]);
    expect(rows[0]?.[2]).toMatch(/^200 times as much as now: 4000 users/);
  });

  it("says commit, time and run where a pipeline gives them, and no link that is none", () => {
    const origin = { commit: "0123456789abcdef", at: "2026-11-22T10:11:12.000Z" };
    const url = "https://git.example.com/shop/actions/runs/7";
    expect(markdownOf({}, { origin: { ...origin, url } })).toContain(
      `organization \`1\`\\\nCommit: \`0123456789ab\`, 2026-11-22 10:11 UTC ([run](${url}))\n`,
    );
    const hostile = markdownOf({}, { origin: { ...origin, url: "https://x.example.com/) [y](z" } });
    expect(hostile).toContain("Commit: `0123456789ab`, 2026-11-22 10:11 UTC\n");
  });

  it("shows what is created once", async () => {
    const created = change({
      address: "testCase.a",
      kind: "testCase",
      action: "create",
      fields: [field("description", { after: "x" })],
    });
    const text = markdownOf({ changes: [created] });
    expect(text.split("testCase.a").length - 1).toBe(1);
    expect(text).toContain("<summary><code>testCase.a</code>: create</summary>");
  });
});
