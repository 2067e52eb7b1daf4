import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshFolder, runCli } from "../../support/run-cli.ts";

/** A folder with a gate at the bundled service of a file. */
function shop(): string {
  const cwd = freshFolder();
  const text = `project: shop
service: { url: "memory:.loadform/service.json" }
gates: { release: { configuration: checkout/smoke, kpis: ["Outcome[success] > 95%"] } }
testCases:
  checkout:
    scenarios: { browse: { script: 'require("https").get("https://shop.example.com/", (response) => response.resume());' } }
    configurations:
      smoke: { scenario: browse, concurrentClients: 2, durationSecs: 60, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }
`;
  writeFileSync(join(cwd, "loadform.yaml"), text);
  return cwd;
}

describe("a KPI of the command line", () => {
  it.each([
    ["count >> 5", 8],
    ["firstReceivedMs[p95] < 300kg", 27],
    ["firstReceivedMs[p95 < 300ms", 16],
  ])("%j is an error at its column before the service is asked", async (kpi, column) => {
    const cwd = shop();
    const env = { LOADFORM_URL: "http://127.0.0.1:9", LOADFORM_API_KEY: "local" };
    for (const command of [["run"], ["run", "--execution", "1"], ["report"], ["report", "--execution", "1"]]) {
      const { code, stderr } = await runCli([...command, "--kpi", kpi], { cwd, env });
      expect([code, stderr]).toEqual([1, expect.stringContaining("LF1207")]);
      expect(stderr).toContain(`cannot be read at column ${column}`);
      expect(stderr).not.toContain("127.0.0.1");
    }
  });

  it("is doubted once, before the start, where its metric is none that the service measures", async () => {
    const cwd = shop();
    const loadform = (args: readonly string[]) => runCli(args, { cwd });
    expect((await loadform(["apply", "--auto-approve"])).code).toBe(0);
    const doubted = /LF1208[\s\S]*Did you mean firstReceivedMs\?/g;
    const asked = ["--kpi", "firstRecievedMs[p95] < 1s"];
    const { code, stderr } = await loadform(["run", ...asked]);
    expect([code, stderr.match(doubted)?.length]).toEqual([7, 1]);
    expect(stderr.search("LF1208")).toBeLessThan(stderr.search("was started"));
    const json = await loadform(["run", ...asked, "--json"]);
    expect([json.stderr, JSON.parse(json.stdout).diagnostics]).toEqual([
      expect.stringMatching(/LF1208[\s\S]*was started/),
      [expect.objectContaining({ code: "LF1208", severity: "warning" })],
    ]);
    for (const command of [["run", "--execution", "1"], ["report"], ["report", "--execution", "1"]])
      expect((await loadform([...command, ...asked])).stderr.match(doubted)?.length).toBe(1);
  });
});

describe("a chosen configuration", () => {
  const two = (cwd: string) => {
    const file = join(cwd, "loadform.yaml");
    const other =
      "      other: { scenario: browse, concurrentClients: 3, durationSecs: 60, providers: [{ provider: { id: 0 }, regions: [cloud-us-east-1] }] }\n";
    writeFileSync(file, readFileSync(file, "utf8") + other);
    return cwd;
  };

  it("is run once however it is named, and a run remains one of its own configuration", async () => {
    const cwd = two(shop());
    const loadform = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runCli([...args, "--json"], { cwd });
      return { code, stderr, document: args[0] === "apply" ? {} : (JSON.parse(stdout) as object) };
    };
    await loadform("apply", "--auto-approve");
    const address = "testCase.checkout/configuration.other";
    const once = await loadform("run", "--configuration", "checkout/other", "--configuration", address);
    expect(once).toMatchObject({ code: 0, document: { runs: [{ execution: 1, address }] } });
    const summary = "run 1 is not of testCase.checkout/configuration.smoke";
    const run = await loadform("run", "--execution", "1", "--gate", "release");
    expect(run.document).toMatchObject({ runs: [{ gate: "release", address }], diagnostics: [{ summary }] });
    const report = await loadform("report", "--execution", "1", "--gate", "release");
    expect(report.document).toMatchObject({ runs: [{ gate: "release", address }], warnings: [summary] });
    for (const glob of ["checkout/*", "*/configuration.?mo*", "*"]) {
      const found = glob === "*/configuration.?mo*" ? ["smoke"] : ["smoke", "other"];
      const all = await loadform("run", "--configuration", glob);
      const runs = found.map((key) => ({ address: `testCase.checkout/configuration.${key}` }));
      expect(all.document).toMatchObject({ runs });
    }
    const none = await loadform("run", "--configuration", "checkout/x*");
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("there is no configuration checkout/x*")]);
  });
});
