// merge: in a real browser
import { describe, expect, it } from "vitest";
import { noRunPage, runReportPage } from "../../../src/service/reports/report-page.ts";
import { browserPath, expectGood, sights } from "../../support/browser.ts";
import { pageBench } from "../support/page-bench.ts";
import { hostile, reportOf } from "../support/run-fixture.ts";

const long = "a-very-long-name-without-any-place-to-break-it-".repeat(5);
const pages = [
  ["a passed run", runReportPage(reportOf(), { name: "abc" })],
  ["a failed run", runReportPage(reportOf({ failing: 0.2, fields: { success: false } }))],
  ["a running one", runReportPage(reportOf({ fields: { completed: false, running: true, success: null } }))],
  ["hostile and long names", runReportPage(reportOf({ testCase: hostile, configuration: long, resources: [long] }))],
  ["no run", noRunPage("abc")],
] as const;

describe.skipIf(browserPath === undefined)("the page of a share link", () => {
  const bench = pageBench();

  describe.each(sights)("$name", (sight) => {
    it.each(pages)("of %s is good", async (_, html) => {
      const watched = await bench.blank(sight);
      await watched.page.route("**/p/abc", (route) => route.fulfill({ contentType: "text/html", body: html }));
      await watched.page.goto(`${bench.url}/p/abc`);
      await expectGood(watched);
      expect(await watched.page.locator("h1").count()).toBe(1);
    });
  });
});
