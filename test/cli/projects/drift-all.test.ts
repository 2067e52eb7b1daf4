import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { sharedService } from "../../support/shared-service.ts";
import { folderOf, namedProject } from "../../support/small-project.ts";

describe("drift, validate and fmt of several projects", () => {
  const service = sharedService();

  /** Three applied projects at one service; an object of `b` was changed outside, and `c` was changed here. */
  async function drifted() {
    const { url, apiKey } = service.ready;
    const cwd = folderOf(
      Object.fromEntries(
        ["a", "b", "c"].map((name) => [
          `tests/${name}/loadform.yaml`,
          namedProject(name, url).replace("    scen", "    description: first\n    scen"),
        ]),
      ),
    );
    const run = (...args: string[]) => runCli(args, { cwd, env: { LOADFORM_API_KEY: apiKey, CI: "1" } });
    expect((await run("apply", "tests/*", "--auto-approve")).code).toBe(0);
    const [, b] = (await service.call("GET", "/test-cases")).body as readonly {
      readonly id: number;
      readonly name: string;
    }[];
    expect((await service.call("PUT", `/test-cases/${b?.id}`, { name: "by hand" })).status).toBe(200);
    const file = join(cwd, "tests/c/loadform.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("first", "ours"));
    return { cwd, run };
  }

  it("ends with a table, shows what drifted with commands for its folder, and exits 2", async () => {
    const { run } = await drifted();
    const { code, stdout, stderr } = await run("drift", "tests/*");
    expect([code, stderr]).toEqual([2, ""]);
    expect(stdout).toContain("loadform apply tests/b --target testCase.b");
    expect(stdout).not.toContain("tests/a\n");
    expect(stdout.slice(stdout.lastIndexOf("\nProject") + 1)).toBe(`Project  Drifted  Not applied  Result
tests/a        0            0  in sync
tests/b        1            0  drifted
tests/c        0            1  in sync
3 projects: 2 in sync, 1 drifted. 2 requests.
`);
    const { projects } = JSON.parse((await run("drift", "tests/*", "--json")).stdout) as {
      readonly projects: readonly { readonly dir: string; readonly resource_drift: readonly unknown[] }[];
    };
    expect(projects.map(({ dir, resource_drift }) => [dir, resource_drift.length])).toEqual([
      ["tests/a", 0],
      ["tests/b", 1],
      ["tests/c", 0],
    ]);
    expect((await run("drift", "tests/a", "tests/b", "--accept", "testCase.b")).stderr).toContain(
      "--accept takes one project",
    );
  });

  it("counts an object that another of the projects binds as declared", async () => {
    const { run } = await drifted();
    expect((await run("drift", "tests/a", "--fail-on-unmanaged")).code).toBe(2);
    expect((await run("drift", "tests/a", "tests/b", "--fail-on-unmanaged")).stdout).toMatch(/tests\/a .* 2 +drifted/);
    const all = await run("drift", "tests/*", "--fail-on-unmanaged");
    expect(all.stdout).toContain("3 projects: 2 in sync, 1 drifted.");
  });

  it("writes one report with the table and a section for each project with something to decide", async () => {
    const { cwd, run } = await drifted();
    await run("drift", "tests/*", "--markdown", "drift.md");
    const drift = readFileSync(join(cwd, "drift.md"), "utf8");
    expect(drift).toMatch(/^<!-- loadform-drift tests%2F\* -->\n\n## Load tests: drift of 3 projects\n/);
    expect(drift).toContain("| `tests/b` | 1 | 0 | drifted |");
    expect([...drift.matchAll(/^## .*/gm)].map(([head]) => head)).toEqual([
      "## Load tests: drift of 3 projects",
      "## Load tests: drift of `b`",
      "## Load tests: drift of `c`",
    ]);
    expect(drift).toContain("loadform drift tests/b --accept testCase.b");
    await run("plan", "tests/*", "--markdown", "plan.md", "--detailed-exitcode");
    const plan = readFileSync(join(cwd, "plan.md"), "utf8");
    expect([...plan.matchAll(/^## .*/gm)].map(([head]) => head)).toEqual([
      "## Load tests: plan for 3 projects",
      "## Load tests: plan for `b`",
      "## Load tests: plan for `c`",
    ]);
    const [command = ""] = /loadform apply tests\/c --digest \S+/.exec(plan) ?? [];
    expect((await run(...command.split(" ").slice(1))).code).toBe(0);
    const unwritable = await run("plan", "tests/*", "--markdown", "no/plan.md");
    expect([unwritable.code, unwritable.stderr]).toEqual([
      1,
      expect.stringContaining("could not be saved to no/plan.md"),
    ]);
  });

  it("formats the YAML projects of a glob, with the files on stdout and the table on stderr", async () => {
    const cwd = folderOf({
      "tests/a/loadform.yaml": namedProject("a").replace("project: a", "project:   a"),
      "tests/b/loadform.yaml": "project: b\nservice: { url: 'memory:' }\n".replaceAll("'", '"'),
      "tests/program/loadform.config.ts": "export default {};\n",
    });
    const check = await runCli(["fmt", "--check", "tests/*"], { cwd });
    expect([check.code, check.stdout]).toEqual([1, "tests/a/loadform.yaml\n"]);
    expect(check.stderr).toContain("2 projects: 1 to format, 1 canonical.");
    expect((await runCli(["fmt", "tests/a", "tests/b"], { cwd })).code).toBe(0);
    expect((await runCli(["fmt", "--check", "tests/**", "--quiet"], { cwd })).stderr).toBe("");
    const named = await runCli(["fmt", "tests/a", "tests/program"], { cwd });
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining("loadform.config.ts is a program")]);
  });

  it("validates all, and exits by the worst", async () => {
    const limits = "limits: { users: { atPeak: 1 } }\n";
    const configured = `${namedProject("b", undefined, limits)}    configurations:
      smoke:
        scenario: browse
        concurrentClients: 40
        durationSecs: 600
        providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }]
        schedules: { nightly: { scheduleType: Recurring, recurringInterval: Day, hour: 2 } }
`;
    const cwd = folderOf({
      "tests/a/loadform.yaml": namedProject("a"),
      "tests/b/loadform.yaml": configured,
      "tests/c/loadform.yaml": "project: c\ntestCase: {}\n",
    });
    const two = await runCli(["validate", "tests/[ab]"], { cwd });
    expect([two.code, two.stdout]).toEqual([3, expect.stringContaining("2 projects: 1 valid, 1 blocked.")]);
    const { code, stdout } = await runCli(["validate", "tests/*", "--json"], { cwd });
    const { projects } = JSON.parse(stdout) as {
      readonly projects: readonly { readonly dir: string; readonly valid: boolean }[];
    };
    expect([code, ...projects.map(({ valid }) => valid)]).toEqual([1, true, false, false]);
  });
});
