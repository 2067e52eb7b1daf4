import { describe, expect, it } from "vitest";
import { noRunPage, runReportPage } from "../../../src/service/reports/report-page.ts";
import { makeRunReport } from "../../../src/service/reports/run-report.ts";
import { hostile, reportOf, sampleRun } from "../support/run-fixture.ts";

describe("the page of a share link (API 1, Share link)", () => {
  it("shows the verdict, the figures and a table of each kind", () => {
    const page = runReportPage(reportOf());
    for (const text of [
      "Passed",
      "Checkout",
      "Evening peak",
      "29,480",
      "cloud-us-east-1",
      "POST http://shop.test/cart",
    ])
      expect(page).toContain(text);
    const captions = [...page.matchAll(/<caption>([^<]+)/g)].map(([, caption]) => caption);
    expect(captions).toEqual(["Every 10 seconds", "KPIs", "Figures", "Regions", "Resources"]);
    expect(page.match(/<svg /g)).toHaveLength(4);
  });

  it("has no script, loads nothing and names no address but its PDF", () => {
    const page = runReportPage(reportOf(), { name: "a b/c" });
    expect(page).not.toMatch(/<script|<img|@import|url\(/);
    expect(page.match(/(?:href|src)="[^"]*"/g)).toEqual(['href="data:,"', 'href="a%20b%2Fc/results.pdf"']);
  });

  it("escapes every name", () => {
    const shape = { testCase: hostile, configuration: hostile, regions: [hostile], resources: [hostile] };
    for (const page of [runReportPage(reportOf(shape), { name: hostile }), noRunPage(hostile)]) {
      expect(page).not.toMatch(/<script|<img|onerror=alert\(2\)>/);
      expect(page).toContain("&lt;script&gt;");
    }
  });

  it("labels what was simulated, and what is not over yet", () => {
    const { execution } = sampleRun({ fields: { completed: false, running: true, success: null } });
    const page = runReportPage(makeRunReport(execution, { engine: "model" }));
    expect(page).toMatch(/<strong>Running<\/strong><ul><li>Simulated: no request was sent\.<\/li>/);
    expect(page).toContain("Running");
    expect(page).toContain("Reload the page");
  });

  it("says what the scenario threw, and draws no chart of one interval", () => {
    const { execution, intervals } = sampleRun({ seconds: 5, fields: { success: false } });
    const page = runReportPage(makeRunReport(execution, { intervals, failure: "main failed: <b>" }));
    expect(page).toContain("Its scenario failed in its first iteration: main failed: &lt;b&gt;");
    expect(page).not.toContain("<svg");
  });

  it("shows no chart of nothing", () => {
    const { execution } = sampleRun({ fields: { summary: null } });
    expect(runReportPage(makeRunReport(execution))).not.toContain("<svg");
  });

  it("keeps the table of a long run readable", () => {
    const page = runReportPage(reportOf({ seconds: 4 * 3600 }));
    expect(page).toContain("Every 120 seconds");
    expect(page.match(/<tr>/g)?.length).toBeLessThan(150);
  });
});
