// merge: in a real browser
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/index.ts";
import { objectGraph } from "../../../src/model/graph/object-graph.ts";
import { forecastOf } from "../../../src/report/pages/forecast.ts";
import { sectionsPage } from "../../../src/report/pages/page-section.ts";
import { planSection } from "../../../src/report/pages/plan-page.ts";
import { browserPath, expectGoodInAll, type Sight, sights, testBrowser } from "../../support/browser.ts";
import { change, emptyPlan, fullPlan } from "../sample-plan.ts";
import { driftPageOf, sampleDrift } from "./sample-drift.ts";
import { largePage, nodesOf, noon, pageInputOf, planPageOf, problems, scriptHash } from "./sample-page.ts";

const long = "W".repeat(300);
const daily = { scheduleType: "Recurring", recurringInterval: "Day", hour: 2, minute: 0 };
const load = { concurrentClients: 20, durationSecs: 7200, providers: [{ provider: { id: 0 }, regions: ["eu", "us"] }] };
const nodes = nodesOf({
  "testCase.checkout": { name: long },
  "testCase.checkout/scenario.browse": {},
  "testCase.checkout/configuration.smoke": load,
  "testCase.checkout/configuration.smoke/schedule.nightly": daily,
  "testCase.checkout/configuration.soak": load,
  "testCase.checkout/configuration.soak/schedule.nightly": {
    ...daily,
    exclusions: [{ recurringInterval: "Day", startHour: 22, endHour: 5 }],
  },
  "testCase.checkout/configuration.peak": load,
  "testCase.checkout/configuration.peak/schedule.nightly": daily,
});
const more = {
  graph: objectGraph({ nodes }, kinds),
  forecast: forecastOf({ nodes, gates: [], now: noon, createdAt: () => undefined }, fullPlan.changes),
};
const several = ["a", "b"].map((project, index) =>
  planSection(pageInputOf({ ...fullPlan, project }, { ...more, number: index + 1 })),
);
const overview =
  '<div class="overview scroll" role="group" aria-label="All projects" tabindex="0"><table><thead><tr><th scope="col">Project</th></tr></thead><tbody><tr><th scope="row"><a href="#project-2">b</a></th></tr></tbody></table></div>';
const pages = {
  "one plan": planPageOf(fullPlan, more),
  "a blocked plan": planPageOf(fullPlan, { ...more, problems, blocked: 1, lineOf: () => `  users: ${long}` }),
  "a plan without changes": planPageOf(emptyPlan, more),
  "long texts": planPageOf(
    {
      ...emptyPlan,
      project: long,
      changes: [
        change({ address: "testCase.a", kind: "testCase", action: "create", name: long, reason: long, risks: [long] }),
      ],
    },
    { applying: long },
  ),
  "several plans": sectionsPage(several, { title: "Plan for 2 projects", overview, hash: scriptHash }),
  drift: driftPageOf(sampleDrift, more),
  "1,000 changes": largePage(),
};
type PageName = keyof typeof pages;

const phone: Sight = { name: "on a small phone", colorScheme: "dark", width: 360 };

describe.skipIf(browserPath === undefined)("the page of a plan", () => {
  const browser = testBrowser();
  const folder = mkdtempSync(join(tmpdir(), "plan-page-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The page opened as a file, as from a job's artifacts. */
  async function open(name: PageName, sight?: Sight) {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, pages[name]);
    const home = pathToFileURL(path).href;
    const watched = await browser.blank(home, sight);
    await watched.page.goto(home);
    return watched;
  }

  it.each(Object.keys(pages).filter((name) => name !== "1,000 changes") as PageName[])(
    "of %s is good in light, in dark, on a phone and on a small one, with all that is folded open",
    async (name) => {
      const watched = await open(name);
      expect(await watched.page.locator("h1").count()).toBe(1);
      await watched.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await expectGoodInAll(watched, [...sights, phone]);
    },
  );

  const shown =
    "[...document.querySelectorAll('#project-1-changes .change')].filter((each) => each.checkVisibility()).length";

  it("is searched and filtered, and says how many objects are left", async () => {
    const { page, problems: wrong } = await open("one plan");
    const part = page.locator("#project-1-changes");
    await part.getByRole("searchbox").fill("CHECKOUT schedule");
    await expect.poll(() => page.evaluate(shown)).toBe(1);
    expect(await part.getByRole("status").textContent()).toBe(`1 of ${fullPlan.changes.length} objects`);
    await part.getByRole("searchbox").fill("");
    await part.getByRole("button", { name: "update" }).click();
    expect(await page.evaluate(shown)).toBe(fullPlan.changes.filter(({ action }) => action !== "update").length);
    expect(wrong).toEqual([]);
  });

  it("has the whole diff, which folds, without its script", async () => {
    const path = join(folder, "plain.html");
    writeFileSync(path, pages["one plan"]);
    const context = await browser.context({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(path).href);
    expect(await page.getByRole("searchbox").count()).toBe(0);
    const change = page.locator("details.change", { hasText: "users.csv" });
    expect(await change.getByText("would be lost: 120 data rows").isVisible()).toBe(true);
    await change.locator("summary").first().click();
    expect(await change.getByText("would be lost: 120 data rows").isVisible()).toBe(false);
    await context.close();
  });

  it("is used by keyboard: links, search, filters, folded parts and wide pictures are reached", async () => {
    const { page } = await open("one plan");
    const reached = new Set<string>();
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press("Tab");
      reached.add(
        String(
          await page.evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.slice(0, 20).trim()",
          ),
        ),
      );
    }
    for (const name of [
      "Changes",
      "Search the changes",
      "Unfold all",
      "Load per region",
      "Calendar of two weeks, UTC",
      "Larger",
      "Graph",
    ])
      expect([...reached]).toContain(name);
    await page.locator("details.change summary").first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.querySelector('details.change').open")).toBe(false);
  });

  it("draws its graph larger and smaller, and moves it by dragging", async () => {
    const { page } = await open("one plan", phone);
    const width = () =>
      page.evaluate("document.querySelector('.view svg').getBoundingClientRect().width") as Promise<number>;
    const before = await width();
    await page.getByRole("button", { name: "Larger" }).click();
    expect(await width()).toBeCloseTo(before * 1.25, 0);
    for (let step = 0; step < 2; step++) await page.getByRole("button", { name: "Larger" }).click();
    await page.locator(".view").evaluate((view) => view.scrollTo(0, 0));
    // The buttons alone may have been brought into the window, and a mouse outside of it drags nothing.
    await page.locator(".view").scrollIntoViewIfNeeded();
    const box = (await page.locator(".view").boundingBox())!;
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 100);
    await page.mouse.up();
    expect(await page.locator(".view").evaluate((view) => view.scrollLeft)).toBe(80);
    await page.getByRole("button", { name: "Fit" }).click();
    expect(await width()).toBeLessThanOrEqual(box.width);
  });

  it("is printed with everything that is folded, and without buttons", async () => {
    const { page } = await open("1,000 changes");
    expect(await page.locator("details.change[open]").count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("details.change:not([open])").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Fold all" }).count()).toBe(0);
  });

  it("of 1,000 changes is searched by each key and unfolds, with few enough elements to be usable at once", async () => {
    const { page, problems: wrong } = await open("1,000 changes");
    // Time is the machine's, so what it depends on is counted: the page has 43,000.
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThanOrEqual(45_000);
    const change = page.locator("details.change").first();
    await change.locator("summary").first().click();
    expect(await change.locator(".body").isVisible()).toBe(true);
    await page.getByRole("searchbox").first().fill("case-50 schedule");
    await expect.poll(() => page.evaluate(shown)).toBeGreaterThan(0);
    expect(await page.evaluate(shown)).toBeLessThan(100);
    expect(wrong.filter((each) => !each.startsWith("request"))).toEqual([]);
  });
});
