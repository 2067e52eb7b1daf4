import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { type PlanMarkdownOptions, planMarkdown } from "../../src/report/plan-markdown.ts";
import { anyCharacter } from "../support/any-character.ts";
import { timesOf } from "../support/deep.ts";
import { nodesOf, parseMarkdown, wordsOf } from "../support/parse-markdown.ts";
import { change, emptyPlan, field, fullPlan, sampleTexts } from "./sample-plan.ts";

const options: PlanMarkdownOptions = {
  contents: (hash) => sampleTexts[hash],
  identity: ["."],
  errors: [],
  blocked: [],
  warnings: [],
  lineOf: () => undefined,
  digest: "5f1c",
  choices: [],
  applying: "loadform apply --digest 5f1c",
};
const lost: Diagnostic = {
  severity: "error",
  code: "LF4002",
  summary: "testCase.old has data that cannot be restored",
  detail: "found 3 executions that would go with it; expected none. If they may go: --allow-destroy 'testCase.old'",
  address: "testCase.old",
};
const unset: Diagnostic = {
  severity: "error",
  code: "LF1301",
  summary: "TOKEN is not set",
  detail: "found no ${env:TOKEN}\n```\n/close\n@team",
  file: "loadform.yaml",
  line: 3,
  column: 5,
};
const warning: Diagnostic = { severity: "warning", code: "LF1201", summary: "odd", detail: "found odd; expected even" };

const markdownOf = (parts: Partial<Plan>, further: Partial<PlanMarkdownOptions> = {}) =>
  planMarkdown({ ...emptyPlan, ...parts }, { ...options, ...further });

/** The words of the table under a heading, row by row. */
async function rowsUnder(text: string, title: string) {
  const { children = [] } = await parseMarkdown(text);
  const at = children.findIndex((node) => node.type === "heading" && wordsOf(node) === title);
  const table = children.slice(at + 1).find(({ type }) => type === "table");
  return nodesOf(table ?? { type: "none" }, "tableRow")
    .slice(1)
    .map((row) => row.children?.map((cell) => wordsOf(cell).replaceAll("\u200b", "")));
}

describe("the comment on a plan", () => {
  it("says everything that a plan can say", async () => {
    const text = planMarkdown(fullPlan, {
      ...options,
      identity: [".", "staging"],
      choices: ["--target testCase.checkout/**"],
      warnings: [warning],
    });
    await expect(text).toMatchFileSnapshot("golden/full-plan-markdown.txt");
  });

  it("says that guards block it, what for, and not how to apply it", async () => {
    const text = planMarkdown(fullPlan, { ...options, blocked: [lost] });
    await expect(text).toMatchFileSnapshot("golden/blocked-plan-markdown.txt");
    expect(text).not.toContain("loadform apply");
  });

  it("says that there are errors, with and without a plan", async () => {
    const lineOf = () => "    password: ${env:TOKEN}";
    await expect(planMarkdown(undefined, { ...options, errors: [unset], lineOf })).toMatchFileSnapshot(
      "golden/no-plan-markdown.txt",
    );
    const text = planMarkdown(fullPlan, { ...options, errors: [unset], blocked: [lost] });
    expect(text).toContain("> 🛑 **1 error, blocked by 1 guard**");
  });

  it("is short when there is nothing to do", () => {
    expect(markdownOf({ summary: { ...emptyPlan.summary, noop: 12 } })).toBe(
      [
        "<!-- loadform-plan . -->",
        "## Load tests: plan for `webshop`",
        "Target: `memory:.loadform/service.json`, organization `1`",
        "**No changes: 12 objects are as declared.**",
        "---",
        "Digest of this plan: `5f1c`\n",
      ].join("\n\n"),
    );
  });

  it("is the same for the same plan", () => {
    expect(planMarkdown(fullPlan, options)).toBe(planMarkdown(structuredClone(fullPlan), options));
  });

  it("says below the table of what there is that there is more to create, and where that is listed", async () => {
    const created = change({
      address: "testCase.new",
      kind: "testCase",
      action: "create",
      fields: [field("description", { after: "a new one" })],
    });
    const another = { ...created, address: "testCase.newer" };
    const updated = { ...created, address: "testCase.old", action: "update", id: 7 } as const;
    const words = (changes: Plan["changes"]) => /\n\*\*create\*\*: .*/.exec(markdownOf({ changes }))?.[0].trim();
    expect(words([created, updated])).toBe("**create**: 1 object, listed below with its fields");
    expect(words([created, updated, another])).toBe("**create**: 2 objects, listed below, each with its fields");
    // Without a table nothing is missed in it.
    expect(words([created])).toBeUndefined();
    expect(words([updated])).toBeUndefined();
  });

  it("names what would be lost before anything that changes", async () => {
    const text = planMarkdown(fullPlan, options);
    const rows = await rowsUnder(text, "Risks");
    expect(rows).toEqual([
      [
        "⚠️ replace (new one first)",
        "testCase.checkout/scenario.browse/dataStore.users.csv",
        "would be lost: 120 data rows",
      ],
      ["⚠️ delete", "testCase.old", "would be lost: 3 executions, 2 unmanaged objects"],
      [
        "load",
        "testCase.checkout/configuration.smoke",
        expect.stringMatching(/^30 users × 2 regions = 60 users at peak.*\+40, \+1.01\)$/),
      ],
      [
        "next runs",
        "testCase.checkout/configuration.smoke/schedule.nightly",
        "2026-11-21 02:30, 2026-11-21 23:30 (skipped by Day 22:00–02:00) UTC",
      ],
    ]);
    expect(text.indexOf("### Risks")).toBeLessThan(text.indexOf("### Changes"));
  });

  it("names what goes without a loss last, so that it is the first that is cut", async () => {
    const gone = (key: string, risks: readonly string[]) =>
      change({ address: `testCase.${key}`, kind: "testCase", action: "delete", risks });
    const many = Array.from({ length: 300 }, (_, index) => gone(`plain-${index}`, []));
    const others = { ...gone("others", []), reason: "unmanaged" };
    const changes = [...many, gone("dear", ["7 executions"]), others];
    const rows = await rowsUnder(markdownOf({ changes }), "Risks");
    expect(rows[0]).toEqual(["⚠️ delete", "testCase.dear", "would be lost: 7 executions"]);
    expect(rows[1]).toEqual(["⚠️ delete", "testCase.others", "not declared in this project; no history is lost"]);
    expect(rows[2]).toEqual(["delete", "testCase.plain-0", "no history is lost"]);
    expect(rows.at(-1)?.[0]).toMatch(/^… and \d+ more$/);
  });

  it("names what may be paused", async () => {
    const pause = { kind: "schedule", id: 4, createdAt: "", fields: {}, around: ["update a", "update b"] };
    const text = markdownOf({ pauses: [{ ...pause, address: "testCase.a/configuration.b/schedule.c" }] });
    expect(await rowsUnder(text, "Risks")).toEqual([
      [
        "pause",
        "testCase.a/configuration.b/schedule.c",
        "paused during the change of what it runs (2 writes), if it would start in that time",
      ],
    ]);
  });

  it("shows no secret", () => {
    const text = planMarkdown(fullPlan, options);
    expect(text).toContain("! password: (secret changed)");
    expect(text).not.toMatch(/"?f[12]"?(?![0-9a-f])/);
  });
});

/** What Markdown, HTML and the forges read. */
const markup = fc.constantFrom(
  ..."`|<>&*_[]()#@!~$\\\"'-+=:/ \t\r\n",
  "</details>",
  "```",
  "<!--",
  "-->",
  "\n\n",
  "---",
);

/** A plan and its problems in which somebody wrote the same words everywhere. */
function commentWith(words: string): string {
  const hostile = change({
    address: "testCase.a/scenario.b",
    kind: "scenario",
    action: "update",
    name: words,
    reason: words,
    previousAddress: "testCase.a/scenario.c",
    risks: [words],
    fields: [
      field("name", { before: words, after: `${words}!` }),
      field("description", { before: `${words}\n/close\n`, after: "```\n````\n</details>\n" }),
      field("tags", { after: [words] }),
    ],
  });
  const wrong = { ...lost, summary: words, detail: words, address: words };
  return markdownOf(
    {
      project: words,
      environment: words,
      target: { url: words, organization: 1 },
      changes: [hostile, { ...hostile, action: "delete" }, { ...hostile, action: "no-op", fields: [] }],
      drift: [hostile],
      unmanaged: [{ kind: "testCase", id: 1, name: words, parent: words }],
      pending: [{ address: words, kind: "tag", name: words, binding: { kind: "tag", applied: {} } }],
    },
    { errors: [wrong], warnings: [wrong], identity: [words], choices: [words], digest: words },
  );
}

describe("what people wrote", () => {
  const text = commentWith("x|y`</details>```\n\n# @everyone <img src=x> [a](https://b.example.com) #1 **");

  it("does not change the structure of the comment", async () => {
    const shape = async (markdown: string) =>
      (await parseMarkdown(markdown)).children?.map((node) => `${node.type} ${nodesOf(node, "tableCell").length}`);
    const tame = await shape(commentWith("words"));
    expect(await shape(text)).toEqual(tame);
    const anyWords = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 60 }),
      fc.string({ unit: markup, maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(anyWords, async (words) => {
        expect(await shape(commentWith(words))).toEqual(tame);
      }),
      { numRuns: timesOf({ few: 40, deep: 400 }) },
    );
  });

  it("is no markup, no link, no mention and no order to a bot", async () => {
    const root = await parseMarkdown(text);
    for (const type of ["link", "image", "linkReference", "delete"]) expect(nodesOf(root, type), type).toEqual([]);
    expect(nodesOf(root, "heading")).toHaveLength(5);
    const prose = text.replaceAll(/^(`{3,})[a-z]+\n[\s\S]*?^\1$|<code>.*?<\/code>|`[^`\n]+`/gm, "");
    expect(prose).not.toMatch(/@|&#64;\w|&#35;\w/);
    expect(prose).toContain("&#64;\u200beveryone");
    expect(text.split("\n")).not.toContainEqual(expect.stringMatching(/^\//));
    const tags = nodesOf(root, "html").flatMap(({ value = "" }) => value.match(/<[^!][^>]*>/g) ?? []);
    expect(new Set(tags)).toEqual(new Set(["<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"]));
  });
});

describe("a plan too large for a comment", () => {
  it("has room for what happens to what is there before anything new", async () => {
    const fields = [field("description", { after: "new ".repeat(20) })];
    const created = Array.from({ length: 1_000 }, (_, index) =>
      change({ address: `testCase.new-${index}`, kind: "testCase", action: "create", fields }),
    );
    const last = change({ address: "testCase.old", kind: "testCase", action: "update", id: 7, fields });
    const text = markdownOf({ changes: [...created, last] });
    expect((await rowsUnder(text, "Changes"))[0]?.slice(0, 2)).toEqual(["update", "testCase.old"]);
    expect(text).toContain("<summary><code>testCase.old</code>: update</summary>");
    expect(text).toContain("Left out for length");
  });

  const many = Array.from({ length: 800 }, (_, index) =>
    change({
      address: `testCase.case-${index}`,
      kind: "testCase",
      action: index % 2 === 0 ? "update" : "delete",
      risks: index % 2 === 0 ? [] : ["3 executions"],
      fields: [field("description", { before: "old ".repeat(100), after: "new ".repeat(100) })],
    }),
  );
  const text = markdownOf(
    {
      changes: many,
      drift: many,
      unmanaged: many.map(({ address }, id) => ({ kind: "testCase", id, name: address })),
    },
    { errors: Array.from({ length: 200 }, () => lost), warnings: Array.from({ length: 200 }, () => warning) },
  );

  it("stays within what GitHub takes, and says what is missing", () => {
    expect(text.length).toBeLessThan(62_000);
    expect(text).toMatch(/\*\*Left out for length:\*\* `testCase\.case-\d+`/);
    expect(text).toMatch(/^\| … and \d+ more \| {2}\| {2}\|$/m);
    expect(text).toMatch(/^… and \d+ more$/m);
  });

  it("keeps what a decision needs", async () => {
    expect(await rowsUnder(text, "Risks")).toContainEqual([
      "⚠️ delete",
      "testCase.case-1",
      "would be lost: 3 executions",
    ]);
    expect(text).toContain("Digest of this plan");
    expect(text).toContain("200 errors");
  });
});
