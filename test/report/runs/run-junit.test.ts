import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { runJunit } from "../../../src/report/runs/run-junit.ts";
import type { RunDetails } from "../../../src/run/run-document.ts";
import { repository } from "../../support/source-files.ts";
import { detailsOf, everyRun, failed, hostileRun, passed } from "./sample-runs.ts";

const schema = readFileSync(join(repository, "test/fixtures/junit.xsd"), "utf8");
const reportOf = (...runs: readonly RunDetails[]) => runJunit({ warnings: ["Limits were not read."], runs });
const problemsOf = async (contents: string) =>
  (await validateXML({ xml: [{ fileName: "report.xml", contents }], schema: [schema] })).errors;

describe("the JUnit report of runs", () => {
  it("tells every verdict and every check", async () => {
    await expect(reportOf(...everyRun)).toMatchFileSnapshot("golden/run-junit.txt");
  });

  it.each([
    ["every verdict", everyRun],
    ["hostile texts", [hostileRun]],
    ["no run", []],
  ])("of %s is valid by the schema that its readers share", async (_, runs) => {
    expect(await problemsOf(reportOf(...runs))).toEqual([]);
  });

  it("is refused by that schema where a test case lacks its name", async () => {
    const broken = reportOf(passed).replace(/ name="Outcome[^"]*"/, "");
    expect(await problemsOf(broken)).not.toEqual([]);
  });

  it("counts what its test cases say", () => {
    const text = reportOf(...everyRun);
    const [all = ""] = /<testsuites[^>]*>/.exec(text) ?? [];
    const count = (pattern: RegExp) => String(text.match(pattern)?.length ?? 0);
    expect(all).toContain(`tests="${count(/<testcase /g)}"`);
    expect(all).toContain(`failures="${count(/<failure /g)}"`);
    expect(all).toContain(`errors="${count(/<error /g)}"`);
  });

  it("has the measured value in a failure", () => {
    expect(reportOf(failed)).toMatch(
      /name="firstReceivedMs\[p95\] &lt; 300ms" time="0.000">\s+<failure message="[^"]*300\.4 ms"[^>]*>measured: 300\.4 ms/,
    );
  });

  it("never has a run that did not pass without a failure or an error", () => {
    for (const { run } of everyRun.filter((each) => each.run.verdict !== "passed"))
      expect(reportOf(detailsOf({ ...run, kpis: [] }, { minimum: 0 }))).toMatch(/<(?:failure|error) /);
  });

  it("says of a failed run without a missed check why it failed, under run", () => {
    const run = detailsOf({ verdict: "failed", reasons: ["The execution says success: false."] });
    expect(reportOf(run)).toMatch(/name="run" time="180.000">\s+<failure message="The execution says success: false."/);
  });

  it("names KPIs of one expression apart by their resources", () => {
    const kpi = { expr: "firstReceivedMs[p95] < 1s", value: 1, unit: "ms", ok: true };
    const text = reportOf(
      detailsOf({
        kpis: [
          { ...kpi, resource: "GET a" },
          { ...kpi, resource: "GET b" },
        ],
      }),
    );
    expect(text).toContain('name="firstReceivedMs[p95] &lt; 1s (GET a)"');
    expect(text).toContain('name="firstReceivedMs[p95] &lt; 1s (GET b)"');
  });

  it.each([
    ["2026-11-20T10:00:00.000+02:00", ' timestamp="2026-11-20T08:00:00"'],
    ["2026-13-40T10:00:00Z", ""],
    ["soon", ""],
  ])("has of a start at %s the moment in UTC or none", async (startedAt, written) => {
    const text = reportOf(detailsOf({ startedAt }));
    expect(text).toContain(` time="180.000"${written}>\n    <properties>`);
    expect(await problemsOf(text)).toEqual([]);
  });

  it("judges nothing of a stopped run", () => {
    const text = reportOf(detailsOf({ verdict: "stopped", reasons: [], kpis: failed.run.kpis }, { minimum: 1e9 }));
    expect(text).not.toContain("<failure");
    expect(text.match(/<skipped message="not judged: the verdict is stopped/g)).toHaveLength(4);
    expect(text).toContain('<error message="the verdict is stopped" type="stopped">');
  });
});
