import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applied, projectOf } from "../support/gated-project.ts";
import { freshFolder, runCli } from "../support/run-cli.ts";

describe("a run that is not started", () => {
  it("is refused with 3 where a data store that is no longer declared would still be used", async () => {
    const stores = 'dataStores: { a.csv: { contents: "n\\na\\n" }, b.csv: { contents: "n\\nb\\n" } }';
    const text = projectOf().replace("browse: { script", `browse: { ${stores}, script`);
    const { loadform, write } = await applied(text);
    write(text.replace(', b.csv: { contents: "n\\nb\\n" }', ""));
    const { code, stderr } = await loadform(["run"]);
    expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
      3,
      expect.stringContaining("to be deleted: testCase.checkout/scenario.browse/dataStore.b.csv"),
    ]);
    expect((await loadform(["apply", "--auto-approve"])).code).toBe(0);
    expect((await loadform(["run"])).code).toBe(0);
  });

  it("is refused with 3 and the differences where the project was not applied, unless that is wanted", async () => {
    const { loadform, write } = await applied();
    write(projectOf().replace("concurrentClients: 2", "concurrentClients: 3").replace("minute: 30", "minute: 31"));
    const { code, stdout, stderr } = await loadform(["run", "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { diagnostics: [{ code: "LF7001" }] }]);
    expect(stdout).toMatch(
      /changed: testCase.checkout\/configuration.smoke \(concurrentClients\)\. Apply it first: loadform apply/,
    );
    expect(stderr).not.toContain("was started");
    const stale = await loadform(["run", "--stale-ok", "--json", "--markdown", "m.md"]);
    expect([stale.code, JSON.parse(stale.stdout)]).toMatchObject([
      0,
      { runs: [{ stale: true, verdict: "passed", summary: { usersPlanned: 2 } }] },
    ]);
    expect((await loadform(["run", "--stale-ok"])).stdout).toContain("stale: what ran is not what is declared");
  });

  it("does not count schedules, pending tags and other objects as differences", async () => {
    const { loadform, write } = await applied();
    write(
      projectOf()
        .replace("minute: 30", "minute: 31")
        .replace("testCases:", "tags: { new: {} }\ntestCases:\n  other: {}"),
    );
    expect((await loadform(["run"])).code).toBe(0);
  });

  it("is refused with 3 before anything was applied", async () => {
    const cwd = freshFolder();
    writeFileSync(join(cwd, "loadform.yaml"), projectOf());
    expect((await runCli(["run"], { cwd })).code).toBe(3);
    expect((await runCli(["report"], { cwd })).code).toBe(1);
  });

  it.each([
    [["--no-wait"], "--no-wait cannot be used with memory:FILE"],
    [["--gate", "releas"], "Did you mean release?"],
    [["--configuration", "checkout/smok"], "there is no configuration checkout/smok"],
    [["--execution", "abc"], "--execution takes the number of one run"],
  ])("run %o is exit 1", async (flags, message) => {
    const { loadform } = await applied();
    const { code, stderr } = await loadform(["run", ...flags]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it.each([["memory:", "memory: keeps nothing that could be run"]])("at %s is exit 1", async (url, message) => {
    const { loadform, write } = await applied();
    write(projectOf().replace("memory:.loadform/service.json", url));
    const { code, stderr } = await loadform(["run"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it.each([
    ["without gates names the configurations", "gates: {}\n", "--configuration testCase.checkout/configuration.smoke"],
    [
      "with several gates names them",
      "gates:\n  a: { configuration: checkout/smoke }\n  b: { configuration: checkout/smoke }\n",
      "--gate a, --gate b",
    ],
  ])("%s", async (_, gates, message) => {
    const { loadform, write } = await applied();
    write(projectOf().replace(/gates:\n.*\n/, gates));
    const { code, stderr } = await loadform(["run"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it("starts nothing for a gate that a variable of the environment is missing for, and takes no other one for it", async () => {
    const { loadform, write } = await applied();
    const gates = `gates:\n  a: { configuration: checkout/smoke, minimum: { requests: "\${env:LEAST}" } }\n`;
    write(projectOf().replace(/gates:\n.*\n/, gates));
    const { code, stderr } = await loadform(["run"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("gate a cannot be judged")]);
    expect(stderr).not.toContain("was started");
    write(projectOf().replace(/gates:\n/, gates));
    expect((await loadform(["run"])).stderr).toContain("the project has several gates");
  });

  it("is refused where a result could not be written at its end", async () => {
    const { loadform, file } = await applied();
    const flags = ["--junit", "missing/j.xml", "--html", "loadform.yaml", "--markdown", "m.md"];
    const { code, stderr } = await loadform(["run", ...flags]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("the JUnit file could not be saved to missing/j.xml")]);
    expect(stderr).toContain("the page could not be saved to loadform.yaml");
    expect(stderr).not.toContain("was started");
    expect(() => file("m.md")).toThrow("ENOENT");
  });
});
