import { describe, expect, it } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { folderOf, namedProject } from "../../support/small-project.ts";

/** Two projects on one data file, a folder without one, and a project without objects to change. */
const two = {
  "tests/a/loadform.yaml": namedProject("a"),
  "tests/b/loadform.yaml": namedProject("b"),
  "tests/empty/README": "no project",
};

interface Document {
  readonly projects: readonly {
    readonly dir: string;
    readonly project: string;
    readonly requests: number;
    readonly diagnostics: readonly { readonly code: string; readonly summary: string }[];
    readonly digest: string;
    readonly created_at: string;
  }[];
}

describe("plan of several projects", () => {
  it("plans those of a glob, and ends with a table", async () => {
    const cwd = folderOf(two);
    const { code, stdout, stderr } = await runCli(["plan", "tests/*"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("tests/a\na at memory:../../service.json, organization 1:\n\n  + testCase.a\n");
    expect(stdout.slice(stdout.lastIndexOf("\n\n") + 2)).toBe(`Project  Create  Update  Delete  Result
tests/a       2       0       0  with changes
tests/b       2       0       0  with changes
2 projects: 2 with changes. 2 requests.
`);
    expect(await runCli(["plan", "tests/b", "tests/a", "--detailed-exitcode"], { cwd })).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/\ntests\/b .*\ntests\/a /),
    });
  });

  it("prints one document with --json, also of a glob that matches one project", async () => {
    const cwd = folderOf(two);
    const { stdout } = await runCli(["plan", "tests/*", "--json"], { cwd });
    const { projects } = JSON.parse(stdout) as Document;
    expect(projects.map(({ dir, project, requests }) => [dir, project, requests])).toEqual([
      ["tests/a", "a", 2],
      ["tests/b", "b", 0],
    ]);
    const alone = JSON.parse(
      (await runCli(["plan", "tests/b", "--json"], { cwd })).stdout,
    ) as Document["projects"][number];
    const { dir: _dir, ...together } = projects[1] ?? {};
    expect({ ...together, requests: 0, created_at: "" }).toEqual({ ...alone, requests: 0, created_at: "" });
    const one = JSON.parse((await runCli(["plan", "tests/[b]", "--json"], { cwd })).stdout) as Document;
    expect(one.projects.map(({ dir }) => dir)).toEqual(["tests/b"]);
  });

  it("refuses a glob that matches none and a named folder without a project, before it plans any", async () => {
    const cwd = folderOf(two);
    const { code, stdout, stderr } = await runCli(["plan", "tests/a", "tests/empty", "other/*"], { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("LF1001: no project in tests/empty");
    expect(stderr).toContain("LF1001: the glob matches no project");
  });

  it.each([
    ["--out", "plan.json"],
    ["--target", "testCase.a"],
    ["--replace", "testCase.a"],
    ["--adopt", "name"],
  ])("takes %s for one project only", async (...flag) => {
    const { code, stderr } = await runCli(["plan", "tests/*", ...flag], { cwd: folderOf(two) });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`LF9001: ${flag[0]} takes one project`)]);
  });

  it("plans the others when one is wrong, and says the same problem once", async () => {
    const broken = "project: c\nservice: { url: 'http://127.0.0.1:9' }\n";
    const cwd = folderOf({
      ...two,
      "tests/c/loadform.yaml": "project: c\ntestCase: {}\n",
      "tests/d/loadform.yaml": broken,
      "tests/e/loadform.yaml": broken,
    });
    const { code, stdout, stderr } = await runCli(["plan", "tests/*"], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining("5 projects: 2 with changes, 3 failed. 2 requests.")]);
    expect(stderr).toContain("tests/c/loadform.yaml:2:1");
    expect(stderr.match(/Set \$LOADFORM_API_KEY to/g)).toHaveLength(1);
    expect(stderr).toContain("tests/e (c):\nerror LF2006: no key for the service: as for tests/d");
  });

  it("refuses projects of two services with one variable, or with $LOADFORM_URL, before any request", async () => {
    const at = (port: number, more = "") => `project: p${port}\nservice: { url: "http://127.0.0.1:${port}"${more} }\n`;
    const named = at(9, `, apiKey: "\${env:B_KEY}"`);
    const files = { "a/loadform.yaml": at(8), "b/loadform.yaml": at(9), "c/loadform.yaml": named };
    const env = { LOADFORM_API_KEY: "same-key-1", B_KEY: "same-key-1", LOADFORM_LOG: "debug" };
    const cwd = folderOf(files);
    const one = await runCli(["plan", "a", "b"], { cwd, env });
    expect([one.code, one.stderr]).toEqual([1, expect.stringContaining("LF2007: two services would get one key")]);
    expect(one.stderr).not.toContain("GET /");
    const url = await runCli(["plan", "a", "c"], { cwd, env: { ...env, LOADFORM_URL: "http://127.0.0.1:8" } });
    expect([url.code, url.stderr]).toEqual([1, expect.stringContaining("LF2007: $LOADFORM_URL cannot stand for two")]);
    expect(url.stderr).not.toContain("GET /");
    const { code, stdout } = await runCli(["validate", "a", "c"], { cwd, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("2 projects: 2 valid.")]);
    expect((await runCli(["validate", "a", "b"], { cwd, env })).code).toBe(1);
  });

  it("refuses two projects with one state, and names both; others are planned", async () => {
    const state = "state: { backend: local, path: ../state.json }\n";
    const cwd = folderOf({
      ...two,
      "tests/c/loadform.yaml": namedProject("c", undefined, state),
      "tests/d/loadform.yaml": namedProject("d", undefined, state),
    });
    const { code, stdout, stderr } = await runCli(["plan", "tests/*"], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining("4 projects: 2 with changes, 2 failed.")]);
    expect(stderr).toContain("LF5010: tests/c has the same state as tests/d");
    expect(stderr).toContain("LF5010: tests/d has the same state as tests/c");
    expect((await runCli(["validate", "tests/c", "tests/d"], { cwd })).code).toBe(1);
  });

  it("refuses two projects that bind one object, also when their plans are known to be unchanged", async () => {
    const cwd = folderOf(two);
    expect((await runCli(["apply", "tests/a", "--auto-approve"], { cwd })).code).toBe(0);
    const { readFileSync } = await import("node:fs");
    const state = readFileSync(`${cwd}/tests/a/.loadform/state.json`, "utf8");
    const copied = folderOf({
      "tests/a/loadform.yaml": namedProject("a", `memory:${cwd}/service.json`),
      "tests/copy/loadform.yaml": namedProject("a", `memory:${cwd}/service.json`),
      "tests/a/.loadform/state.json": state,
      "tests/copy/.loadform/state.json": state,
    });
    for (const folder of ["tests/a", "tests/copy"]) await runCli(["state", "retarget", folder], { cwd: copied });
    for (const folder of ["tests/a", "tests/copy", "tests/a"])
      expect(await runCli(["plan", folder], { cwd: copied })).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("No changes"),
      });
    const { code, stderr } = await runCli(["plan", "tests/*"], { cwd: copied });
    expect([code, stderr]).toEqual([1, expect.stringContaining("LF5010: tests/a binds the same object as tests/copy")]);
    expect(stderr).toContain("testCase.a and 1 more are bound by tests/a and by tests/copy");
  });

  it("shows no secret of one project in a message about another", async () => {
    const more = `variables: { token: { default: "\${env:TOKEN}" } }\n`;
    const cwd = folderOf({
      "a/loadform.yaml": namedProject("a", "memory:../service.json", more).replace("run();", "${var:token}"),
      "b/loadform.yaml": namedProject("b", "memory:../service.json").replace(
        "    scenarios",
        "    description: hushhush-4711\n    scenarios",
      ),
    });
    for (const args of [
      ["plan", "a", "b"],
      ["plan", "?", "--json"],
    ]) {
      const { stdout, stderr } = await runCli(args, { cwd, env: { TOKEN: "hushhush-4711" } });
      expect(`${stdout}${stderr}`).not.toContain("hushhush-4711");
    }
  });
});
