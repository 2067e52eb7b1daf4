import { writeFileSync } from "node:fs";
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
