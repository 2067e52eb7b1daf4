import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe.skipIf(!isDeep)("the package as npm installs it", () => {
  beforeAll(async () => {
    const packed = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
    const { stdout } = await run("npm", packed, { cwd: repository });
    tarball = join(folder, JSON.parse(stdout)[0].filename);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
