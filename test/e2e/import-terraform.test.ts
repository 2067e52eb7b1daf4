// merge: the real Terraform proves an import; unproved-import.test.ts has the import without one, test/bridge the files.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runCli, runProcess, startCli } from "../support/run-cli.ts";
import { type RunningService, startService } from "../support/served-project.ts";
import { buildProvider } from "../support/terraform/built-provider.ts";
import { hasTerraform, terraformEnv } from "../support/terraform/real-terraform.ts";

const secrets = { GIT_TOKEN: "hunter2-git", CLOUD_KEY_ID: "hunter2-id", CLOUD_SECRET: "hunter2-secret" };
const given = {
  TF_VAR_load_scripts_password: "x",
  TF_VAR_our_cloud_access_key_id: "x",
  TF_VAR_our_cloud_secret_access_key: "x",
};

/** Texts and bytes that are easily changed on the way. */
const awkward = `testCases:
  awkward:
    name: 'Awk"ward \${x} $\${y} %{z}'
    description: "two\\nlines\\tand \\\\ a back slash, cafe\\u0301, 🛒"
    scenarios:
      for: { name: for, script: "run(\`$\${a} %{b}\`);\\n", tags: [a-tag], paramsConfig: [{ name: p, required: true, defaultValue: "5" }, { name: s, encrypted: true, defaultValue: "\${env:PARAM}" }] }
      other: { name: for, script: "x", dataStores: { bytes: { contents: "\${file:bytes.bin}" }, none: { contents: "" } } }
    configurations:
      c:
        scenario: other
        iterations: 3
        concurrentClients: 1
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1, cloud-eu-west-1], weight: [1, 2] }, { provider: { id: 0 }, numRegions: 2 }, { provider: { id: 0 }, regions: [cloud-us-west-2, cloud-ap-south-1], weight: 1 }]
        scriptParams: { "a.b": '\${x}', for: "1", "quo\\"te": "2" }
        schedules: { once: { scheduleType: Single, nextScheduled: "2035-01-01T00:00:00Z" }, off: { scheduleType: Recurring, recurringInterval: Hour, hour: 2, active: false } }
tags: { a-tag: {} }
`;

let service: RunningService;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startService();
  env = { LOADFORM_URL: service.ready.url, LOADFORM_API_KEY: service.ready.apiKey, PARAM: "hunter2-param", ...secrets };
  const shop = freshFolder();
  copyExample("webshop", shop);
  expect((await runCli(["apply", shop, "--auto-approve", "--env", "staging"], { env })).code).toBe(0);
  const odd = freshFolder();
  writeFileSync(join(odd, "loadform.yaml"), `project: odd\n${awkward}`);
  writeFileSync(join(odd, "bytes.bin"), Uint8Array.from([0, 255, 128, 10, 101, 204, 129]));
  const applied = await runCli(["apply", odd, "--auto-approve"], { env });
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining("created")]);
  await makeByHand();
});

afterAll(() => service.stop("SIGTERM"));

/** Makes objects that nobody can declare: with a hidden parameter beside one that is a mapping, and metadata with a key that no file takes. */
async function makeByHand(): Promise<void> {
  const idOf = async (path: string, name: string): Promise<number> => {
    const { body } = await service.call("GET", path);
    return (body as readonly { id: number; name: string }[]).find((each) => each.name === name)?.id ?? 0;
  };
  const id = await idOf("/test-cases", 'Awk"ward ${x} ${y} %{z}');
  const scriptId = await idOf(`/test-cases/${id}/scripts`, "for");
  const scriptParams = JSON.stringify({ p: "1", s: "hunter2-hand", deep: { b: [1, null] } });
  const sizes = { iterations: 1, concurrentClients: 1, providers: [{ providerId: 0, params: { regions: "1" } }] };
  const made = await service.call("POST", `/test-cases/${id}/confs`, {
    name: "by hand",
    scriptId,
    scriptParams,
    ...sizes,
  });
  const metadata = JSON.parse('{"zone":"a","__proto__":"x"}');
  const cloud = { name: "hand", providerType: "CloudOnDemand", organizationId: 1, metadata };
  expect([made.status, (await service.call("POST", "/providers", cloud)).status]).toEqual([200, 200]);
}

/** What the service has, times aside. */
async function snapshot(): Promise<string> {
  const { body } = await service.call("GET", "/_loadform/state");
  return JSON.stringify(body);
}

const isConfiguration = (path: string | Buffer) => String(path).endsWith("imports.tf");

/** What git would add. */
function untracked(root: string): readonly string[] {
  spawnSync("git", ["init", "--quiet"], { cwd: root });
  const { stdout } = spawnSync("git", ["ls-files", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  rmSync(join(root, ".git"), { recursive: true });
  return stdout.trim().split("\n");
}

describe.skipIf(!hasTerraform)("loadform import --format terraform", () => {
  test("writes a configuration that Terraform imports without a change, and whose next plan is empty", async () => {
    const root = freshFolder();
    const before = await snapshot();
    const imported = await runCli(["import", root, "--all", "--format", "terraform"], { env });
    expect([imported.code, imported.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(imported.stdout).toContain("Terraform's plan imports all of them and changes nothing.");
    const { TF_VAR_load_scripts_password: _, ...others } = given;
    for (const name of Object.keys(others)) expect(imported.stdout).toContain(name);
    expect(imported.stdout).toMatch(
      /^Next:\n {2}export (TF_VAR_\w+=… )*TF_VAR_load_scripts_password=….*\n {2}cd \S+ && loadform terraform -- plan\nand then apply: /m,
    );
    expect(spawnSync("terraform", ["fmt", "-check", "-diff"], { cwd: root, encoding: "utf8" }).stdout).toBe("");
    expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([".gitignore"]);
    const written = readdirSync(root).map((name) =>
      name.endsWith(".tf") ? readFileSync(join(root, name), "utf8") : "",
    );
    expect(written.join("\n")).toMatch(/default_value = "5"/);
    expect(written.join("\n")).toMatch(/script_params += jsonencode\(/);
    const run = (...args: string[]) =>
      runProcess(["terraform", "--", ...args], { cwd: root, env: { ...env, ...given } });
    const applied = await run("apply", "-auto-approve", "-no-color");
    expect(applied.stdout + applied.stderr).toMatch(
      /Apply complete! Resources: \d+ imported, 0 added, 0 changed, 0 destroyed\./,
    );
    expect((await run("plan", "-detailed-exitcode", "-no-color")).code).toBe(0);
    expect(await snapshot()).toBe(before);
    expect(existsSync(join(root, "terraform.tfstate"))).toBe(true);
    expect(untracked(root).filter((path) => path.includes("tfstate") || path.startsWith(".terraform/"))).toEqual([]);
    const texts = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const entry of texts)
      expect(readFileSync(join(entry.parentPath, entry.name), "utf8")).not.toContain("hunter2");
  });

  test("writes one test case, as JSON for programs", async () => {
    const root = freshFolder();
    const asked = ["import", root, "--test-case", "Checkout", "--format", "terraform", "--json"];
    const { code, stdout } = await runCli(asked, { env });
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as { files: string[]; objects: unknown[] };
    expect(document).toMatchObject({ status: "imported", environment: [], diagnostics: [] });
    expect(document.files.filter((file) => file.endsWith(".tf"))).toEqual(["checkout.tf", "imports.tf", "loadform.tf"]);
    expect(readFileSync(join(root, "checkout.tf"), "utf8")).toContain('tags          = ["nightly", "release-gate"]');
  });

  test("asks for a provider that terraform init finds where the install script puts it", {
    timeout: 120_000,
  }, async () => {
    const provider = await buildProvider();
    const [root, mirror] = [freshFolder(), freshFolder()];
    try {
      provider.mirror(mirror);
      expect((await runCli(["import", root, "--all", "--format", "terraform"], { env })).code).toBe(0);
      expect(readFileSync(join(root, "loadform.tf"), "utf8")).toMatch(/version = "~> \d+\.\d+"/);
      const run = (...args: string[]) =>
        spawnSync("terraform", [...args, "-no-color"], {
          cwd: root,
          env: terraformEnv({ ...env, ...given }),
          encoding: "utf8",
        });
      const initialized = run("init", `-plugin-dir=${mirror}`);
      expect(initialized.stdout + initialized.stderr).toContain(`Installed loadform/loadform v${provider.version}`);
      expect(run("plan").stdout).toMatch(/Plan: \d+ to import, 0 to add, 0 to change, 0 to destroy\./);
    } finally {
      provider.remove();
      for (const folder of [root, mirror]) rmSync(folder, { recursive: true, force: true });
    }
  });

  test("removes what it wrote beside the folder when it is interrupted while Terraform plans", async () => {
    const root = freshFolder();
    const child = await startCli(["import", root, "--all", "--format", "terraform"], { env });
    const [stdout, stderr, closed] = [text(child.stdout), text(child.stderr), once(child, "close")];
    await expect.poll(() => readdirSync(root, { recursive: true }).some(isConfiguration), { interval: 5 }).toBe(true);
    child.kill("SIGTERM");
    const [code] = (await closed) as [number | null];
    expect([code, await stdout, await stderr]).toEqual([143, "", "Interrupted: nothing was written.\n"]);
    expect(readdirSync(root)).toEqual([]);
  });

  test("leaves the provider block to a folder that has one", async () => {
    const root = freshFolder();
    writeFileSync(
      join(root, "main.tf"),
      'terraform {\n  required_providers {\n    loadform = { source = "loadform/loadform" }\n  }\n}\n',
    );
    const { code } = await runCli(["import", root, "--test-case", "Checkout", "--format", "terraform"], { env });
    expect(code).toBe(0);
    expect(existsSync(join(root, "loadform.tf"))).toBe(false);
  });

  test("leaves a .gitignore that is there as it is, and says what it should name", async () => {
    const root = freshFolder();
    writeFileSync(join(root, ".gitignore"), "mine\n");
    const { code, stdout } = await runCli(["import", root, "--test-case", "Checkout", "--format", "terraform"], {
      env,
    });
    expect([code, readFileSync(join(root, ".gitignore"), "utf8")]).toEqual([0, "mine\n"]);
    expect(stdout).toContain("make sure that your .gitignore lists them");
    expect(stdout).not.toContain("  .gitignore\n");
    expect(stdout).toMatch(/^Next: cd \S+ && loadform terraform -- plan, then apply/m);
  });
});
