// merge: every command of every page
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isDeep, isVerify } from "../support/deep.ts";
import { hasRegistry, newcomersJobs } from "../support/newcomer.ts";
import { repository } from "../support/source-files.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";
import { type Output, type Page, readPage } from "./read-page.ts";
import { runPage } from "./run-page.ts";

const names = ["README.md", ...readdirSync(join(repository, "docs")).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith(".md"),
);
const pages = names.map((name) => ({
  name,
  page: readPage(name, readFileSync(join(repository, name), "utf8"), hiddenStepsOf(name)),
}));
const isRenewing = process.env["UPDATE_DOCS"] === "1";

/** Before a merge these are run by the tarball of npm pack, in test/scripts/installed-package.test.ts, and need not be run by the sources too. */
const withTarball: readonly string[] =
  isVerify && !isDeep && hasRegistry && !isRenewing ? newcomersJobs.map(([, page]) => page) : [];

describe("every command of every page runs, and prints what the page says (UPDATE_DOCS=1 writes what it prints)", () => {
  const running = pages.filter(
    ({ name, page }) => page.steps.length > 0 && (hasTerraform || !needsTerraform(page)) && !withTarball.includes(name),
  );
  it.each(running)("$name", async ({ name, page }) => {
    const { problems, renewed } = await runPage(name, page, { isRenewing });
    if (isRenewing) renew(name, renewed);
    if (problems.length > 0) expect.fail(problems.join("\n\n"));
  });
});

describe("what is not run", () => {
  it("is marked, each with its reason, and only this", async () => {
    const listed = pages.flatMap(({ name, page }) => listLeftOut(name, page));
    const count = pages.reduce((sum, { page }) => sum + page.leftOut.length, 0);
    console.log(`Not run: ${count} blocks, listed in test/docs/not-run.txt`);
    await expect(`${listed.join("\n")}\n`).toMatchFileSnapshot("not-run.txt");
  });

  it("is nothing else", () => {
    expect(pages.flatMap(({ page }) => page.problems)).toEqual([]);
  });
});

/** What stands beside a page that is to be read as it is, by the page's name. */
function hiddenStepsOf(name: string): string {
  const path = join(repository, "test/docs/hidden", `${name.replaceAll("/", "-")}.txt`);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** Whether a page runs Terraform, which not every machine has: see test/support/terraform/real-terraform.ts. */
function needsTerraform({ steps }: Page): boolean {
  return steps.some((step) => step.is === "run" && step.commands.includes("loadform terraform -- "));
}

/** What a page leaves out, by reason; many with the same reason are only counted. */
function listLeftOut(name: string, { leftOut }: Page): readonly string[] {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))];
  return reasons.map((reason) => {
    const texts = leftOut.filter((each) => each.reason === reason).map(({ text }) => text.trim());
    return `${name}: ${texts.length > 3 ? `${texts.length} blocks` : texts.join(" | ")} (${reason})`;
  });
}

/** Writes outputs onto their page, from its end. */
function renew(name: string, renewed: readonly { readonly output: Output; readonly text: string }[]): void {
  const path = join(repository, name);
  const lines = readFileSync(path, "utf8").split("\n");
  for (const { output, text } of [...renewed].reverse()) {
    const count = output.text.split("\n").length - 1;
    lines.splice(output.line - 1, count, ...text.trimEnd().split("\n"));
  }
  writeFileSync(path, lines.join("\n"));
}
