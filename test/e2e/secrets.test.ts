import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { startService } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";
import { exampleFolder, filesBelow, reaching, secrets } from "./example-folder.ts";

const service = sharedService();

const key = "canary-api-key-1";

/** Every way in which a secret could be spelled. */
const spellings = [...Object.values(secrets), key].flatMap((value) => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString("base64").replace(/=+$/, ""),
  Buffer.from(value).toString("base64url"),
  Buffer.from(value).toString("hex"),
]);

const spellingsIn = (text: string) => spellings.filter((spelling) => text.includes(spelling));

/** Runs commands in the staging environment, and looks for secrets in whatever they leave or say. */
function watched(folder: ReturnType<typeof exampleFolder>, more: Readonly<Record<string, string>>) {
  const cache = freshFolder();
  return async (args: readonly string[], changed: Readonly<Record<string, string>> = {}) => {
    const env = { ...more, ...secrets, ...changed, LOADFORM_LOG: "debug", XDG_CACHE_HOME: cache };
    const run = await runCli([...args], { cwd: folder.cwd, env });
    expect({ args, found: spellingsIn(`${run.stdout}${run.stderr}`) }).toEqual({ args, found: [] });
    for (const [file, bytes] of [...filesBelow(folder.cwd), ...filesBelow(cache)])
      expect({ file, found: spellingsIn(bytes) }).toEqual({ file, found: [] });
    return run;
  };
}

const staging = ["--env", "staging"] as const;

describe("secrets", () => {
  test("that are not set stop plan and apply, and only warn in validate", async () => {
    const { run } = exampleFolder();
    const validated = await run("validate", ...staging);
    expect([validated.code, validated.stderr]).toEqual([0, expect.stringContaining("warning LF")]);
    for (const command of [["plan"], ["apply", "--auto-approve"], ["plan", "--json"]]) {
      const { code, stdout, stderr } = await run(...command, ...staging);
      expect(code).toBe(1);
      for (const name of Object.keys(secrets)) expect(stdout + stderr).toContain(name);
    }
  });

  test("stand in no output, state, plan, journal, cache or file of the bundled service (P13)", async () => {
    const folder = exampleFolder();
    const run = watched(folder, {});
    expect((await run(["plan", ...staging])).stdout).toContain("(sensitive)");
    expect((await run(["plan", "--json", ...staging])).code).toBe(0);
    expect((await run(["plan", "--out", "plan.json", ...staging])).code).toBe(0);
    expect((await run(["apply", "plan.json"])).code).toBe(0);
    expect((await run(["apply", "--auto-approve", ...staging])).stdout).toMatch(/^No changes/);
    const changed = await run(["plan", ...staging], { GIT_TOKEN: "canary-git-token-2" });
    expect(changed.stdout).toContain("(secret changed)");
    const document = (await run(["plan", "--json", ...staging], { GIT_TOKEN: "canary-git-token-2" })).stdout;
    expect(document).toContain('"(secret changed)"');
    expect(document).not.toContain("canary");
    expect((await run(["apply", "--json", "--auto-approve", ...staging], { GIT_TOKEN: "canary-2-token" })).code).toBe(
      0,
    );
    expect((await run(["state", "pull", ...staging])).code).toBe(0);
    expect((await run(["state", "show", "vcsRoot.scripts", ...staging])).code).toBe(0);
    expect([...filesBelow(folder.cwd).keys()]).toContain(join(folder.cwd, ".loadform", "state.staging.json"));
  });

  test("stand in no error either, although the service itself repeats what was sent", async () => {
    const folder = exampleFolder();
    const other = await startService("--api-key", key);
    try {
      const refuse = (path: string, method = "POST") => ({
        method,
        path,
        status: 400,
        body: { message: `bad ${secrets.GIT_TOKEN} ${encodeURIComponent(secrets.CLOUD_SECRET)} for ${key}` },
      });
      await other.call("PUT", "/_loadform/faults", [refuse("/orgs/:orgId/vcs-roots"), refuse("/providers")]);
      const run = watched(folder, reaching(other));
      const { code, stderr } = await run(["apply", "--auto-approve", ...staging]);
      expect([code, stderr]).toEqual([6, expect.stringContaining("bad (sensitive) (sensitive) for ***")]);
      expect((await run(["apply", "--auto-approve", "--json", ...staging])).code).toBe(6);
      expect(spellingsIn(JSON.stringify((await other.call("GET", "/_loadform/requests")).body))).toEqual([]);
      expect(spellingsIn(JSON.stringify((await other.call("GET", "/_loadform/state")).body))).toEqual([]);
    } finally {
      await other.stop("SIGTERM");
    }
  });

  test("of another environment have a state of their own beside the default one", async () => {
    const folder = exampleFolder("webshop", { ...reaching(service), ...secrets });
    expect((await folder.run("apply", "--auto-approve", ...staging)).code).toBe(0);
    expect((await folder.run("state", "list")).stdout.trim()).toBe("");
    const other = await folder.run("plan");
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("LF3001")]);
    expect((await folder.run("destroy", "--auto-approve", "--force-threshold", ...staging)).code).toBe(0);
    expect((await folder.run("apply", "--auto-approve")).code).toBe(0);
  });
});

describe("a name from the environment", () => {
  test("is shown in no report of what drifted or is not managed", async () => {
    const cwd = freshFolder();
    const name = "sesame-open-99";
    const text = `project: p\nservice: { url: "${service.ready.url}" }\ntestCases: { a: { name: "\${env:N}", description: y } }\n`;
    writeFileSync(join(cwd, "loadform.yaml"), text);
    const run = (...args: string[]) => runCli(args, { cwd, env: { N: name, LOADFORM_API_KEY: service.ready.apiKey } });
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    await service.call("POST", "/test-cases", { name, org: 1, description: "outside" });
    await service.call("POST", "/test-cases", { name: `copy of ${name}`, org: 1 });
    const planned = ["plan", "--show-unmanaged"];
    const asked = [[...planned, "--json"], [...planned, "--out", "p.json"], ["show", "p.json", "--json"], planned];
    for (const args of [...asked, ["drift", "--json", "--show-unmanaged"], ["plan", "--markdown", "p.md"]]) {
      const { code, stdout, stderr } = await run(...args);
      expect({ args, code, isShown: (stdout + stderr).includes(name) }).toEqual({
        ...{ args, code: args[0] === "drift" ? 2 : 0, isShown: false },
      });
    }
    for (const file of ["p.json", "p.md"]) expect(readFileSync(join(cwd, file), "utf8")).not.toContain(name);
    const { resource_drift: drift } = JSON.parse((await run("plan", "--json")).stdout) as Record<string, unknown>;
    expect(drift).toMatchObject([{ address: "testCase.a", name: "(sensitive)" }]);
  });
});
