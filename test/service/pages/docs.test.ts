// slow: a browser
import { describe, expect, it } from "vitest";
import { browserPath, expectGood, sights } from "../../support/browser.ts";
import { pageBench } from "../support/page-bench.ts";

describe.skipIf(browserPath === undefined)("the docs page", () => {
  const bench = pageBench();
  const docs = async (sight = sights[0], hash = "") => {
    const watched = await bench.blank(sight);
    await watched.page.goto(`${bench.url}/_loadform/docs${hash}`);
    return watched;
  };

  it.each(sights)("is good $name", async (sight) => {
    await expectGood(await docs(sight));
  });

  it("is searched while one types: by path, method and field", async () => {
    const { page } = await docs();
    const shown = () => page.locator("section.routes article:visible h3").allTextContents();
    await page.keyboard.press("/");
    await page.keyboard.type("post iterationSleepSecs");
    expect(await shown()).toEqual(["POST /test-cases/:testCaseId/confs"]);
    expect(await page.getByRole("status").textContent()).toBe("1 route");
    await page.getByLabel("Search routes").fill("no such thing");
    await page.getByText("No route like that.").waitFor();
    await page.getByLabel("Search routes").fill("");
    expect((await shown()).length).toBeGreaterThan(150);
  });

  it("leads to a route by its address, and to the shape that it answers", async () => {
    const { page } = await docs(sights[0], "#put-test-confs-confid");
    const article = page.locator("#put-test-confs-confid");
    await expect.poll(() => article.evaluate((node) => node.getBoundingClientRect().top < 400)).toBe(true);
    await page.getByLabel("Search routes").fill("GET /test-confs/:confId");
    await page.locator("#get-test-confs-confid").getByRole("link", { name: "configuration" }).click();
    expect(page.url()).toContain("#shape-configuration");
    await page.locator("#shape-configuration").waitFor();
  });

  it("names this very service in its examples", async () => {
    const { page } = await docs();
    const command = await page.locator("#get-test-cases pre").textContent();
    expect(command).toBe(`curl -H "X-Api-Key: local" '${bench.url}/test-cases?down=true'`);
  });
});
