import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runCli, runProcess } from "../support/run-cli.ts";
import { type RunningService, startService } from "../support/served-project.ts";

let service: RunningService;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  env = { LOADFORM_URL: service.ready.url, LOADFORM_API_KEY: service.ready.apiKey };
  await service.call("POST", "/test-cases", { name: "Checkout", org: 1 });
});
afterAll(() => service.stop("SIGTERM"));

/** Terraform's folder on the path of none: a machine without it. */
function pathWithoutTerraform(): string {
  const folder = freshFolder();
  symlinkSync(process.execPath, join(folder, "node"));
  return folder;
}

describe("loadform import --format terraform, without Terraform", () => {
  const asked = (root: string) => ["import", root, "--all", "--format", "terraform"];

  test("writes the files and says that nothing proved them", async () => {
    const root = freshFolder();
    const { code, stdout, stderr } = await runProcess(asked(root), { env: { ...env, PATH: pathWithoutTerraform() } });
    expect([code, existsSync(join(root, "imports.tf"))]).toEqual([0, true]);
    expect(stderr).toContain("the import is not proved");
    expect(stdout).not.toContain("changes nothing");
  });

  test("does so too for a service that lives in its own process", async () => {
    const [root, shop] = [freshFolder(), freshFolder()];
    copyExample("webshop", shop);
    const memory = { LOADFORM_URL: `memory:${join(shop, "service.json")}` };
    expect((await runCli(["apply", shop, "--auto-approve"], { env: memory })).code).toBe(0);
    const { code, stderr } = await runCli(asked(root), { env: memory });
    expect([code, existsSync(join(root, "imports.tf"))]).toEqual([0, true]);
    expect(stderr).toContain("loadform serve --data FILE");
    expect(readFileSync(join(root, "loadform.tf"), "utf8")).not.toContain("url");
  });

  test("overwrites nothing", async () => {
    const root = freshFolder();
    mkdirSync(join(root, "imports.tf"));
    const { code, stderr } = await runProcess(asked(root), { env: { ...env, PATH: pathWithoutTerraform() } });
    expect([code, readdirSync(root)]).toEqual([1, ["imports.tf"]]);
    expect(stderr).toContain("LF9004");
    const dry = await runProcess([...asked(root), "--dry-run"], { env: { ...env, PATH: pathWithoutTerraform() } });
    expect([dry.code, dry.stdout, dry.stderr]).toEqual([code, "", stderr]);
  });
});
