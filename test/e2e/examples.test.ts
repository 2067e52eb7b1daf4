import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyExample } from "../support/copy-example.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";

const secrets = { GIT_TOKEN: "canary-git-token", CLOUD_KEY_ID: "canary-key-id", CLOUD_SECRET: "canary-cloud-secret" };

/** A copy of an example, so that what it leaves behind is its own. */
function copyOf(example: string): string {
  const folder = freshFolder();
  copyExample(example, folder);
  return folder;
}

interface PlanDocument {
  readonly digest: string;
  readonly requests: number;
  readonly resource_changes: readonly {
    readonly address: string;
    readonly change: { readonly actions: readonly string[] };
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

async function planOf(cwd: string, ...flags: string[]): Promise<PlanDocument> {
  const { code, stdout, stderr } = await runCli(["plan", "--json", ...flags], { cwd, env: secrets });
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as PlanDocument;
}

describe.each(["webshop", "typescript"])("examples/%s", (example) => {
  test("is valid, is applied, and then has nothing to change and makes no write", async () => {
    const cwd = copyOf(example);
    expect(await runCli(["validate"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    const applied = await runCli(["apply", "--auto-approve"], { cwd });
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.stdout).toContain("Applied: 11 created, 0 updated, 0 deleted.");
    const data = await runCli(["state", "pull"], { cwd });
    const again = await runCli(["apply", "--auto-approve"], { cwd });
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No changes: 13 objects are as declared."),
    });
    expect(await runCli(["state", "pull"], { cwd })).toEqual(data);
  });

  test("needs its secrets for staging, and shows none of them", async () => {
    const cwd = copyOf(example);
    const without = await runCli(["plan", "--env", "staging"], { cwd });
    expect(without.code).toBe(1);
    for (const name of Object.keys(secrets)) expect(without.stderr).toContain(`$${name} is not set`);
    const applied = await runCli(["apply", "--env", "staging", "--auto-approve"], { cwd, env: secrets });
    expect(applied).toMatchObject({ code: 0 });
    const state = await runCli(["state", "pull", "--env", "staging"], { cwd, env: secrets });
    expect(`${applied.stdout}${applied.stderr}${state.stdout}`).not.toContain("canary");
    expect(existsSync(join(cwd, ".loadform", "state.staging.json"))).toBe(true);
  });
});

describe("the two webshops", () => {
  test.each([[[]], [["--env", "staging"]], [["--var", "users=7"]]])("give the same plan with %j", async (flags) => {
    const [yaml, typescript] = await Promise.all([
      planOf(copyOf("webshop"), ...flags),
      planOf(copyOf("typescript"), ...flags),
    ]);
    expect(typescript.resource_changes).toEqual(yaml.resource_changes);
    expect(typescript.summary).toEqual(yaml.summary);
    expect(typescript.digest).toBe(yaml.digest);
    expect(yaml.requests).toBeLessThanOrEqual(6);
  });
});
