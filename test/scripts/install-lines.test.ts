// merge: through the tarball of npm pack, installed as the pages say
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partsOf } from "../docs/page-parts.ts";
import { isDeep } from "../support/deep.ts";
import { newcomersEnv as env, hasRegistry, minutes } from "../support/newcomer.ts";
import { repository } from "../support/source-files.ts";

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { readonly version: string };
const root = realpathSync(mkdtempSync(join(tmpdir(), "install-lines-")));
if (!hasRegistry) console.log("SKIPPED: no package registry answers, so the install lines of the pages were not run");
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Pages that install the tarball, with the folder in which their reader is: the clone, beside it, or in a project beside it. */
const installing = [
  ["README.md", "loadform"],
  ["docs/getting-started.md", "."],
  ["docs/testing-programs.md", "."],
] as const;
/** Those of docs/testing-programs.md are those of docs/getting-started.md with vitest, beside which installed-package.test.ts installs and runs it. */
const pages = isDeep ? installing : installing.slice(0, 2);

describe.skipIf(!hasRegistry)(
  "the install lines of a page, as they are written, beside a clone and nothing else",
  () => {
    const folder = join(root, "as-written");

    beforeAll(async () => {
      await run("node", ["scripts/prepare.js"], { cwd: repository, env });
      await cloneInto(folder);
    });

    it.each(pages)("%s", { timeout: 4 * minutes }, async (page, start) => {
      for (const name of ["my-tests", "shops"]) rmSync(join(folder, name), { recursive: true, force: true });
      // What `npm ci` does in the clone is done, and its scripts built what is packed.
      const commands = installLinesOf(page).replaceAll("npm ci && ", "");
      const quick = { npm_config_audit: "false", npm_config_fund: "false", npm_config_prefer_offline: "true" };
      const bare = { ...env, ...quick, npm_config_ignore_scripts: "true" };
      const { stdout } = await run("bash", ["-ec", commands], { cwd: join(folder, start), env: bare });
      expect(stdout).toContain("Next:\n  loadform validate");
    });
  },
);

/** The commands of a page from its first that matters to installing up to the start of a project; without its other way to install. */
function installLinesOf(page: string): string {
  const blocks = partsOf(readFileSync(join(repository, page), "utf8")).flatMap((part) =>
    part.is === "fence" && part.fence.language === "sh" ? [part.fence.text] : [],
  );
  const last = blocks.findIndex((text) => text.includes("npx --no loadform init"));
  const pack = blocks.findIndex((text) => text.includes("npm pack"));
  const first = blocks.slice(0, pack).findLastIndex((text) => text.startsWith("mkdir "));
  return blocks
    .slice(first < 0 ? pack : first, last + 1)
    .filter((text) => !text.includes("git+https:"))
    .join("\n");
}

/** What `npm pack` takes from a clone, under the name that a clone has. */
async function cloneInto(folder: string): Promise<void> {
  mkdirSync(folder);
  const packing = ["pack", "--ignore-scripts", "--pack-destination", folder];
  await run("npm", packing, { cwd: repository, env });
  await run("tar", ["-xzf", `loadform-${version}.tgz`], { cwd: folder });
  rmSync(join(folder, `loadform-${version}.tgz`));
  renameSync(join(folder, "package"), join(folder, "loadform"));
}
