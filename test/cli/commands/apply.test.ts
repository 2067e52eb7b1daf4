import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apply, confirmingCommand } from "../../../src/cli/commands/apply.ts";
import { misbehavingServer } from "../../support/misbehaving-server.ts";
import { recordingTerminal, viewInput } from "../../support/recording-terminal.ts";
import { runCli, startCli } from "../../support/run-cli.ts";
import { projectFolder, smallProject } from "../../support/small-project.ts";

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

  it.each([
    ["y", 0],
    ["Yes ", 0],
    ["yep", 1],
    ["", 1],
    ["n", 1],
  ])("takes %j for an answer, exit %i", async (answer, expected) => {
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return answer;
    };
    const terminal = recordingTerminal({ canAsk: true, ask });
    expect(await apply({ ...viewInput(terminal), cwd: projectFolder() })).toBe(expected);
    expect(questions).toEqual(["Apply these changes? [y/N] "]);
    expect(terminal.stderr().includes("Not confirmed: nothing was changed.")).toBe(expected === 1);
  });

  it("says nothing but warnings and errors on stderr with --quiet", async () => {
    const cwd = projectFolder();
    const { code, stdout, stderr } = await runCli(["apply", "--auto-approve", "--quiet"], { cwd });
    expect([code, stdout.split("\n").at(-2), stderr]).toEqual([0, "Applied: 2 created, 0 updated, 0 deleted.", ""]);
    const saved = await runCli(["plan", "--out", "plan.json", "--quiet"], { cwd });
    expect([saved.code, saved.stderr]).toEqual([0, ""]);
    expect((await runCli(["apply", "nowhere", "--quiet"], { cwd })).stderr).toContain("error LF1001");
  });

  it("gives up a request after --timeout", async () => {
    const server = await misbehavingServer([{ delayMs: 60_000 }]);
    const env = { LOADFORM_URL: server.url, LOADFORM_API_KEY: "k" };
    const { stderr } = await runCli(["whoami", "--timeout", "1"], { cwd: projectFolder(), env });
    await server.close();
    expect(stderr).toContain("no complete answer came within 1000 ms (after 5 tries)");
  });

  it("does not blame the service for a request that an interrupt gave up", async () => {
    const server = await misbehavingServer([{ delayMs: 60_000 }]);
    const terminal = recordingTerminal();
    const input = viewInput(terminal);
    const interrupt = { ...input.interrupt, givenUp: AbortSignal.abort(), code: () => 130 as const };
    const env = { LOADFORM_URL: server.url, LOADFORM_API_KEY: "k" };
    expect(await apply({ ...input, cwd: projectFolder(), env, interrupt })).toBe(130);
    await server.close();
    expect(terminal.stderr().match(/LF\d{4}/g)).toEqual(["LF6005"]);
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
      digest: expect.stringMatching(/^-\.[0-9a-f]{64}$/),
    });
    const mixed = await runCli(["apply", "plan.json", "--env", "staging", "--target", "x"], { cwd });
    expect([mixed.code, mixed.stderr.match(/cannot be used with a saved plan/g)?.length]).toEqual([1, 2]);
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

  it("writes a plan over no part of a project, and over an earlier plan", async () => {
    const cwd = projectFolder();
    await runCli(["apply", "--auto-approve"], { cwd });
    for (const flag of ["--out", "--markdown"])
      for (const file of ["loadform.yaml", ".loadform/state.json"]) {
        const before = readFileSync(join(cwd, file), "utf8");
        const { code, stderr } = await runCli(["plan", flag, file], { cwd });
        expect([code, stderr]).toEqual([1, expect.stringContaining("LF1002")]);
        expect(readFileSync(join(cwd, file), "utf8")).toBe(before);
      }
    for (const file of ["plan.json", "plan.json", ".loadform/plan.json", ".loadform/plan.json"])
      expect((await runCli(["plan", "--out", file], { cwd })).code).toBe(0);
    const foreign = await runCli(["apply", "loadform.yaml"], { cwd });
    expect([foreign.code, foreign.stderr]).toEqual([1, expect.not.stringContaining("--out loadform.yaml")]);
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
    const cwd = projectFolder(smallProject.replace("memory:.loadform/service.json", "http://127.0.0.1:1"));
    const env = { LOADFORM_API_KEY: "canary-key-1234", LOADFORM_LOG: "debug" };
    const { code, stdout, stderr } = await runCli(["plan"], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toContain("LF2001");
    expect(stdout + stderr).not.toContain("canary-key-1234");
  });
});

describe("the command that confirms", () => {
  it.each([
    [["apply"], "loadform apply --auto-approve"],
    [
      ["apply", "examples/webshop", "--var", "users=20"],
      "loadform apply examples/webshop --var users=20 --auto-approve",
    ],
    [["destroy", "--target", "testCase.*"], "loadform destroy --target 'testCase.*' --auto-approve"],
    [["apply", "--", "-odd"], "loadform apply --auto-approve -- -odd"],
  ])("of %j is %s", (argv, expected) => {
    expect(confirmingCommand(argv)).toBe(expected);
  });

  it("reaches the program as it was typed, through a shell", () => {
    const argv = ["apply", "it's $HOME", "--var", 'a="b c"\n*'];
    const command = confirmingCommand(argv).replace("loadform", "printf '%s\\0'");
    expect(execFileSync("sh", ["-c", command], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual([
      ...argv,
      "--auto-approve",
    ]);
  });
});
