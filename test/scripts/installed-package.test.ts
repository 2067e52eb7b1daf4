// merge: through the tarball of npm pack, installed outside the clone
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, type PluginBuild } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Installation } from "../docs/page-folder.ts";
import { readPage } from "../docs/read-page.ts";
import { runPage } from "../docs/run-page.ts";
import { tellStory } from "../service/support/service-story.ts";
import { isDeep } from "../support/deep.ts";
import { newcomersEnv as env, hasRegistry, minutes, newcomersJobs } from "../support/newcomer.ts";
import { readSources, repository } from "../support/source-files.ts";
import { hasTerraform } from "../support/terraform/real-terraform.ts";

const run = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const { version } = manifest;
/** Installed beside it, for docs/testing-programs.md. */
const { vitest } = manifest.devDependencies;
const tarball = `vendor/loadform-${version}.tgz`;
const root = realpathSync(mkdtempSync(join(tmpdir(), "installed-")));
if (!hasRegistry) console.log("SKIPPED: no package registry answers, so the packed package was not installed");
if (!isDeep) console.log("SKIPPED: loadform is installed from a git URL by `npm run test:deep` only");

beforeAll(async () => {
  if (!hasRegistry) return;
  mkdirSync(join(root, "vendor"));
  // What is packed is what is built: nothing is done where that is of the sources as they are.
  await run("node", ["scripts/prepare.js"], { cwd: repository, env });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", join(root, "vendor")], { cwd: repository, env });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each(["README.md", "docs/getting-started.md", "docs/ci.md", "docs/cdktf.md"])("%s names this version", (page) => {
  const text = readFileSync(join(repository, page), "utf8");
  expect([...new Set(text.match(/vendor\/loadform-\S+?\.tgz/g))]).toEqual([tarball]);
  expect(text).not.toMatch(/npm (install|i)( --?[\w-]+)* "?loadform["@ \n]/);
});

describe.skipIf(!hasRegistry)(
  "with the tarball of npm pack, installed outside the clone as docs/getting-started.md says",
  () => {
    const project = join(root, "tarball");

    beforeAll(async () => {
      emptyProject(project);
      cpSync(join(root, "vendor"), join(project, "vendor"), { recursive: true });
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

    it.each(newcomersJobs)("%s: %s", async (_job, page) => expectPage(page, installedIn(project)));

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

describe.skipIf(!hasRegistry)("with the tarball alone, installed in an empty folder", () => {
  const project = join(root, "alone");
  const packages = join(project, "node_modules");
  const execute = (name: string, ...args: readonly string[]) =>
    run(process.execPath, [join(project, name), ...args], { cwd: project, env });

  beforeAll(async () => {
    emptyProject(project);
    await run("npm", ["install", "--no-audit", "--no-fund", join(root, tarball)], { cwd: project, env });
  });

  it("it weighs at most 30 MB, in five packages of which none has an install script", () => {
    const lock = JSON.parse(readFileSync(join(packages, ".package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
    };
    const names = Object.keys(lock.packages).map((path) => path.replace("node_modules/", ""));
    expect(names).toEqual(["@types/node", "constructs", "jiti", "loadform", "undici-types"]);
    expect(Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    // A third of it from a fresh clone; dist/ of a clone in use has chunks of earlier builds too.
    expect(bytesBelow(packages)).toBeLessThan(30_000_000);
  });

  it("the licence of every package that is bundled is in one file", () => {
    const text = readFileSync(join(packages, "loadform/dist/THIRD-PARTY-LICENSES.txt"), "utf8");
    const sections = text.split(`${"=".repeat(80)}\n`).slice(1);
    for (const section of sections) expect(section).toMatch(/^(\S+) \d.*\n\n[\s\S]*copyright/i);
    const named = sections.map((section) => section.split(" ")[0] ?? "");
    const own = ["loadform", ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })];
    expect(named.filter((name) => own.includes(name))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(importedPackages().filter((name) => !own.includes(name))));
    // What those bring along, and what the texts in gen/ are bundled from.
    expect(named).toEqual(
      expect.arrayContaining([
        "@bufbuild/protobuf",
        "@js-sdsl/ordered-map",
        "@noble/hashes",
        "ajv",
        "linebreak",
        "moment",
        "ws",
      ]),
    );
  });

  it("the bundled service gives what that of the sources gives, PDF and archives byte for byte", async () => {
    const installed = { name: "installed", setup: serviceAsInstalled };
    await build({
      entryPoints: [join(repository, "test/service/support/print-story.ts")],
      outfile: join(project, "story.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      plugins: [installed],
      logLevel: "error",
    });
    const { stdout } = await execute("story.mjs", "1");
    const { service, begin, finish } = tellStory(1);
    expect(JSON.parse(stdout)).toEqual({ begun: await begin(), finished: await finish() });
    await service.close();
  });

  it("its dispatcher needs no undici beside it, and a thumbnail names the package that it misses", async () => {
    writeFileSync(join(project, "service.mjs"), serviceProgram);
    const { stdout } = await execute("service.mjs");
    expect(JSON.parse(stdout)).toEqual({
      statuses: [200, 200],
      thumbnail: ["image/png", expect.stringContaining("npm install sharp")],
    });
  });

  it("types of its doors need no package but those of Node", async () => {
    const lines = Object.entries({ "": "App", "/service": "createService", "/client": "createClient" });
    const text = lines.map(([door, name]) => `export { ${name} } from "loadform${door}";`);
    const dispatched =
      'import type { Service } from "loadform/service";\nexport type Status = Awaited<ReturnType<Service["dispatcher"]["request"]>>["statusCode"];\nexport const status: Status = 200;\nexport const isNumber: number extends Status ? true : false = true;';
    writeFileSync(join(project, "doors.mts"), [...text, dispatched].join("\n"));
    const types = ["--types", "node", "--typeRoots", join(repository, "node_modules/@types")];
    const options = [
      "--noEmit",
      "--strict",
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--skipLibCheck",
      "false",
      ...types,
    ];
    const tsc = run(join(repository, "node_modules/.bin/tsc"), [...options, "doors.mts"], { cwd: project, env });
    expect(await tsc.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({ stdout: "" });
  });
});

const serviceProgram = `import { createService } from "loadform/service";
const service = createService({ apiKey: "key" });
const headers = { "x-api-key": "key", "content-type": "application/json" };
const call = async (method, path, body) => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch("http://anywhere.test" + path, { method, headers, dispatcher: service.dispatcher, ...init });
};
await call("POST", "/test-cases", { name: "Checkout", org: 1 });
await call("POST", "/test-cases/1/scripts", { name: "Browse", main: "go()" });
const stored = await call("POST", "/scripts/1/data-stores/contents", { name: "shot.png", contents: "AAAA" });
const asked = await service.dispatcher.request({ origin: "http://anywhere.test", path: "/test-cases", method: "GET", headers });
const thumbnail = await call("GET", "/data-stores/1/thumbnail");
const said = ["content-type", "x-loadform-thumbnail"].map((name) => thumbnail.headers.get(name));
console.log(JSON.stringify({ statuses: [stored.status, asked.statusCode], thumbnail: said }));
`;

/** For esbuild: the service is taken from the package, all else of the program from the sources. */
function serviceAsInstalled({ onResolve }: PluginBuild): void {
  onResolve({ filter: /src\/service\/index\.ts$/ }, () => ({ path: "loadform/service", external: true }));
}

/** The packages that the sources load. */
function importedPackages(): readonly string[] {
  const loaded = readSources().flatMap(({ imports }) => imports.filter(({ isTypeOnly }) => !isTypeOnly));
  const names = loaded.map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "");
  return [...new Set(names.filter((name) => /^[@a-z]/.test(name) && !name.startsWith("node:")))];
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

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
