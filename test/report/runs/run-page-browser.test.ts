// merge: in a real browser
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runHtml } from "../../../src/report/runs/run-html.ts";
import { browserPath, expectGoodInAll, testBrowser } from "../../support/browser.ts";
import { everyRun, failed, hostileRun, lastRuns, longRun } from "./sample-runs.ts";

const warnings = ["Limits were not read."];
const pages = {
  "one run": runHtml({ warnings: [], runs: [failed] }),
  "every verdict": runHtml({ warnings, runs: everyRun }),
  "several of one gate": runHtml({ warnings, runs: lastRuns(5) }),
  "an hour of ten regions": runHtml({ warnings, runs: [longRun()] }),
  "hostile and long texts": runHtml({ warnings, runs: [hostileRun, hostileRun] }),
};

describe.skipIf(browserPath === undefined)("the page of runs", () => {
  const browser = testBrowser();
  const folder = mkdtempSync(join(tmpdir(), "run-page-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The page opened as a file, as from a job's artifacts. */
  async function open(name: keyof typeof pages) {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, pages[name]);
    const home = pathToFileURL(path).href;
    const watched = await browser.blank(home);
    await watched.page.goto(home);
    return watched;
  }

  it.each(Object.keys(pages) as (keyof typeof pages)[])(
    "of %s is good in light, in dark and on a phone, with all that is folded open",
    async (name) => {
      const watched = await open(name);
      expect(await watched.page.locator("h1").count()).toBe(1);
      for (const summary of await watched.page.locator("summary").all()) await summary.click();
      await expectGoodInAll(watched);
    },
  );

  it("is read by keyboard: links, folded parts and wide tables are reached in order", async () => {
    const { page } = await open("every verdict");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    // The browser follows a link after it has answered the key.
    await expect.poll(() => page.evaluate("document.querySelector(':target')?.id")).toBe("run-1");
    const reached: string[] = [];
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press("Tab");
      reached.push(String(await page.evaluate("document.activeElement.tagName")));
    }
    expect(reached).toContain("SUMMARY");
    expect(reached).toContain("DIV");
  });

  it("is printed with every table and without what is folded", async () => {
    const { page } = await open("one run");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("region", { name: "What was asked" }).isVisible()).toBe(true);
    expect(await page.locator("summary").first().isVisible()).toBe(false);
  });
});
