import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli } from "../support/run-cli.ts";
import { projectFolder } from "../support/small-project.ts";

describe("a command line that leads nowhere", () => {
  it("says that there is no file or folder at all", async () => {
    for (const args of [
      ["apply", "nofile.json"],
      ["validate", "no-folder"],
    ]) {
      const { code, stderr } = await runCli(args, { cwd: freshFolder() });
      expect([code, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("There is no file or folder ")]);
      expect(stderr).not.toContain("loadform.yaml");
    }
  });

  it("leads from the file of a project to its folder", async () => {
    const folder = projectFolder();
    for (const command of ["validate", "plan", "drift"]) {
      const { code, stderr } = await runCli([command, "loadform.yaml"], { cwd: folder });
      expect([code, stderr.replace(/\s+/g, "")]).toEqual([
        1,
        expect.stringContaining(`Namethefolderoftheproject:${folder}`),
      ]);
    }
    mkdirSync(join(folder, "load"));
    writeFileSync(join(folder, "load/shop.yaml"), "testCases: {}\n");
    const below = await runCli(["plan", "load/shop.yaml"], { cwd: folder });
    expect(below.stderr.replace(/\s+/g, "")).toMatch(new RegExp(`Namethefolderoftheproject:${folder}(?!/load)`));
    const { code, stderr } = await runCli(["apply", "loadform.yaml"], { cwd: folder });
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([1, expect.stringContaining("or the folder of a project")]);
  });

  it("gets the saved plan as words that a shell reads", async () => {
    const { stderr } = await runCli(["plan", "--out", "my plan.json"], { cwd: projectFolder() });
    expect(stderr).toContain("loadform apply 'my plan.json'");
  });

  it("leads from a mistyped state command to the others", async () => {
    const { code, stderr } = await runCli(["state", "lst"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("loadform state --help")]);
  });

  it("is at home in the root folder", async () => {
    const { stderr } = await runCli(["whoami", "/"]);
    expect(stderr).not.toMatch(/outside|LF9002/);
  });
});
