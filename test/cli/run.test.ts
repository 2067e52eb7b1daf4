import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { freshFolder, runCli, startCli } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";

interface Document {
  readonly diagnostics: readonly { readonly code: string; readonly summary: string }[];
}

const project = `project: small
service: { url: "memory:.loadform/service.json" }
testCases:
  checkout:
    scenarios:
      browse: { script: "run();" }
`;

function projectFolder(text = project): string {
  const folder = freshFolder();
  writeFileSync(join(folder, "loadform.yaml"), text);
  return folder;
}

describe("the program", () => {
  it("prints its version and its help on stdout", async () => {
    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
    expect(await runCli(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const help = await runCli(["plan", "--help"]);
    expect([help.code, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("Examples:\n  loadform plan\n");
  });

  it("refuses a wrong command line with exit 1 and words on stderr", async () => {
    const { code, stdout, stderr } = await runCli(["aply"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("error LF9001: unknown command 'aply'\n  Did you mean apply?");
  });

  it("prints no colours into a pipe", async () => {
    expect((await runCli(["aply"])).stderr).not.toContain("\u001b");
  });

  it.each(
    commandTable
      .filter(({ later }) => later)
      .map(({ name, args }) => [name, args?.startsWith("<") ? ["x"] : []] as const),
  )("answers %s, which is not built yet, with LF9003 and exit 1", async (name, args) => {
    const { code, stdout, stderr } = await runCli([name, ...args]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("LF9003");
  });

  it.each(
    commandTable
      .filter(({ flags, name }) => flags.includes("json") && !["apply", "destroy"].includes(name))
      .map(({ name }) => [name]),
  )("answers a wrong %s --json with one document", async (name) => {
    const { code, stdout, stderr } = await runCli([...name.split(" "), "--json", "--nonsense"]);
    expect([code, stderr]).toEqual([1, ""]);
    expect((JSON.parse(stdout) as Document).diagnostics[0]?.code).toBe("LF9001");
  });

  it.each(["--markdown", "--out"])("makes no folders for plan %s", async (flag) => {
    const cwd = projectFolder();
    const { code, stderr } = await runCli(["plan", flag, "none/plan.x"], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF1002")]);
    expect(stderr).toContain("found no folder");
    expect(existsSync(join(cwd, "none"))).toBe(false);
  });

  it.each([
    [{ CI: "1" }, "found $CI set"],
    [{ CI: "false" }, "found no terminal to ask at"],
  ])("says why nobody was asked: %j", async (env, why) => {
    const { code, stderr } = await runCli(["apply"], { cwd: projectFolder(), env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });

  it("keeps the bundled service's own key as a word", async () => {
    const cwd = projectFolder(project.replace("testCases:", "state: { backend: lokal }\ntestCases:"));
    const { stderr } = await runCli(["validate"], { cwd, env: { LOADFORM_API_KEY: "local" } });
    expect(stderr).toContain("expected local, http");
  });

  it("says of snapshot --out what it saves", async () => {
    const { stdout } = await runCli(["snapshot", "--help"]);
    expect(stdout).not.toContain("save the plan");
  });

  it("explains a code", async () => {
    const { code, stdout } = await runCli(["explain", "LF5008"]);
    expect([code, stdout.split("\n")[0]]).toEqual([0, "LF5008: saved plan is stale"]);
  });

  it("prints the schema of a project and of one kind", async () => {
    const whole = await runCli(["schema"]);
    expect(JSON.parse(whole.stdout)).toHaveProperty("$schema");
    const kind = await runCli(["schema", "configuration"]);
    expect(JSON.parse(kind.stdout)).toHaveProperty("$schema");
    const wrong = await runCli(["schema", "nothing"]);
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toContain("configuration, dataStore");
  });
});

describe("validate", () => {
  it("counts the objects of a sound project", async () => {
    expect(await runCli(["validate"], { cwd: projectFolder() })).toEqual({
      code: 0,
      stdout: "small: 2 objects, no problems.\n",
      stderr: "",
    });
    const json = await runCli(["validate", "--json"], { cwd: projectFolder() });
    expect(JSON.parse(json.stdout)).toEqual({ valid: true, project: "small", objects: 2, diagnostics: [] });
  });

  it("shows what is wrong, where, with the line and a caret", async () => {
    const cwd = projectFolder(project.replace("script:", "skript:"));
    const { code, stdout, stderr } = await runCli(["validate"], { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/loadform\.yaml:6:\d+/);
    expect(stderr).toMatch(/6 \| +browse: \{ skript: "run\(\);" \}\n +\| +\^/);
    const json = await runCli(["validate", "--json"], { cwd });
    expect([json.code, json.stderr]).toEqual([1, ""]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: false,
      diagnostics: expect.arrayContaining([expect.objectContaining({ line: 6 })]),
    });
  });

  it("says that there is no project", async () => {
    const { code, stderr } = await runCli(["validate", freshFolder()]);
    expect(code).toBe(1);
    expect(stderr).toContain("error LF1001");
  });
});

describe("plan and apply", () => {
  it("plan, confirm, apply, and find nothing left to do", async () => {
    const cwd = projectFolder();
    const plan = await runCli(["plan", "--detailed-exitcode"], { cwd });
    expect([plan.code, plan.stderr]).toEqual([2, ""]);
    expect(plan.stdout).toContain("+ testCase.checkout/scenario.browse");
    const asked = await runCli(["apply"], { cwd });
    expect(asked.code).toBe(1);
    expect(asked.stdout).toContain("Plan: 2 to create");
    expect(asked.stderr).toContain("LF5006");
    expect(asked.stderr).toContain("  loadform apply --auto-approve\n");
    const applied = await runCli(["apply", "--auto-approve"], { cwd });
    expect([applied.code, applied.stdout.split("\n").at(-2)]).toEqual([0, "Applied: 2 created, 0 updated, 0 deleted."]);
    const again = await runCli(["plan", "--detailed-exitcode"], { cwd });
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^No changes: 2 objects are as declared\. \d+ requests?\.\n$/),
    ]);
    expect((await runCli(["apply"], { cwd })).code).toBe(0);
  });

  it("tells an apply as one JSON object per line, the summary last", async () => {
    const cwd = projectFolder();
    const { code, stdout, stderr } = await runCli(["apply", "--auto-approve", "--json"], { cwd });
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; address?: string });
    expect([code, stderr]).toEqual([0, ""]);
    expect(events.slice(0, 2).map(({ type, address }) => [type, address])).toEqual([
      ["planned_change", "testCase.checkout"],
      ["planned_change", "testCase.checkout/scenario.browse"],
    ]);
    expect(events.at(-1)).toEqual({
      type: "change_summary",
      create: 2,
      update: 0,
      delete: 0,
      failed: 0,
      not_attempted: 0,
    });
  });

  it("asks for a yes with --json too, as lines", async () => {
    const { code, stdout } = await runCli(["apply", "--json"], { cwd: projectFolder() });
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect([code, types]).toEqual([1, ["planned_change", "planned_change", "diagnostic", "change_summary"]]);
  });

  it("saves a plan and applies exactly it, without asking, once", async () => {
    const cwd = projectFolder();
    const plan = await runCli(["plan", "--out", "plan.json"], { cwd });
    expect([plan.code, plan.stderr]).toEqual([0, "Saved the plan. To apply exactly this: loadform apply plan.json\n"]);
    expect(JSON.parse(readFileSync(join(cwd, "plan.json"), "utf8"))).toMatchObject({
      format_version: "1.2",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const mixed = await runCli(["apply", "plan.json", "--env", "staging", "--target", "x"], { cwd });
    expect([mixed.code, mixed.stderr.match(/does not go with a saved plan/g)?.length]).toEqual([1, 2]);
    expect((await runCli(["apply", "plan.json"], { cwd })).code).toBe(0);
    const stale = await runCli(["apply", "plan.json"], { cwd });
    expect([stale.code, stale.stderr]).toEqual([5, expect.stringContaining("LF5008")]);
    writeFileSync(join(cwd, "plan.json"), readFileSync(join(cwd, "plan.json"), "utf8").replace('"small"', '"large"'));
    const changed = await runCli(["apply", "plan.json"], { cwd });
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining("LF5007")]);
  });

  it("applies a saved plan without changes by saying so", async () => {
    const cwd = projectFolder();
    await runCli(["apply", "--auto-approve"], { cwd });
    await runCli(["plan", "--out", "plan.json"], { cwd });
    const { code, stdout, stderr } = await runCli(["apply", "plan.json"], { cwd });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^No changes/), stderr: "" });
  });

  it("says once which request nobody answered", async () => {
    const cwd = projectFolder();
    const env = { LOADFORM_URL: "http://127.0.0.1:1", LOADFORM_API_KEY: "k" };
    const { code, stderr } = await runCli(["plan"], { cwd, env });
    expect([code, stderr.match(/GET \/login/g)?.length]).toEqual([1, 1]);
  });

  it("says that a plan cannot be saved", async () => {
    const cwd = projectFolder();
    mkdirSync(join(cwd, "taken"));
    const { code, stderr } = await runCli(["plan", "--out", "taken"], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF1002")]);
  });

  it("prints the same document twice, but for when it was made", async () => {
    const cwd = projectFolder();
    const [first, second] = await Promise.all([
      runCli(["plan", "--json"], { cwd }),
      runCli(["plan", "--json"], { cwd: projectFolder() }),
    ]);
    const { created_at: _first, ...one } = JSON.parse(first.stdout) as Record<string, unknown>;
    const { created_at: _second, ...other } = JSON.parse(second.stdout) as Record<string, unknown>;
    expect(one).toEqual(other);
    expect(one).toMatchObject({ diagnostics: [], summary: { create: 2 } });
  });

  it("carries on when nobody reads what it prints", async () => {
    const cwd = projectFolder();
    const child = await startCli(["apply", "--auto-approve", "--json"], { cwd });
    child.stdout.destroy();
    child.stdin.end();
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(code).toBe(0);
    expect((await runCli(["state", "list"], { cwd })).stdout).toBe(
      "testCase.checkout\ntestCase.checkout/scenario.browse\n",
    );
  });

  it("keeps the key out of what it prints, whatever goes wrong", async () => {
    const cwd = projectFolder(project.replace("memory:.loadform/service.json", "http://127.0.0.1:1"));
    const env = { LOADFORM_API_KEY: "canary-key-1234", LOADFORM_LOG: "debug" };
    const { code, stdout, stderr } = await runCli(["plan"], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain("LF2001");
    expect(stdout + stderr).not.toContain("canary-key-1234");
  }, 60_000);
});

describe("state and whoami", () => {
  it("look into the state and mend it", async () => {
    const cwd = projectFolder();
    await runCli(["apply", "--auto-approve"], { cwd });
    const list = await runCli(["state", "list", "--json"], { cwd });
    expect(JSON.parse(list.stdout)).toEqual({
      addresses: ["testCase.checkout", "testCase.checkout/scenario.browse"],
      diagnostics: [],
    });
    const show = await runCli(["state", "show", "testCase.checkout", "--json"], { cwd });
    expect(JSON.parse(show.stdout)).toMatchObject({ kind: "testCase", id: expect.any(Number), diagnostics: [] });
    const missing = await runCli(["state", "show", "testCase.chekout"], { cwd });
    expect([missing.code, missing.stdout, missing.stderr]).toEqual([1, "", expect.stringContaining("LF5005")]);
    const pulled = await runCli(["state", "pull", "--json"], { cwd });
    expect((await runCli(["state", "push"], { cwd, input: pulled.stdout })).code).toBe(0);
    expect((await runCli(["state", "mv", "testCase.checkout", "testCase.shop"], { cwd })).code).toBe(0);
    expect((await runCli(["state", "rm", "testCase.shop"], { cwd })).code).toBe(0);
    expect((await runCli(["state", "list"], { cwd })).stdout).toBe("");
    expect((await runCli(["state", "unlock", cwd], { cwd: repository })).code).toBe(0);
  });

  it("take a folder after their own arguments", async () => {
    const folder = projectFolder();
    await runCli(["apply", folder, "--auto-approve"]);
    expect((await runCli(["state", "show", "testCase.checkout", folder])).code).toBe(0);
  });

  it("say who the service takes us for", async () => {
    const cwd = projectFolder();
    const { code, stdout } = await runCli(["whoami"], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("* 1  Default")]);
    const json = await runCli(["whoami", "--json"], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      service: { embedded: true },
      organizations: [{ id: 1, name: "Default" }],
      organization: 1,
      diagnostics: [],
    });
  });
});
