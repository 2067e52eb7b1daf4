import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { projectFolder, smallProject } from "../../support/small-project.ts";
import { repository } from "../../support/source-files.ts";

describe("state and whoami", () => {
  it("show the state and repair it", async () => {
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

  it("are done while objects of the project break rules of the service, and not while it is unknown where the state is", async () => {
    const cwd = projectFolder();
    await runCli(["apply", "--auto-approve"], { cwd });
    const main = join(cwd, "loadform.yaml");
    writeFileSync(main, `${smallProject}    gateways: { shop: { url: "ftp://shop.example.com" } }\n`);
    expect((await runCli(["validate"], { cwd })).stderr).toContain("error LF12");
    const list = await runCli(["state", "list"], { cwd });
    expect([list.code, list.stdout, list.stderr]).toEqual([0, expect.stringContaining("scenario.browse"), ""]);
    expect((await runCli(["state", "unlock"], { cwd })).code).toBe(0);
    writeFileSync(main, `${smallProject}state: { backend: tape }\n`);
    expect((await runCli(["state", "list"], { cwd })).code).toBe(1);
  });

  it("push no state of another project into a place that has none", async () => {
    const [from, cwd] = [projectFolder(), projectFolder()];
    await runCli(["apply", "--auto-approve"], { cwd: from });
    const { stdout: input } = await runCli(["state", "pull"], { cwd: from });
    writeFileSync(join(cwd, "loadform.yaml"), smallProject.replace(/^project: \S+/m, "project: another"));
    const refused = await runCli(["state", "push"], { cwd, input });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("belongs to another project")]);
    expect((await runCli(["state", "list"], { cwd })).stdout).toBe("");
    writeFileSync(join(cwd, "loadform.yaml"), smallProject);
    expect((await runCli(["state", "push"], { cwd, input })).code).toBe(0);
  });

  it("push what comes on stdin, also by the name of a dash, and say so when a file is named", async () => {
    const cwd = projectFolder();
    await runCli(["apply", "--auto-approve"], { cwd });
    const { stdout } = await runCli(["state", "pull"], { cwd });
    expect((await runCli(["state", "push", "-"], { cwd, input: stdout })).code).toBe(0);
    writeFileSync(join(cwd, "state copy.json"), stdout);
    const named = await runCli(["state", "push", "state copy.json"], { cwd });
    expect([named.code, named.stderr.replace(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining("loadform state push < 'state copy.json'"),
    ]);
  });

  it("take a folder after their own arguments", async () => {
    const folder = projectFolder();
    await runCli(["apply", folder, "--auto-approve"]);
    expect((await runCli(["state", "show", "testCase.checkout", folder])).code).toBe(0);
  });

  it("say that the organization of the project is none of the key's", async () => {
    const cwd = projectFolder(smallProject.replace('service.json" }', 'service.json", organization: Nope }'));
    const { code, stdout, stderr } = await runCli(["whoami"], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining("  1  Default")]);
    expect(stderr.replace(/\s+/g, " ")).toContain(
      'The key sees 1 (Default): "Nope" of service.organization is none of these, or more than one',
    );
  });

  it("take the id of the organization from the environment too", async () => {
    const cwd = projectFolder(smallProject.replace('service.json" }', `service.json", organization: "\${env:ORG}" }`));
    for (const ORG of ["1", "Default"]) {
      expect((await runCli(["plan"], { cwd, env: { ORG } })).stdout).toContain("organization 1:");
      expect((await runCli(["whoami"], { cwd, env: { ORG } })).stdout).toContain("* 1  Default");
    }
    for (const command of ["plan", "whoami"]) {
      const { stderr } = await runCli([command], { cwd, env: { ORG: "Sup3rS3cret" } });
      expect(stderr).toContain("LF2004");
      expect(stderr).toContain('"(sensitive)"');
    }
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
