import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { servedProject } from "../../support/served-project.ts";
import { sharedService } from "../../support/shared-service.ts";

const canary = "canary-7f3a9c51";
const text = `project: small
testCases:
  checkout:
    protect: true
    description: Buying path
    scenarios:
      browse:
        script: |
          step("a");
          step("b");
vcsRoots:
  scripts: { url: "https://git.example.com/load.git", vcsAuthType: Username, username: ci, password: "\${env:GIT_TOKEN}" }
`;

describe("plan --markdown", () => {
  const service = sharedService();

  const project = (source = text) => {
    const { cwd, write } = servedProject(service, source);
    const env = { LOADFORM_URL: service.ready.url, LOADFORM_API_KEY: service.ready.apiKey, GIT_TOKEN: canary };
    const runWith = (more: Record<string, string>, ...args: string[]) =>
      runCli(args, { cwd, env: { ...env, ...more } });
    const run = (...args: string[]) => runWith({}, ...args);
    return { cwd, write, run, runWith, file: (name: string) => readFileSync(join(cwd, name), "utf8") };
  };

  it("writes a comment, and changes neither what is printed nor the exit code", async () => {
    const { run, file } = project();
    const plain = await run("plan", "--detailed-exitcode");
    const both = await run("plan", "--detailed-exitcode", "--markdown", "plan.md");
    expect(plain.code).toBe(2);
    expect(both).toEqual(plain);
    const [marker, , heading] = file("plan.md").split("\n");
    expect([marker, heading]).toEqual(["<!-- loadform-plan . -->", "## Load tests: plan for `small`"]);
    expect(file("plan.md")).toMatch(/```sh\nloadform apply --digest -\.[0-9a-f]{64}\n```/);
  });

  it("carries the digest of the saved plan and of the JSON, and says which file to apply", async () => {
    const { run, file } = project();
    const { stdout, code } = await run("plan", "--json", "--out", "p.json", "--markdown", "p.md");
    const { digest } = JSON.parse(stdout) as { digest: string };
    expect(code).toBe(0);
    expect((JSON.parse(file("p.json")) as { digest: string }).digest).toBe(digest);
    expect(file("p.md")).toContain(`Digest of this plan: \`${digest}\``);
    expect(file("p.md")).toContain("```sh\nloadform apply p.json\n```");
    expect((await run("apply", "p.json")).code).toBe(0);
  });

  it("is the same for the same plan, and shows scripts line by line", async () => {
    const { run, file, write } = project();
    expect((await run("apply", "--auto-approve")).code).toBe(0);
    write(text.replace('step("b")', 'step("c")'));
    await run("plan", "--markdown", "one.md");
    await run("plan", "--markdown", "two.md");
    expect(file("two.md").replaceAll("two.md", "one.md")).toBe(file("one.md"));
    expect(file("one.md")).toContain('\n step("a");\n-step("b");\n+step("c");\n');
  });

  it("says that a guard blocks, with exit code 3", async () => {
    const { run, file, write } = project();
    await run("apply", "--auto-approve");
    write("project: small\ntags: { nightly: {} }\n");
    expect((await run("plan", "--markdown", "plan.md")).code).toBe(3);
    expect(file("plan.md")).toContain("blocked by 1 guard");
    expect(file("plan.md")).toContain("error LF4001: testCase.checkout is protected");
    expect(file("plan.md")).not.toContain("loadform apply");
  });

  it("says what is wrong with a project that cannot be planned, under the same marker", async () => {
    const { run, file } = project("project: small\ntestCasse: {}\n");
    const { code, stderr } = await run("plan", "--markdown", "plan.md");
    expect([code, stderr]).toEqual([1, expect.stringContaining("testCasse")]);
    expect(file("plan.md")).toMatch(
      /^<!-- loadform-plan \. -->\n\n## Load tests: no plan\n\n> 🛑 \*\*1 error\*\*: no plan/,
    );
    expect(file("plan.md")).toContain("2 | testCasse: {}");
  });

  it("says the commit and the run of the pipeline", async () => {
    const { runWith, file } = project();
    const github = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_REPOSITORY: "a/b", GITHUB_RUN_ID: "7" };
    await runWith({ GITHUB_SHA: "feedfacefeedface", ...github }, "plan", "--markdown", "plan.md");
    expect(file("plan.md")).toMatch(
      /Commit: `feedfacefeed`, \d{4}-\d\d-\d\d \d\d:\d\d UTC \(\[run\]\(https:\/\/git\.example\.com\/a\/b\/actions\/runs\/7\)\)/,
    );
    await runWith(
      { CI_COMMIT_SHA: "0ddba11", CI_JOB_URL: "https://lab.example.com/8" },
      "plan",
      "--markdown",
      "plan.md",
    );
    expect(file("plan.md")).toMatch(/Commit: `0ddba11`, .*\(\[run\]\(https:\/\/lab\.example\.com\/8\)\)/);
  });

  it("tells folders and environments apart", async () => {
    const { run, file } = project(`${text}environments: { staging: {} }\n`);
    const how = ["--quiet", "--timeout", "9"];
    await run("plan", ".", "--env", "staging", ...how, "--target", "testCase.*", "--markdown", "plan.md");
    expect(file("plan.md").split("\n")[0]).toBe("<!-- loadform-plan . staging -->");
    expect(file("plan.md")).toContain("Planned with `--target testCase.*`");
    expect(file("plan.md")).toContain("loadform apply . --env staging --target 'testCase.*' --digest ");
  });

  it.each([[[]], [["--json"]], [["--out", "p.json"]]])("refuses a file that cannot be written, %j", async (flags) => {
    const { run } = project();
    const { code, stdout, stderr } = await run("plan", "--markdown", "loadform.yaml/plan.md", ...flags);
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain("LF1002");
    expect(`${stdout}${stderr}`).toContain("the report could not be saved to loadform.yaml/plan.md");
  });

  it("says nothing of applying a plan that could not be saved", async () => {
    const { run, file } = project();
    expect((await run("plan", "--out", "loadform.yaml/p.json", "--markdown", "plan.md")).code).toBe(1);
    expect(file("plan.md")).toContain("the plan could not be saved to loadform.yaml/p.json");
    expect(file("plan.md")).not.toContain("loadform apply");
  });

  it("never shows a secret, not even one that somebody wrote elsewhere", async () => {
    const { run, file, write } = project();
    await run("plan", "--markdown", "new.md");
    await run("apply", "--auto-approve");
    write(text.replace("username: ci", "username: bot").replace('step("b")', `step("${canary}")`));
    await run("plan", "--markdown", "changed.md");
    expect(file("changed.md")).toContain('+step("(sensitive)");');
    expect(`${file("new.md")}${file("changed.md")}`).not.toContain(canary);
  });
});
