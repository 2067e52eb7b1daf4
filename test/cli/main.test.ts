import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { loadCommand } from "../../src/cli/commands/index.ts";
import { freshFolder, runCli, runProcess } from "../support/run-cli.ts";
import { projectFolder, smallProject } from "../support/small-project.ts";
import { repository } from "../support/source-files.ts";

interface Document {
  readonly diagnostics: readonly { readonly code: string; readonly summary: string }[];
}

describe("the program", () => {
  it("prints its version and its help on stdout", async () => {
    const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
    expect(await runProcess(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    const help = await runProcess(["plan", "--help"]);
    expect([help.code, help.stderr]).toEqual([0, ""]);
    expect(help.stdout).toContain("Examples:\n  loadform plan\n");
  });

  it("refuses a wrong command line with exit 1 and words on stderr", async () => {
    const { code, stdout, stderr } = await runProcess(["aply"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("error LF9001: unknown command 'aply'\n  Did you mean apply?");
  });

  it("prints no colours into a pipe", async () => {
    expect((await runProcess(["aply"])).stderr).not.toContain("\u001b");
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
    expect(stderr).toContain("There is no folder");
    expect(existsSync(join(cwd, "none"))).toBe(false);
  });

  it.each([
    [{ CI: "1" }, "$CI is set, so loadform did not ask"],
    [{ CI: "false" }, "There is no terminal to ask at"],
  ])("says why nobody was asked: %j", async (env, why) => {
    const { code, stderr } = await runProcess(["apply"], { cwd: projectFolder(), env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  });

  it("keeps the bundled service's own key as a word", async () => {
    const cwd = projectFolder(smallProject.replace("testCases:", "state: { backend: lokal }\ntestCases:"));
    const { stderr } = await runCli(["validate"], { cwd, env: { LOADFORM_API_KEY: "local" } });
    expect(stderr).toContain("it must be local, http");
  });

  it("says of snapshot --out what it saves", async () => {
    const { stdout } = await runCli(["snapshot", "--help"]);
    expect(stdout).not.toContain("save the plan");
  });

  it("explains a code", async () => {
    const { code, stdout } = await runCli(["explain", "LF5008"]);
    expect([code, stdout.split("\n")[0]]).toEqual([0, "LF5008: not the plan that was saved or reviewed"]);
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

describe("a program that prints", () => {
  const program = `import { App, TestCase } from "loadform";
console.log("made by hand");
process.stdout.write("and this");
const app = new App({ project: "talks", service: { url: "memory:" } });
new TestCase(app, "checkout");
export default app;
`;

  it("leaves stdout to the result", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "loadform.config.ts"), program);
    const { code, stdout, stderr } = await runProcess(["plan", "--json"], { cwd });
    expect([code, stderr]).toEqual([0, "made by hand\nand this"]);
    expect(JSON.parse(stdout)).toMatchObject({ project: "talks", summary: { create: 1 } });
  });
});

describe("a program that awaits nothing", () => {
  const program = `import { App, TestCase } from "loadform";
const app = new App({ project: "hasty", service: { url: "memory:" } });
async function more() { for (const name of JSON.parse("nothing")) new TestCase(app, name); }
more();
export default app;
`;

  it("fails where its work does, however fast it is read: not as a project without what is missing", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "loadform.config.ts"), program);
    // From the second time on it is read from the cache.
    for (let time = 0; time < 4; time++) {
      const { code, stderr } = await runProcess(["validate"], { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining("LF1006")]);
    }
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
    const cwd = projectFolder(smallProject.replace("script:", "skript:"));
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

describe("the table of commands", () => {
  it("has code behind every command", async () => {
    const files = readdirSync(join(repository, "src/cli/commands"))
      .map((file) => file.replace(".ts", ""))
      .filter((name) => name !== "index");
    const names = commandTable.filter((spec) => !spec.name.includes(" ")).map(({ name }) => name);
    // What a destroy does is an apply of a plan that declares nothing.
    expect(names.sort()).toEqual([...files, "destroy"].sort());
    expect(await loadCommand("destroy")).toBe(await loadCommand("apply"));
    await expect(loadCommand("nothing")).rejects.toThrow("the table of commands has nothing, and no file has its code");
    for (const { name } of commandTable) expect(await loadCommand(name), name).toBeInstanceOf(Function);
  });
});
