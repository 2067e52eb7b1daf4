import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  asMarkdown,
  cutTable,
  fencedCode,
  fitMarkdown,
  foldedPart,
  hiddenMarker,
  htmlCode,
  inlineCode,
} from "../../src/report/markdown-text.ts";
import { anyCharacter } from "../support/any-character.ts";
import { timesOf } from "../support/deep.ts";
import { nodesOf, parseMarkdown, wordsOf } from "../support/parse-markdown.ts";

const awkward = [
  "a|b",
  "`",
  "``a`b```",
  "<b>bold</b> <!-- x -->",
  "</code></details><script>",
  "**bold** _it_ ~~gone~~ [link](https://evil.example.com) ![image](x)",
  "@team #12 !3 ~label %2 &4",
  "two\nlines\r\n\r\n# heading",
  "back\\slash \\| pipe",
  "www.example.com https://example.com mail@example.com",
  "/close",
  "&amp; &#124;",
  " blanks around ",
  "| --- |",
  "",
];

const anyText = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: anyCharacter, maxLength: 40 }));

const table = (head: readonly string[], row: readonly string[]) => cutTable(head, [row], 10_000);

describe("words in Markdown", () => {
  it.each(awkward)("stay one cell of a table: %j", async (text) => {
    const root = await parseMarkdown(table(["a", "b", "c"], [asMarkdown(text), inlineCode(text), "end"]));
    expect(root.children?.map(({ type }) => type)).toEqual(["table"]);
    const [, row] = nodesOf(root, "tableRow");
    expect(row?.children).toHaveLength(3);
    for (const type of ["link", "image", "strong", "emphasis", "delete", "heading"])
      expect(nodesOf(root, type), type).toEqual([]);
    expect(nodesOf(root, "html").map(({ value }) => value)).toSatisfy((tags: string[]) =>
      tags.every((tag) => tag === "<code>" || tag === "</code>"),
    );
  });

  it("are shown as they are", async () => {
    const text = "a|b `c` <d> *e* \\f & [g](h) @team #1";
    const [, row] = nodesOf(await parseMarkdown(table(["a", "b"], [asMarkdown(text), inlineCode(text)])), "tableRow");
    const cells = row?.children?.map((cell) => wordsOf(cell).replaceAll("\u200b", ""));
    expect(cells).toEqual([text, text]);
  });

  it("mention nobody", () => {
    expect(asMarkdown("ask @team, see #12")).toBe("ask &#64;\u200bteam, see &#35;\u200b12");
    expect(inlineCode("@team")).toBe("`@team`");
  });

  it("never add a cell or a line, whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (left, right) => {
        const text = table(["a", "b"], [asMarkdown(left), inlineCode(right)]);
        expect(text.split(/\r\n|[\n\r]/)).toHaveLength(3);
        const [, row] = nodesOf(await parseMarkdown(text), "tableRow");
        expect(row?.children).toHaveLength(2);
      }),
      { numRuns: timesOf({ few: 60, deep: 600 }) },
    );
  });
});

describe("a code block", () => {
  it.each(["```", "a\n```\nb", "````js\n```\n````", "x`````y"])("holds backticks: %j", async (text) => {
    const root = await parseMarkdown(fencedCode("text", text));
    expect(root.children).toMatchObject([{ type: "code", lang: "text", value: text }]);
  });

  it("gives no orders to GitLab's bots", () => {
    expect(fencedCode("text", "/close\n/merge")).toBe("```text\n /close\n /merge\n```");
  });

  it("stays inside the part that folds it away", async () => {
    const body = fencedCode("diff", "+</details>\n-<b>\n+```");
    const root = await parseMarkdown(foldedPart(`changes of ${htmlCode("</summary>*x*")}`, body));
    expect(root.children?.map(({ type }) => type)).toEqual(["html", "code", "html"]);
    expect(root.children?.[0]?.value).toBe(
      "<details>\n<summary>changes of <code>&#60;/summary&#62;&#42;x&#42;</code></summary>",
    );
  });
});

describe("a marker", () => {
  it("is a comment that no word can end", () => {
    expect(hiddenMarker(["loadform-plan", "web--shop --> x\n"])).toBe(
      "<!-- loadform-plan web-%2Dshop%20-%2D%3E%20x%0A -->",
    );
  });
});

describe("a limit", () => {
  const part = (size: number, optional?: string) => ({ text: "x".repeat(size), ...(optional && { optional }) });

  it("leaves everything in when there is room", () => {
    expect(fitMarkdown([part(3), part(2, "b")], 100)).toBe("xxx\n\nxx\n");
  });

  it("leaves out what does not fit, keeps what does, and says what is missing where it is missing", () => {
    const parts = [part(10), part(20_000, "`a`"), part(500, "`b`"), part(20_000, "`c`"), part(5)];
    const text = fitMarkdown(parts, 10_000);
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(text.split("\n\n").map((each) => (each.startsWith("x") ? each.trim().length : each))).toEqual([
      10,
      "> **Left out for length:** `a`, `c`.",
      500,
      5,
    ]);
  });

  it("counts what it does not name", () => {
    const many = Array.from({ length: 500 }, (_, index) => part(1_000, `\`part ${index}\``));
    const text = fitMarkdown([part(10), ...many], 8_000);
    expect(text).toMatch(/Left out for length:\*\* `part 3`(, `part \d+`){9}, 487 more\./);
    const long = fitMarkdown([part(10), part(9_000, "y".repeat(5_000))], 8_000);
    expect(long).toContain("Left out for length:** 1 part.");
  });
});
