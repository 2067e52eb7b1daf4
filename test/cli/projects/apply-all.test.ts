import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { folderOf, namedProject } from "../../support/small-project.ts";

const protectedProject = namedProject("b").replace("  b:\n", "  b:\n    protect: true\n");

/** Four projects on one data file: what `b` has applied is protected and no longer declared, and `c` does not load. */
async function fourProjects() {
  const cwd = folderOf({
    "tests/a/loadform.yaml": namedProject("a"),
    "tests/b/loadform.yaml": protectedProject,
    "tests/c/loadform.yaml": "project: c\ntestCase: {}\n",
    "tests/d/loadform.yaml": namedProject("d"),
  });
  const run = (...args: string[]) => runCli(args, { cwd });
  expect((await run("apply", "tests/b", "--auto-approve")).code).toBe(0);
  writeFileSync(join(cwd, "tests/b/loadform.yaml"), protectedProject.replace(/testCases:[\s\S]*/, ""));
  const isApplied = (name: string) => existsSync(join(cwd, `tests/${name}/.loadform/state.json`));
  return { cwd, run, isApplied };
}

/** The table and the line behind it. */
function tableOf(stdout: string): readonly string[] {
  return stdout
    .slice(stdout.lastIndexOf("\nProject ") + 1)
    .split("\n")
    .slice(1, -1);
}

interface Line {
  readonly type: string;
  readonly project?: string;
  readonly dir?: string;
  readonly create?: number;
}

function linesOf(stdout: string): readonly Line[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

describe("apply of several projects", () => {
  it("leaves out what does not plan or is blocked, says so, and applies the others", async () => {
    const { run, isApplied } = await fourProjects();
    const { code, stdout, stderr } = await run("apply", "tests/*", "--auto-approve");
    expect([code, isApplied("a"), isApplied("d")]).toEqual([1, true, true]);
    expect(stderr).toMatch(/tests\/b:\nerror LF4005[\s\S]*tests\/c:\nerror LF1103[\s\S]*created testCase\.a /);
    expect(tableOf(stdout)).toEqual([
      "tests/a        2        0        0  applied",
      "tests/b        0        0        0  left out (blocked)",
      "tests/c        0        0        0  left out (failed)",
      "tests/d        2        0        0  applied",
      "4 projects: 2 applied, 1 left out (blocked), 1 left out (failed).",
    ]);
    const again = await run("apply", "tests/a", "tests/b", "tests/d", "--auto-approve");
    expect([again.code, tableOf(again.stdout).at(-1)]).toEqual([3, "3 projects: 2 unchanged, 1 left out (blocked)."]);
  });

  it("applies nothing with --fail-fast when one is left out", async () => {
    const { run, isApplied } = await fourProjects();
    const { code, stdout } = await run("apply", "tests/*", "--auto-approve", "--fail-fast");
    expect([code, isApplied("a"), isApplied("d")]).toEqual([1, false, false]);
    expect(tableOf(stdout)[0]).toBe("tests/a        0        0        0              2  not attempted");
  });

  it("prints lines with their project, a summary of each, and one total", async () => {
    const { run } = await fourProjects();
    const { code, stdout } = await run("apply", "tests/*", "--auto-approve", "--json");
    const lines = linesOf(stdout);
    expect(code).toBe(1);
    expect(lines.at(-1)).toEqual({
      type: "change_summary",
      create: 4,
      update: 0,
      delete: 0,
      failed: 0,
      not_attempted: 0,
    });
    expect(lines.slice(0, -1).every(({ project, dir }) => dir === `tests/${project}`)).toBe(true);
    const summaries = lines.filter(({ type }) => type === "change_summary");
    expect(summaries.map(({ dir, create }) => [dir, create])).toEqual([
      ["tests/a", 2],
      ["tests/d", 2],
      ["tests/b", 0],
      ["tests/c", 0],
      [undefined, 4],
    ]);
  });

  it("shows all plans and changes nothing where it cannot ask", async () => {
    const { run, isApplied } = await fourProjects();
    const { code, stdout, stderr } = await run("apply", "tests/a", "tests/d");
    expect([code, isApplied("a"), isApplied("d")]).toEqual([1, false, false]);
    expect(stdout.match(/Plan: 2 to create/g)).toHaveLength(2);
    expect(tableOf(stdout).at(-1)).toBe("2 projects: 2 not confirmed.");
    expect(stderr).toContain("LF5006: loadform apply was not confirmed");
    expect(stderr).toContain("loadform apply tests/a tests/d --auto-approve");
    const json = linesOf((await run("apply", "tests/[ad]", "--json")).stdout);
    expect(json.map(({ type, dir }) => [type, dir])).toEqual([
      ...["tests/a", "tests/d"].flatMap((dir) =>
        ["planned_change", "planned_change", "change_summary"].map((type) => [type, dir]),
      ),
      ["diagnostic", undefined],
      ["change_summary", undefined],
    ]);
  });

  it("takes a saved plan, and --digest, by itself only", async () => {
    const { cwd, run } = await fourProjects();
    expect((await run("plan", "tests/a", "--out", join(cwd, "plan.json"))).code).toBe(0);
    const saved = await run("apply", "plan.json", "tests/d");
    expect([saved.code, saved.stderr]).toEqual([1, expect.stringContaining("LF9001: plan.json is a file")]);
    const digest = await run("apply", "tests/a", "tests/d", "--digest", `-.${"0".repeat(64)}`);
    expect([digest.code, digest.stderr]).toEqual([1, expect.stringContaining("LF9001: --digest takes one project")]);
  });

  it("names the projects that lack the environment, and applies the others", async () => {
    const cwd = folderOf({
      "a/loadform.yaml": namedProject("a", "memory:../service.json", "environments: { dev: {} }\n"),
      "b/loadform.yaml": namedProject("b", "memory:../service.json"),
    });
    const { code, stdout, stderr } = await runCli(["apply", "a", "b", "--env", "dev", "--auto-approve"], { cwd });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/b, environment dev:\nerror LF\d{4}/)]);
    expect(tableOf(stdout)).toEqual([
      "a        dev                2        0        0  applied",
      "b        dev                0        0        0  left out (failed)",
      "2 projects: 1 applied, 1 left out (failed).",
    ]);
  });
});
