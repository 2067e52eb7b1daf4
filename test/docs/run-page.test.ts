import { describe, expect, it } from "vitest";
import { readPage } from "./read-page.ts";
import { runPage } from "./run-page.ts";

const fence = (language: string, ...lines: readonly string[]) => [`\`\`\`${language}`, ...lines, "```"].join("\n");
const run = (...parts: readonly string[]) => runPage("a.md", readPage("a.md", parts.join("\n")));

describe("running a page", () => {
  it("keeps folder, variables and background jobs from block to block, and starts in an empty folder", async () => {
    const { problems } = await run(
      fence("sh", "ls -A"),
      fence("", ""),
      fence("sh", "mkdir sub && cd sub", "name=ada", "sleep 60 &"),
      "<!-- file: deep/x.txt -->",
      fence("text", "one", "two"),
      "<!-- edit: deep/x.txt -->",
      fence("diff", " one", "-two", "+three"),
      fence("sh", 'echo "$name"', "kill %1", "pwd", "cat deep/x.txt"),
      fence("", "ada", "/home/you/sub", "one", "three"),
    );
    expect(problems).toEqual([]);
  });

  it("has loadform and npx loadform at hand, and free ports in place of those of the page", async () => {
    const { problems } = await run(
      fence("sh", "loadform --version", "npx loadform --version", "echo :8080"),
      fence("", "0.1.0", "0.1.0", ":8080"),
    );
    expect(problems).toEqual([]);
  });

  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    [
      "another output, with the line of the page",
      [fence("sh", "printf 'a\\nb\\n'"), fence("", "a", "c")],
      "a.md:6: expected: c\ngot:      b",
    ],
    [
      "a command that fails, in the middle too",
      [fence("sh", "true", "(exit 7)", "echo unreached")],
      "a.md:3: expected each command to exit 0; got exit 7 from\n  (exit 7)",
    ],
    [
      "a command that should have failed",
      ["<!-- exit: 3 -->", fence("sh", "true")],
      "a.md:3: expected the last command to exit 3; got exit 0",
    ],
    [
      "another command that fails than the last",
      ["<!-- exit: 3 -->", fence("sh", "(exit 3)", "true")],
      "a.md:3: expected the last command to exit 3; got exit 3",
    ],
    [
      "an edit of lines that are not there",
      ["<!-- edit: x -->", fence("diff", "-a", "+b")],
      "a.md:3: expected the lines",
    ],
    ["a block that ends the shell", [fence("sh", "exit 0")], "a.md:2: expected each command to exit 0; got exit 1"],
  ];
  it.each(wrong)("tells of %s", async (_title, parts, words) => {
    const { problems } = await run(...parts);
    expect(problems).toEqual([expect.stringContaining(words)]);
  });
});
