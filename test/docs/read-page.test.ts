import { describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";

const fence = (language: string, ...lines: readonly string[]) => [`\`\`\`${language}`, ...lines, "```"].join("\n");
const read = (...parts: readonly string[]) => readPage("a.md", parts.join("\n"));

describe("a page", () => {
  it("runs its sh blocks, with the line at which they stand and the output that follows", () => {
    const { steps, problems } = read(
      "# A",
      fence("sh", "one", "two"),
      "It says:",
      fence("", "out"),
      fence("sh", "three"),
    );
    expect(steps).toEqual([
      { is: "run", line: 3, commands: "one\ntwo\n", exit: 0, output: { line: 8, text: "out\n" } },
      { is: "run", line: 11, commands: "three\n", exit: 0 },
    ]);
    expect(problems).toEqual([]);
  });

  it("writes and edits files, runs what readers do not see, and knows about exit codes", () => {
    const { steps } = read(
      "<!-- file: a/b.yaml -->",
      fence("yaml", "x: 1"),
      "<!-- edit: a/b.yaml -->",
      "",
      fence("diff", "-x: 1", "+x: 2"),
      "<!-- run",
      "hidden",
      "-->",
      "<!-- exit: 3 -->",
      fence("sh", "loadform"),
      "<!-- output -->",
      fence("json", "{}"),
    );
    expect(steps).toEqual([
      { is: "file", line: 3, path: "a/b.yaml", text: "x: 1\n" },
      { is: "edit", line: 8, path: "a/b.yaml", text: "-x: 1\n+x: 2\n" },
      { is: "run", line: 12, commands: "hidden\n", exit: 0 },
      { is: "run", line: 16, commands: "loadform\n", exit: 3, output: { line: 20, text: "{}\n" } },
    ]);
  });

  it("says what it leaves out and why", () => {
    const { steps, leftOut } = read(
      "<!-- leave out: npm ci && : no registry: offline -->",
      fence("sh", "npm ci && loadform"),
      "<!-- not run: it is a sketch -->",
      fence("", "a", "b"),
    );
    expect(steps).toMatchObject([{ commands: "loadform\n" }]);
    expect(leftOut).toEqual([
      { text: "npm ci && ", reason: "no registry: offline" },
      { text: "a", reason: "it is a sketch" },
    ]);
  });

  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    ["a block without a purpose", [fence("yaml", "x: 1")], "a.md:2: a block that is neither run"],
    ["an output of nothing", ["text", fence("", "out")], "a.md:3: a block that is neither run"],
    ["an output of what is not run", ["<!-- not run: x -->", fence("sh", "a"), fence("", "b")], "a.md:6: a block"],
    ["a mark with a typing error", ["<!-- exti: 1 -->", fence("sh", "a")], "a.md:3: no such mark: exti"],
    [
      "a part to leave out that is not there",
      ["<!-- leave out: b: c -->", fence("sh", "a")],
      'a.md:3: "b" is to be left out',
    ],
  ];
  it.each(wrong)("is refused for %s", (_title, parts, words) => {
    expect(read(...parts).problems).toEqual([expect.stringContaining(words)]);
  });

  it("forgets a mark when text stands between it and a block", () => {
    expect(read("<!-- not run: x -->", "text", fence("sh", "a")).steps).toHaveLength(1);
  });

  it("takes hidden commands and marks from beside it, each before the block that begins so", () => {
    const hidden = ["@ same", "<!-- run", "one", "-->", "@ same", "<!-- run", "two", "-->", "<!-- output -->"].join(
      "\n",
    );
    const page = [fence("sh", "same"), fence("yaml", "same")].join("\n");
    expect(readPage("a.md", page, hidden)).toEqual({
      steps: [
        { is: "run", line: 2, commands: "one\n", exit: 0 },
        { is: "run", line: 2, commands: "same\n", exit: 0 },
        { is: "run", line: 5, commands: "two\n", exit: 0, output: { line: 5, text: "same\n" } },
      ],
      leftOut: [],
      problems: [],
    });
    expect(() => readPage("a.md", page, "@ other\n")).toThrow('no block begins with "other"');
  });

  it("is refused when a block has no end", () => {
    expect(() => read("```sh", "a")).toThrow("line 1");
  });
});
