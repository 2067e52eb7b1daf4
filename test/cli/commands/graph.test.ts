import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli } from "../../support/run-cli.ts";
import { projectFolder } from "../../support/small-project.ts";

const mermaid = `flowchart LR
  subgraph n0["testCase.checkout"]
    n1["scenario.browse"]:::plain
  end
  class n0 plain
  classDef plain fill:#ffffff,stroke:#555d6b,color:#161a20
`;

describe("graph", () => {
  it("prints Mermaid, and nothing else", async () => {
    expect(await runCli(["graph"], { cwd: projectFolder() })).toEqual({ code: 0, stdout: mermaid, stderr: "" });
  });

  it.each([
    [
      "svg",
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [\s\S]*<title id="graph-t">small<\/title>[\s\S]*<\/svg>\n$/,
    ],
    ["dot", /^digraph loadform \{\n[\s\S]*"testCase\.checkout" -> "testCase\.checkout\/scenario\.browse" [\s\S]*\}\n$/],
  ])("prints %s", async (format, text) => {
    const { code, stdout } = await runCli(["graph", projectFolder(), "--format", format]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(text)]);
  });

  it("needs no service and no secret, and prints none", async () => {
    const service = 'project: small\nservice: { url: "http://127.0.0.1:9/api" }\n';
    const objects = `tags: { nightly: { name: "\${env:LABEL}" }, "a": { name: "the-hidden-word b" } }\n`;
    const cwd = projectFolder(service + objects);
    const without = await runCli(["graph"], { cwd });
    expect([without.code, without.stdout]).toEqual([0, expect.stringContaining("tag.nightly")]);
    const { stdout } = await runCli(["graph"], { cwd, env: { LABEL: "the-hidden-word" } });
    expect(stdout).toContain("tag.nightly");
    expect(stdout).not.toContain("hidden");
  });

  it("and validate and expand need no address of a service either, which a plan asks for", async () => {
    const cwd = projectFolder("project: small\ntags: { nightly: {} }\n");
    expect(await runCli(["graph"], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining("tag.nightly") });
    expect(await runCli(["validate"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    const { code, stdout } = await runCli(["expand"], { cwd });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("service")]);
    expect(stdout).toContain("state: .loadform/state.json");
    expect(await runCli(["plan"], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining("LF1103") });
  });

  it("says what is wrong with a project, and draws nothing", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "loadform.yaml"), "project: small\ntestcases: {}\n");
    const { code, stdout, stderr } = await runCli(["graph"], { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("loadform.yaml:2");
  });
});

describe("the picture in the comment of plan --markdown", () => {
  it("has what is created, and what is deleted with what referred to it", async () => {
    const text = (objects: string) =>
      `project: small\nservice: { url: "memory:.loadform/service.json" }\nproviders: { grid: { providerType: Shared } }\n${objects}`;
    const cwd = projectFolder(text("regions: { dc1: { provider: grid } }\ntags: { unused: {} }\n"));
    expect((await runCli(["apply", "--auto-approve"], { cwd })).code).toBe(0);
    writeFileSync(join(cwd, "loadform.yaml"), text("vcsRoots: { scripts: { url: https://git.example.com/a.git } }\n"));
    await runCli(["plan", "--markdown", "plan.md"], { cwd });
    const picture = /```mermaid\n([\s\S]*?)```/.exec(readFileSync(join(cwd, "plan.md"), "utf8"))?.[1];
    expect(picture).toBe(`flowchart LR
  n0(["vcsRoot.scripts<br/>create"]):::create
  n1["provider.grid"]:::same
  n2[/"region.dc1<br/>delete"\\]:::delete
  n2 --> n1
  classDef create fill:#d9f2e1,stroke:#116b3a,color:#0b3d22
  classDef same fill:#eceef1,stroke:#a0a7b2,color:#4b535f
  classDef delete fill:#fbe1de,stroke:#ab231c,color:#6b120d,stroke-dasharray:6 3
`);
  });
});
