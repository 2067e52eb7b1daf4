// engine: each report is validated by an xmllint in a worker of its own.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parse, type TestSuites } from "junit2json";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { runJunit } from "../../../src/report/runs/run-junit.ts";
import type { RunDetails } from "../../../src/run/run-document.ts";
import { repository } from "../../support/source-files.ts";
import { detailsOf, everyRun, failed, hostileRun, passed } from "./sample-runs.ts";

const reportOf = (...runs: readonly RunDetails[]) => runJunit({ warnings: ["Limits were not read."], runs });

/** The schema of Jenkins' xUnit plugin, as JUnit 5 tests its own reports with it, and our stricter one. */
const schemas = {
  jenkins: createRequire(import.meta.url).resolve("junit-processor/schemas/jenkins-junit.xsd"),
  ours: join(repository, "test/fixtures/junit.xsd"),
};

/** What is wrong with reports by one of the schemas, all in one start of xmllint: `name: message`. */
async function problemsOf(reports: Readonly<Record<string, string>>, by: keyof typeof schemas) {
  const schema = readFileSync(schemas[by], "utf8");
  const xml = Object.entries(reports).map(([name, contents]) => ({ fileName: `${name}.xml`, contents }));
  const { errors } = await validateXML({ xml, schema: [schema] });
  return errors.map(({ message, loc }) => `${loc?.fileName}: ${message}`);
}

const stopped = detailsOf({ verdict: "stopped", reasons: [], kpis: failed.run.kpis }, { minimum: 1e9 });
const unexplained = detailsOf({ verdict: "failed", reasons: ["The execution says success: false."] });
/** Every shape that a report has. */
const shapes: Readonly<Record<string, readonly RunDetails[]>> = {
  ...Object.fromEntries(everyRun.map((each) => [`${each.run.gate ?? "no gate"}, ${each.run.verdict}`, [each]])),
  "a run stopped before its checks were judged": [stopped],
  "a run that failed for no check": [unexplained],
  "several gates": [...everyRun, stopped, unexplained],
  "hostile texts": [hostileRun],
  "no run": [],
};

/** When a run began, as a service may say it, and what its report has of that. */
const moments = [
  ["2026-11-20T10:00:00.000+02:00", ' timestamp="2026-11-20T08:00:00"'],
  ["2026-13-40T10:00:00Z", ""],
  ["soon", ""],
] as const;
const startedAtText = (startedAt: string) => reportOf(detailsOf({ startedAt }));

describe("the JUnit report of runs", () => {
  it("tells every verdict and every check", async () => {
    await expect(reportOf(...everyRun)).toMatchFileSnapshot("golden/run-junit.txt");
  });

  it("has the run itself as failed beside a check that failed, where no check is the reason", () => {
    const failing = detailsOf({ verdict: "failed", reasons: ["it failed"], kpis: failed.run.kpis }, { minimum: 1 });
    const red = /name="run"[^>]*[^/]>\s*<failure/;
    expect(reportOf(failing)).not.toMatch(red);
    expect(reportOf({ ...failing, ownReasons: ["it failed"] })).toMatch(red);
  });

  it.each(["jenkins", "ours"] as const)("is valid in every shape by the schema: %s", async (by) => {
    const reports = Object.entries(shapes).map(([, runs], index) => [`shape-${index}`, reportOf(...runs)] as const);
    const begun = moments.map(([startedAt], index) => [`moment-${index}`, startedAtText(startedAt)] as const);
    expect(await problemsOf(Object.fromEntries([...reports, ...begun]), by)).toEqual([]);
  });

  describe.each(Object.entries(shapes))("of %s", (_, runs) => {
    it("is counted by a reader of JUnit reports as its attributes say", async () => {
      const read = (await parse(reportOf(...runs))) as TestSuites;
      const suites = read.testsuite ?? [];
      const cases = suites.flatMap(({ testcase }) => testcase ?? []);
      expect([suites.length, read.tests, read.failures, read.errors]).toEqual([
        runs.length,
        cases.length,
        cases.filter(({ failure }) => failure).length,
        cases.filter(({ error }) => error).length,
      ]);
      for (const { testcase = [], ...suite } of suites)
        expect(suite).toMatchObject({
          tests: testcase.length,
          failures: testcase.filter(({ failure }) => failure).length,
          errors: testcase.filter(({ error }) => error).length,
          skipped: testcase.filter(({ skipped }) => skipped).length,
        });
    });
  });

  it.each(["jenkins", "ours"] as const)("is refused where a test case lacks its name by the schema: %s", async (by) => {
    const broken = reportOf(passed).replace(/ name="Outcome[^"]*"/, "");
    const problems = await problemsOf({ sound: reportOf(passed), broken }, by);
    expect(problems).not.toEqual([]);
    expect(problems.filter((problem) => !problem.startsWith("broken.xml: "))).toEqual([]);
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
    expect(reportOf(unexplained)).toMatch(
      /name="run" time="180.000">\s+<failure message="The execution says success: false."/,
    );
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

  it.each(moments)("has of a start at %s the moment in UTC or none", (startedAt, written) => {
    expect(startedAtText(startedAt)).toContain(` time="180.000"${written}>\n    <properties>`);
  });

  it("judges nothing of a stopped run", () => {
    const text = reportOf(stopped);
    expect(text).not.toContain("<failure");
    expect(text.match(/<skipped>not judged: the verdict is stopped/g)).toHaveLength(4);
    expect(text).toContain('<error message="the verdict is stopped" type="stopped">');
  });
});
