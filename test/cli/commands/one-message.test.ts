import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { projectFolder } from "../../support/small-project.ts";

/** A project's folder with a change of its file. */
function changed(change: (text: string) => string): string {
  const cwd = projectFolder();
  const file = join(cwd, "loadform.yaml");
  writeFileSync(file, change(readFileSync(file, "utf8")));
  return cwd;
}

describe("one cause is one message", () => {
  it("the number of warnings is said once by validate", async () => {
    const secrets = ["a", "b"].map(
      (name) =>
        `  ${name}: { url: "https://a.example.com/${name}.git", vcsAuthType: Username, username: ci, password: "\${env:LF_${name}}" }`,
    );
    const cwd = changed((text) => `${text}\nvcsRoots:\n${secrets.join("\n")}\n`);
    const { code, stdout, stderr } = await runCli(["validate"], { cwd });
    expect([code, stderr.match(/2 warnings/g)?.length]).toEqual([0, 1]);
    expect(stdout).toMatch(/: 4 objects, no errors\.\n$/);
  });

  it("a state of another project is the only thing that a plan says", async () => {
    const cwd = projectFolder();
    await runCli(["apply", "--auto-approve"], { cwd });
    const file = join(cwd, "loadform.yaml");
    const other = readFileSync(file, "utf8")
      .replace(/^project: .*/m, "project: another")
      .replaceAll("checkout", "other")
      .replace("run();", "other();");
    writeFileSync(file, other);
    const { code, stdout, stderr } = await runCli(["plan"], { cwd });
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain("error LF4006: the state belongs to another project");
  });

  it("no key for a service on this machine says that of loadform serve", async () => {
    const run = (url: string) => runCli(["whoami"], { cwd: projectFolder(), env: { LOADFORM_URL: url } });
    expect((await run("http://127.0.0.1:9")).stderr.replace(/\s+/g, " ")).toContain(
      "Set $LOADFORM_API_KEY to a key for http://127.0.0.1:9. For loadform serve it is local, unless",
    );
    expect((await run("https://load.example.com")).stderr).not.toContain("loadform serve");
  });

  it("is no annotation where it only says that a job without secrets has none", async () => {
    const own = 'providers: { own: { name: "p${env:NOT_SET_ANYWHERE}", providerType: Shared } }';
    const cwd = changed((text) => `${text}${own}\n`);
    const github = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: dirname(cwd) };
    const { stderr } = await runCli(["validate"], { cwd, env: github });
    expect(stderr).toContain("LF1303");
    expect(stderr).not.toContain("::warning");
  });

  it("is shown at its line of a pull request too, where GitHub Actions reads the log", async () => {
    const cwd = changed((text) => text.replace(/^project: .*/m, "project: 7"));
    const github = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: dirname(cwd) };
    const { code, stderr } = await runCli(["validate"], { cwd, env: github });
    const [annotation = "", ...more] = stderr.split("\n").filter((line) => line.startsWith("::"));
    expect([code, more]).toEqual([1, []]);
    expect(annotation).toMatch(
      new RegExp(`^::error file=${basename(cwd)}/loadform\\.yaml,line=\\d+,col=\\d+,title=LF`),
    );
    expect((await runCli(["validate", "--json"], { cwd, env: github })).stderr).toBe("");
    expect((await runCli(["validate"], { cwd })).stderr).not.toContain("::");
  });
});
