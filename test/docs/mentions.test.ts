import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";
import { repository } from "../support/source-files.ts";

const names = ["README.md", ...readdirSync(join(repository, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);
const pages = names.map((name) => ({ name, text: readFileSync(join(repository, name), "utf8") }));

/**
 * What is wrong with a command line in running text. Words in capitals stand for any value, and a flag at the end may lack its
 * value.
 */
function problemOf(command: string): string | undefined {
  const words = [...command.replace(/ [<>|&].*$/, "").matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? "",
  );
  const typed = words.slice(words.indexOf("loadform") + 1).filter((word) => word !== "…");
  if (commandTable.some(({ name }) => name === typed.join(" "))) return undefined;
  const values = typed.map((word) => (/^[A-Z]+$/.test(word) ? "1" : word));
  const lines = [values, [...values, "1"]].map((argv) => parseCommandLine(argv, commandTable));
  const problems = lines.map((line) => (line.is === "wrong" ? line.diagnostics : []));
  if (problems.some((each) => each.length === 0)) return undefined;
  return problems[0]?.map(({ summary, detail }) => `${summary}: ${detail}`).join("; ");
}

describe("every page", () => {
  it.each(pages)("$name names only commands and flags that there are", ({ text }) => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
    const commands = [...prose.matchAll(/`((?:npx )?loadform [^`]+)`/g)].map(([, command = ""]) => command);
    const wrong = commands.flatMap((command) => {
      const problem = problemOf(command.replace(/\s+/g, " "));
      return problem === undefined ? [] : [`${command}: ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each(pages)("$name links only to pages and headings that there are", ({ name, text }) => {
    const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
    const links = [...prose.matchAll(/\]\(([^):]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !leadsSomewhere(name, link))).toEqual([]);
  });
});

function leadsSomewhere(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : join(from, "..", path);
  try {
    const text = readFileSync(join(repository, target), "utf8");
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title));
    return anchor === undefined || headings.includes(anchor);
  } catch {
    return false;
  }
}

/** As GitHub and GitLab make it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
