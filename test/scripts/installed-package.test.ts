// merge: through the tarball of npm pack, installed outside the clone
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Installation } from "../docs/page-folder.ts";
import { readPage } from "../docs/read-page.ts";
import { runPage } from "../docs/run-page.ts";
import { isDeep } from "../support/deep.ts";
import { repository } from "../support/source-files.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";

const run = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const { version } = manifest;
/** Installed beside it, for docs/testing-programs.md. */
const { vitest } = manifest.devDependencies;
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

/** The jobs of somebody who is new here; each is a page that begins in an empty folder, with commands and outputs as they are read. */
const jobs = [
  ["a YAML project, from nothing to applied, changed and taken back", "docs/getting-started.md"],
  ["a plan on a pull request, an apply on main, a look for drift at night", "docs/ci.md"],
  ["taking over what exists", "docs/adopting.md"],
  ["finding what was changed by hand, putting it back, accepting it", "docs/drift.md"],
  ["a project in TypeScript", "docs/reference-typescript.md"],
  ["unit tests of a project in TypeScript", "docs/testing-programs.md"],
] as const;

describe.skipIf(!hasRegistry)(
  "with the tarball of npm pack, installed outside the clone as docs/getting-started.md says",
  () => {
    const project = join(root, "tarball");

    beforeAll(async () => {
      emptyProject(project);
      mkdirSync(join(project, "vendor"));
      // What is packed is what is built: nothing is done where that is of the sources as they are.
      await run("node", ["scripts/prepare.js"], { cwd: repository, env });
      const packing = ["pack", "--ignore-scripts", "--pack-destination", join(project, "vendor")];
      await run("npm", packing, { cwd: repository, env });
      const installing = ["install", "--save-dev", "--no-audit", "--no-fund", `./${tarball}`, `vitest@${vitest}`];
      await run("npm", installing, { cwd: project, env });
    });

    it("loadform is there, with nothing of what only its clone has", async () => {
      const { stdout } = await run(join(project, "node_modules/.bin/loadform"), ["--version"], { cwd: project, env });
      expect(stdout).toBe(`${version}\n`);
      const packages = readdirSync(join(project, "node_modules"));
      expect(packages).toEqual(expect.arrayContaining(["loadform", "vitest"]));
      expect(packages).not.toContain("fast-check");
      expect(readdirSync(join(project, "node_modules/loadform"))).not.toContain("test");
    });

    it("the provider is put where terraform init finds it, as docs/terraform.md says", async () => {
      const command = "node node_modules/loadform/scripts/install-provider.js";
      expect(readFileSync(join(repository, "docs/terraform.md"), "utf8")).toContain(`\n${command}\n`);
      const home = join(project, "home");
      const { stdout } = await run("sh", ["-c", command], { cwd: project, env: { ...env, HOME: home } });
      expect(stdout).toContain("find it there by themselves");
      if (!hasTerraform) return;
      const constraint = `{ source = "loadform/loadform", version = "${version}" }`;
      writeFileSync(join(project, "main.tf"), `terraform {\n  required_providers { loadform = ${constraint} }\n}\n`);
      const bare = { ...env, HOME: home, HTTPS_PROXY: "http://127.0.0.1:9", CHECKPOINT_DISABLE: "1" };
      const initialized = await run("terraform", ["init", "-no-color"], { cwd: project, env: bare });
      expect(initialized.stdout).toContain(`Installed loadform/loadform v${version}`);
    });

    it.each(jobs)("%s: %s", async (_job, page) => expectPage(page, installedIn(project)));

    it("the programs of the pages have no type errors", async () => {
      const folder = join(project, "typed");
      for (const page of ["docs/reference-typescript.md", "docs/testing-programs.md"]) {
        rmSync(folder, { recursive: true, force: true });
        await run("npx", ["--no", "loadform", "init", "--format", "ts", folder], { cwd: project, env });
        for (const step of pageOf(page).steps)
          if (step.is === "file") writeFileSync(join(folder, step.path), step.text);
        const tsc = run(join(repository, "node_modules/.bin/tsc"), ["--project", folder], { cwd: folder, env });
        expect(await tsc.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({ stdout: "" });
      }
    });
  },
);

describe.skipIf(!hasRegistry || !isDeep)("with a git URL, of which npm clones the commit and builds it", () => {
  it("loadform does what docs/getting-started.md says", { timeout: 20 * minutes }, async () => {
    const origin = join(root, "loadform.git");
    await run("git", ["clone", "--quiet", "--bare", repository, origin], { env });
    const { stdout: head } = await run("git", ["rev-parse", "HEAD"], { cwd: repository, env });
    const project = join(root, "git-url");
    emptyProject(project);
    await run("npm", ["install", "--save-dev", `git+file://${origin}#${head.trim()}`], { cwd: project, env });
    await expectPage("docs/getting-started.md", installedIn(project));
  });
});

function emptyProject(project: string): void {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }\n');
}

/** The loadform in a project; of the clone there are the examples, which the pages copy, and nothing else. */
function installedIn(project: string): Installation {
  const clone = join(project, "clone");
  if (!existsSync(clone)) {
    const isOwn = (path: string) => !path.includes(".loadform");
    cpSync(join(repository, "examples"), join(clone, "examples"), { recursive: true, filter: isOwn });
    symlinkSync(join(project, "node_modules"), join(clone, "node_modules"));
  }
  const dependencies = join(project, "node_modules");
  return { home: join(dependencies, "loadform"), dependencies, repository: clone };
}

function pageOf(name: string) {
  return readPage(name, readFileSync(join(repository, name), "utf8"));
}

async function expectPage(name: string, installation: Installation): Promise<void> {
  const { problems } = await runPage(name, pageOf(name), { installation });
  if (problems.length > 0) expect.fail(problems.join("\n\n"));
}
