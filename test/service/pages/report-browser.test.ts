// merge: in a real browser
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { noRunPage, runReportPage } from "../../../src/service/reports/report-page.ts";
import { browserPath, expectGoodInAll, sights } from "../../support/browser.ts";
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

  it.each(pages)("of %s is good in light, in dark and on a phone", async (_, html) => {
    const watched = await bench.blank();
    await watched.page.route("**/p/abc", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await watched.page.goto(`${bench.url}/p/abc`);
    await expectGoodInAll(watched);
    expect(await watched.page.locator("h1").count()).toBe(1);
  });

  it("shades the side to which a table can be scrolled, and no other", async () => {
    const watched = await bench.blank(sights[2]);
    const { page } = watched;
    await page.route("**/p/abc", (route) => route.fulfill({ contentType: "text/html", body: pages[0][1] }));
    await page.goto(`${bench.url}/p/abc`);
    const table = page.getByRole("region", { name: "Regions" });
    const pixels = async () => {
      const png = PNG.sync.read(await table.screenshot());
      const brightness = (x: number) => png.data[(Math.floor(png.height / 2) * png.width + x) * 4] ?? 0;
      return [brightness(0), brightness(png.width - 1)];
    };
    const [left, right] = await pixels();
    expect(left).toBe(255);
    expect(right).toBeLessThan(240);
    await table.evaluate((node) => node.scrollTo(node.scrollWidth, 0));
    const [scrolled, end] = await pixels();
    expect(scrolled).toBeLessThan(240);
    expect(end).toBe(255);
  });
});
