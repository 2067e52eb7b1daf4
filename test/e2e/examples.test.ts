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
    readonly change: {
      readonly actions: readonly string[];
      readonly after?: Readonly<Record<string, unknown>> | null;
    };
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

interface RunAnswer {
  readonly runs: readonly {
    readonly gate: string;
    readonly verdict: string;
    readonly simulated: boolean;
    readonly baseline?: readonly number[];
    readonly kpis: readonly { readonly expr: string; readonly ok: boolean }[];
    readonly noWorse: readonly { readonly ok: boolean | null }[];
    readonly summary: { readonly durationSecs: number };
  }[];
}

async function runOf(cwd: string): Promise<RunAnswer["runs"][number] | undefined> {
  const { code, stdout, stderr } = await runCli(["run", "--json", "--quiet"], { cwd });
  expect([code, stderr]).toEqual([0, ""]);
  return (JSON.parse(stdout) as RunAnswer).runs[0];
}

describe.each(["webshop", "typescript"])("the gate of examples/%s", (example) => {
  test("passes with a whole simulated run, and the second time in comparison with the first", async () => {
    const cwd = copyOf(example);
    expect((await runCli(["apply", "--auto-approve"], { cwd })).code).toBe(0);
    const first = await runOf(cwd);
    const holds = { gate: "release", verdict: "passed", simulated: true };
    expect(first).toMatchObject({ ...holds, noWorse: [{ ok: null }] });
    expect(first?.kpis.map(({ expr, ok }) => [expr, ok])).toEqual([
      ["Outcome[success] > 95%", true],
      ["firstReceivedMs[p95] < 300ms", true],
    ]);
    expect(first?.summary.durationSecs).toBeGreaterThanOrEqual(70);
    expect(await runOf(cwd)).toMatchObject({ ...holds, baseline: [1], noWorse: [{ ok: true }] });
    const planned = await runCli(["plan", "--detailed-exitcode"], { cwd });
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining("No changes")]);
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

describe("examples/fleet", () => {
  test("is one module for eight services: valid in canonical form, applied in both environments, then unchanged", async () => {
    const cwd = copyOf("fleet");
    expect(await runCli(["validate"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect((await runCli(["fmt", "--check"], { cwd })).code).toBe(0);
    const plan = await runCli(["plan"], { cwd });
    const headings = plan.stdout.split("\n").filter((line) => line.startsWith("Instance "));
    const services = ["accounts", "carts", "catalog", "checkout", "orders", "payments", "search", "shipping"];
    expect(headings).toEqual(services.map((name) => `Instance ${name}:`));
    for (const env of ["staging", "production"]) {
      const applied = await runCli(["apply", "--env", env, "--auto-approve"], { cwd });
      expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining("Applied: 32 created,") });
    }
    for (const env of ["staging", "production"]) expect((await planOf(cwd, "--env", env)).resource_changes).toEqual([]);
  });

  test("has fewer users in staging than in production", async () => {
    const cwd = copyOf("fleet");
    const usersOf = async (env: string) => {
      const { resource_changes } = await planOf(cwd, "--env", env);
      const loads = resource_changes.filter(({ address }) => address.endsWith("/configuration.load"));
      return loads.map(({ change }) => change.after?.["concurrentClients"]);
    };
    expect(await usersOf("staging")).toEqual([2, 2, 2, 5, 2, 20, 3, 2]);
    expect(await usersOf("production")).toEqual([10, 10, 10, 50, 10, 20, 30, 10]);
  });
});
