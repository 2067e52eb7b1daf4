import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { isDeep } from "../support/deep.ts";
import { repository } from "../support/source-files.ts";

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
const tarball = `vendor/loadform-${version}.tgz`;
const root = realpathSync(mkdtempSync(join(tmpdir(), "installed-")));
/** What a newcomer's shell has: nothing of what npm tells the scripts that it runs, and none of our own variables. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_registry)|INIT_CWD$|NODE_|LOADFORM_|VITEST)/.test(name),
  ),
);
const minutes = 60_000;
const hasRegistry = spawnSync("npm", ["view", "yaml@2.9.1", "version"], { env, timeout: minutes / 4 }).status === 0;
if (!hasRegistry) console.log("SKIPPED: no package registry answers, so the packed package was not installed");
if (!isDeep) console.log("SKIPPED: loadform is installed from a git URL by `npm run test:deep` only");

afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each(["README.md", "docs/getting-started.md", "docs/ci.md", "docs/cdktf.md"])("%s names this version", (page) => {
  const text = readFileSync(join(repository, page), "utf8");
  expect([...new Set(text.match(/vendor\/loadform-\S+?\.tgz/g))]).toEqual([tarball]);
  expect(text).not.toMatch(/npm (install|i)( --?[\w-]+)* "?loadform["@ \n]/);
});

describe.skipIf(!hasRegistry)("a folder outside the clone", () => {
  it("starts with the tarball of npm pack vendored beside the project, as docs/getting-started.md says", async () => {
    const project = emptyProject("tarball");
    mkdirSync(join(project, "vendor"));
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", join(project, "vendor")], {
      cwd: repository,
      env,
    });
    await run("npm", ["install", "--save-dev", `./${tarball}`], { cwd: project, env });
    await expectFirstSteps(project);
  });

  it.skipIf(!isDeep)(
    "starts with a git URL: npm clones the commit and builds it",
    { timeout: 20 * minutes },
    async () => {
      const origin = join(root, "loadform.git");
      await run("git", ["clone", "--quiet", "--bare", repository, origin], { env });
      const { stdout: head } = await run("git", ["rev-parse", "HEAD"], { cwd: repository, env });
      const project = emptyProject("git-url");
      const url = `git+file://${origin}#${head.trim()}`;
      await run("npm", ["install", "--save-dev", url], { cwd: project, env });
      await expectFirstSteps(project);
    },
  );
});

function emptyProject(name: string): string {
  const project = join(root, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }\n');
  return project;
}

/** The first commands of a newcomer, each a process, with nothing of the clone within reach. */
async function expectFirstSteps(project: string): Promise<void> {
  expect(existsSync(join(project, "node_modules", "vitest"))).toBe(false);
  const npx = async (...args: readonly string[]) =>
    (await run("npx", ["--no", "loadform", ...args], { cwd: project, env })).stdout;
  expect(await npx("init")).toContain("A small project on the bundled service:");
  expect(await npx("validate")).toContain("4 objects, no problems.");
  expect(await npx("plan")).toContain("Plan: 4 to create, 0 to update, 0 to delete, 0 unchanged.");
  expect(await npx("apply", "--auto-approve")).toContain("Applied: 4 created, 0 updated, 0 deleted.");
  expect(await npx("plan")).toContain("No changes: 4 objects are as declared.");
}
