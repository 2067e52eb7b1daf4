// merge: through the tarball of npm pack, installed outside the clone
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyExample } from "../support/copy-example.ts";
import { isDeep } from "../support/deep.ts";
import { repository } from "../support/source-files.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "packed-"));
let tarball = "";

const program = (library: string) => `import { App, TerraformStack, Testing } from "${library}";
import type { Construct } from "constructs";
import { provider, testCase } from "loadform/${library}";
import { Scenario } from "loadform/${library}/scenario";

class Shop extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new provider.LoadformProvider(this, "loadform");
    const checkout = new testCase.TestCase(this, "checkout", { name: "Checkout" });
    new Scenario(this, "browse", { testCaseId: checkout.id, name: "Browse", script: "\`\${url}\`" });
  }
}
console.log(Testing.synth(new Shop(new App(), "shop")));
`;

if (!isDeep) console.log("SKIPPED: the packed package is installed with cdktf and cdktn by `npm run test:deep` only");

beforeAll(async () => {
  if (!isDeep) return;
  const packed = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", packed, { cwd: repository });
  tarball = join(folder, JSON.parse(stdout)[0].filename);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isDeep)("the package as npm installs it", () => {
  it.each([
    ["cdktf alone", ["cdktf@0.21.0"]],
    ["cdktf with an older constructs", ["cdktf@0.21.0", "constructs@10.4.2"]],
    ["cdktn alone", ["cdktn@0.24.0"]],
    ["both", ["cdktf@0.21.0", "cdktn@0.24.0"]],
  ])("with %s has one constructs and synthesizes, types included", async (name, packages) => {
    const project = await install(name, packages);
    expect(copiesOf("constructs", project)).toHaveLength(1);
    for (const library of packages.map((each) => each.split("@")[0] ?? "").filter((each) => each !== "constructs")) {
      const { resource } = JSON.parse(await synthesize(project, library));
      expect(resource.loadform_scenario.browse).toMatchObject({
        script: "`$${url}`",
        test_case_id: "${loadform_test_case.checkout.id}",
      });
    }
  });

  it("takes cdktn under the name of cdktf, as docs/cdktf.md says it", async () => {
    const dependencies = { cdktf: "npm:cdktn@0.24.0" };
    const project = await install("alias", [], { dependencies, overrides: { cdktf: "$cdktf" } });
    const { resource } = JSON.parse(await synthesize(project, "cdktf"));
    expect(resource.loadform_scenario.browse.script).toBe("`$${url}`");
  });

  it("without either says what to install", async () => {
    const project = await install("neither", []);
    for (const library of ["cdktf", "cdktn"]) {
      const asked = run(process.execPath, ["-e", `require("loadform/${library}/scenario")`], { cwd: project });
      await expect(asked).rejects.toThrow(new RegExp(`loadform/${library} needs the package ${library}.*npm install`));
    }
  });
});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const takesCdktnCli = major > 22 || (major === 22 && minor >= 19);
if (isDeep && !takesCdktnCli) console.log(`SKIPPED: \`cdktn synth\` needs Node 22.19, and this is ${process.version}`);

const tools: readonly (readonly [library: string, packages: readonly string[], canRun: boolean])[] = [
  ["cdktf", ["cdktf@0.21.0", "cdktf-cli@0.21.0", "constructs"], true],
  ["cdktn", ["cdktn@0.24.0", "cdktn-cli@0.24.0", "constructs"], takesCdktnCli],
];

describe.each(tools)("a copy of examples/cdktf with the command line of %s", (library, packages, canRun) => {
  it.skipIf(!(isDeep && canRun))("is synthesized by it and planned by loadform", { timeout: 600_000 }, async () => {
    const project = await install(`${library} with its command line`, packages);
    copyExample("cdktf", project);
    const main = readFileSync(join(project, "main.ts"), "utf8").replace('"cdktf"', `"${library}"`);
    writeFileSync(join(project, "main.ts"), main.replace("loadform/cdktf", `loadform/${library}`));
    const settings = { language: "typescript", app: "npx jiti main.ts", projectId: "loadform-test" };
    const written = JSON.stringify({ ...settings, targetVersions: { terraform: ">=1.11.0", opentofu: ">=1.11.0" } });
    writeFileSync(join(project, "cdktf.json"), written);
    const env = { ...process.env, CHECKPOINT_DISABLE: "1", CI: "1", HOME: project, LOADFORM_URL: "memory:" };
    await run("npx", [library, "synth"], { cwd: project, env });
    expect(readFileSync(join(project, "cdktf.json"), "utf8")).toBe(written);
    const { resource } = JSON.parse(readFileSync(join(project, "cdktf.out/stacks/webshop/cdk.tf.json"), "utf8"));
    expect(Object.keys(resource)).toHaveLength(6);
    const { stdout } = await run("npx", ["loadform", "plan"], { cwd: project, env });
    expect(stdout).toContain("Plan: 5 to create");
  });
});

async function install(name: string, packages: readonly string[], more: object = {}): Promise<string> {
  const project = mkdtempSync(join(folder, `${name.replaceAll(" ", "-")}-`));
  const manifest = { name: "user", private: true, type: "module", ...more };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  const flags = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, tarball, ...packages], { cwd: project });
  return project;
}

/** Compiles a typed program in the project and runs it. */
async function synthesize(project: string, library: string): Promise<string> {
  const folderOfProgram = mkdtempSync(join(project, "program-"));
  writeFileSync(join(folderOfProgram, "main.ts"), program(library));
  const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "", "--skipLibCheck"];
  const tsc = join(repository, "node_modules/.bin/tsc");
  await run(tsc, [...options, "main.ts"], { cwd: folderOfProgram });
  const { stdout } = await run(process.execPath, ["main.js"], { cwd: folderOfProgram });
  return stdout;
}

function copiesOf(name: string, project: string): readonly string[] {
  return readdirSync(join(project, "node_modules"), { recursive: true, encoding: "utf8" }).filter(
    (path) => `/${path}`.endsWith(`/${name}/package.json`) && !path.includes("lib/"),
  );
}
