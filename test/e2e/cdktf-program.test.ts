// merge: real programs of cdktf in processes; test/cdktf and test/bridge read what they write.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";

const require = createRequire(import.meta.url);

/** A program that writes what cdktf would, without it. */
const fake = `
const fs = require("fs"), path = require("path");
const write = (name, value) => {
  const file = path.join(process.env.CDKTF_OUTDIR, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(value));
};
console.log("synthesizing");
const metadata = (path) => ({ "//": { metadata: { path } } });
write("stacks/shop/cdk.tf.json", {
  provider: { loadform: [{ url: "memory:.loadform/service.json" }] },
  variable: { token: { sensitive: true } },
  resource: {
    loadform_test_case: { checkout: { ...metadata("shop/checkout"), name: process.env.CASE_NAME } },
    loadform_scenario: { browse: { ...metadata("shop/browse"), test_case_id: "\${loadform_test_case.checkout.id}", name: "Browse", script: "run(\`$$" + "{x}\`)" } },
    loadform_vcs_root: { scripts: { name: "Scripts", url: "https://git.example.com/a.git", vcs_auth_type: "Username", username: "ci", password_wo: "\${var.token}", password_wo_version: 1 } },
  },
});
write("manifest.json", { version: "0.21.0", stacks: { shop: { name: "shop", synthesizedStackPath: "stacks/shop/cdk.tf.json", annotations: [] } } });
`;

/** The same shop as a program of a real library, with resources that are written without bindings. */
const real = (library: string) => `
const { App, TerraformStack, TerraformResource, TerraformProvider, TerraformVariable } = require(${JSON.stringify(library)});
const { Construct } = require(${JSON.stringify(require.resolve("constructs"))});
const generator = { terraformGeneratorMetadata: { providerName: "loadform" } };
class Resource extends TerraformResource {
  constructor(scope, id, type, attributes) { super(scope, id, { terraformResourceType: type, ...generator }); this.attributes = attributes; }
  synthesizeAttributes() { return this.attributes; }
  get id() { return this.getStringAttribute("id"); }
  get name() { return this.getStringAttribute("name"); }
}
class Provider extends TerraformProvider {
  constructor(scope, id, attributes) { super(scope, id, { terraformResourceType: "loadform", terraformProviderSource: "loadform/loadform", ...generator }); this.attributes = attributes; }
  synthesizeAttributes() { return this.attributes; }
}
const app = new App();
const stack = new TerraformStack(app, "shop");
new Provider(stack, "loadform", { url: "memory:.loadform/service.json" });
const users = new TerraformVariable(stack, "users", { type: "number", default: 3 });
const checkout = new Resource(stack, "checkout", "loadform_test_case", { name: process.env.CASE_NAME });
const group = new Construct(stack, "group");
const browse = new Resource(group, "browse", "loadform_scenario", { test_case_id: checkout.id, name: \`of \${checkout.name}\`, script: "run(\`$$" + "{x}\`)" });
new Resource(stack, "smoke", "loadform_configuration", { test_case_id: checkout.id, name: "Smoke", scenario_id: browse.id, concurrent_clients: users.numberValue, duration_secs: 5, providers: [{ provider_id: "0", regions: ["cloud-us-east-1"] }] });
app.synth();
`;

function folderWith(program: string): string {
  const folder = freshFolder();
  writeFileSync(join(folder, "main.cjs"), program);
  writeFileSync(join(folder, "cdktf.json"), JSON.stringify({ app: "node main.cjs" }));
  return folder;
}

describe("a folder with cdktf.json", () => {
  test("is validated, planned, applied, looked at for drift, planned by file and destroyed", async () => {
    const cwd = folderWith(fake);
    const env = { CASE_NAME: "Checkout", TF_VAR_token: "hush-hush" };
    const run = (...args: string[]) => runCli(args, { cwd, env });
    expect((await run("validate")).stdout).toContain("shop: 3 objects, no problems.");
    expect((await run("plan", "--detailed-exitcode")).code).toBe(2);
    const applied = await run("apply", "--auto-approve");
    expect(applied.stdout).toContain("3 created");
    expect((await run("plan", "--detailed-exitcode")).code).toBe(0);
    expect((await run("drift")).code).toBe(0);
    const changed = { cwd, env: { ...env, CASE_NAME: "Buying" } };
    expect((await runCli(["plan", "--out", "plan.json"], changed)).stdout).toContain('name: "Checkout" → "Buying"');
    expect((await runCli(["apply", "plan.json"], changed)).stdout).toContain("1 updated");
    const destroyed = await runCli(["destroy", "--auto-approve"], changed);
    expect(destroyed.stdout).toContain("3 deleted");
    expect(JSON.stringify([applied, destroyed])).not.toContain("hush-hush");
  });

  test("runs once, also where what it declares exists already", async () => {
    const cwd = folderWith(`require("node:fs").appendFileSync("runs.txt", "x");${fake}`);
    const run = (...args: string[]) => runCli(args, { cwd, env: { CASE_NAME: "Checkout", TF_VAR_token: "hush-hush" } });
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    rmSync(join(cwd, ".loadform/state.json"));
    writeFileSync(join(cwd, "runs.txt"), "");
    expect((await run("plan", "--adopt", "exact")).stdout).toContain("import");
    expect(readFileSync(join(cwd, "runs.txt"), "utf8")).toBe("x");
  });

  test("is not imported into", async () => {
    const { code, stderr } = await runCli(["import", "--all"], { cwd: folderWith(fake), env: { CASE_NAME: "x" } });
    expect(code).toBe(1);
    expect(stderr).toContain("LF1007");
  });

  test("whose program fails says so with its last lines", async () => {
    const cwd = folderWith("console.log('going on'); throw new Error('no such bucket');");
    const { code, stdout, stderr } = await runCli(["plan", "--json"], { cwd });
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("no such bucket");
    expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [{ code: "LF1010", file: "cdktf.json" }] });
  });
});

describe.each(["cdktf", "cdktn"])("a program of %s", (library) => {
  const path = join(repository, "node_modules", library);
  const isThere = (() => {
    try {
      return require.resolve(path) !== "";
    } catch {
      return false;
    }
  })();

  test.skipIf(!isThere)("is planned and applied as it is", async () => {
    const cwd = folderWith(real(path));
    const env = { CASE_NAME: "Checkout", CI: "true" };
    const applied = await runCli(["apply", "--auto-approve"], { cwd, env });
    expect(applied.stdout).toContain("3 created");
    expect((await runCli(["plan", "--detailed-exitcode"], { cwd, env })).code).toBe(0);
    const listed = await runCli(["state", "list"], { cwd, env });
    expect(listed.stdout).toMatch(/testCase\.checkout\/scenario\.group_browse_[0-9A-F]{8}/);
  });
});
