import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { servedProject } from "../support/served-project.ts";
import { sharedService } from "../support/shared-service.ts";

const main = `project: shop
include: ["load/*.yaml"]
environments: { other: { testCases: { shop: { name: Other } } } }
testCases: { shop: {} }
`;
const one = `testCases:
  one:
    scenarios:
      run: { script: "\${file:one/run.js}" }
`;

describe("objects that nobody declared", () => {
  const service = sharedService();

  it("are drift with --fail-on-unmanaged, of every kind, and no drift without", async () => {
    const project = servedProject(service, main.replace(/include.*\n/, ""));
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    expect((await project.run("apply", "--auto-approve", "--env", "other")).code).toBe(0);
    expect(await project.run("drift", "--fail-on-unmanaged")).toMatchObject({ code: 0, stderr: "" });
    await service.call("POST", "/test-cases", { name: "By hand", org: 1 });
    await service.call("POST", "/orgs/1/vcs-roots", {
      name: "scripts",
      url: "https://git.example.com/a.git",
      branch: "main",
    });
    expect((await project.run("drift")).code).toBe(0);
    const { code, stdout } = await project.run("drift", "--fail-on-unmanaged");
    expect([code, stdout]).toEqual([2, expect.stringContaining("Drift: 2 objects not declared.")]);
    expect(stdout).toContain('"By hand"');
    expect(stdout).toContain("\n  loadform import --all\n");
    expect(stdout).not.toContain("Other");
    const json = await project.run("drift", "--fail-on-unmanaged", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ summary: { declared_by_nobody: 2 } });
  });
});

describe("what an acceptance takes out", () => {
  const service = sharedService();

  it("leaves no file without an object and no script that nothing uses, and says that an apply is needed", async () => {
    const project = servedProject(service, main);
    const put = (path: string, text: string) => writeFileSync(join(project.cwd, path), text);
    const { mkdirSync } = await import("node:fs");
    mkdirSync(join(project.cwd, "load/one"), { recursive: true });
    put("load/one.yaml", one);
    put("load/two.yaml", one.replace("  one:", "  two:").replace("one/run.js", "run.js"));
    put("load/one/run.js", "run();");
    put("load/run.js", "run();");
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    const cases = (await service.call("GET", "/test-cases")).body as readonly { id: number; name: string }[];
    await service.call("DELETE", `/test-cases/${cases.find(({ name }) => name === "one")?.id}`);
    const found = await project.run("drift");
    expect(found.stdout).toContain("\n  loadform apply --target testCase.one\n");
    const { code, stdout } = await project.run("drift", "--accept", "**");
    expect([code, stdout]).toEqual([0, expect.stringContaining("  - load/one.yaml deleted")]);
    expect(stdout).toContain("Next: loadform apply forgets what was deleted at the service");
    expect(readdirSync(join(project.cwd, "load")).sort()).toEqual(["run.js", "two.yaml"]);
    expect((await project.run("apply", "--auto-approve")).code).toBe(0);
    expect((await project.run("plan", "--detailed-exitcode")).code).toBe(0);
  });
});
