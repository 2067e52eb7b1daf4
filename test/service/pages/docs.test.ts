// merge: in a real browser
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { browserPath, expectGood, expectGoodInAll, sights } from "../../support/browser.ts";
import { isDeep } from "../../support/deep.ts";
import { pageBench } from "../support/page-bench.ts";
import { start } from "../support/rig.ts";

const sh = promisify(execFile);
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe.skipIf(browserPath === undefined)("the docs page", () => {
  const bench = pageBench();
  const docs = async (sight = sights[0], hash = "") => {
    const watched = await bench.blank(sight);
    await watched.page.goto(`${bench.url}/_loadform/docs${hash}`);
    return watched;
  };

  it("is good in light, in dark and on a phone", async () => {
    const watched = await docs();
    // Articles are alike: those remain that have an element or a class that none before them has.
    await watched.page.evaluate(`{
      const seen = new Set();
      for (const article of document.querySelectorAll("article")) {
        const looks = [...article.querySelectorAll("*")].map((node) => node.tagName + node.className);
        if (looks.every((look) => seen.has(look))) article.remove();
        for (const look of looks) seen.add(look);
      }
    }`);
    await expectGoodInAll(watched);
  });

  if (isDeep)
    it("is good with all of its articles, apart from their look", async () => {
      await expectGood(await docs(), ["color-contrast", "link-in-text-block", "target-size"]);
    });

  it("is searched while one types: by path, method and field", async () => {
    const { page } = await docs();
    const shown = () => page.locator("section.routes article:visible h3").allTextContents();
    await page.keyboard.press("/");
    await page.keyboard.type("post iterationSleepSecs");
    expect(await shown()).toEqual(["POST /test-cases/:testCaseId/confs"]);
    expect(await page.getByRole("status").textContent()).toBe("1 route, 0 schemas");
    await page.getByLabel("Search routes").fill("chunks executionRegion");
    expect(await page.locator("section.shapes article:visible h3").allTextContents()).toContain("executionRegion");
    await page.getByLabel("Search routes").fill("no such thing");
    await page.getByText("No route or schema like that.").waitFor();
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

  it("asks for a key that is not the default one, and puts it into the commands only", async () => {
    const other = createService({ apiKey: "a$b" });
    const { url } = await other.listen(0);
    const watched = await bench.blank(undefined, url);
    const { page } = watched;
    await page.goto(`${url}/_loadform/docs`);
    const command = page.locator("#first pre").last();
    expect(await command.textContent()).toContain('-H "X-Api-Key: YOUR-KEY"');
    await page.getByLabel("Key of this service").fill("a$b");
    expect(await command.textContent()).toContain('-H "X-Api-Key: a\\$b"');
    expect(await page.content()).not.toContain("key=a");
    expect(watched.problems).toEqual([]);
    await other.close();
  });

  it.skipIf(!hasCurl)("leads from nothing to a run's charts and its PDF by its commands and links alone", async () => {
    const empty = createService({ clock: { mode: "frozen", now: start } });
    const { url } = await empty.listen(0);
    const watched = await bench.blank(undefined, url);
    const { page, problems } = watched;
    const folder = await mkdtemp(join(tmpdir(), "loadform-first-"));
    const run = async (title: string) => {
      const command = await page.getByLabel(`${title}: command`, { exact: true }).textContent();
      return (await sh("sh", ["-c", command ?? ""], { cwd: folder })).stdout;
    };
    await page.goto(`${url}/_loadform/docs`);
    expect(await run("Start a test")).toBe("1\n");
    await page.getByRole("link", { name: "Open run 1 in the console" }).click();
    await page.getByRole("button", { name: "+1 min" }).click();
    // Requests that are under way when the minute is over end a moment later.
    await empty.advance(1_000);
    await page.getByRole("status").getByText("passed").waitFor();
    await page.getByRole("img", { name: /^Throughput/ }).waitFor();
    await page.goBack();
    await run("Take the result with you");
    expect((await readFile(join(folder, "results.pdf"))).subarray(0, 5).toString()).toBe("%PDF-");
    const { name } = JSON.parse(await run("Pass it on"));
    await page.goto(`${url}/p/${name}`);
    await page.getByRole("heading", { name: "Checkout" }).waitFor();
    expect(problems).toEqual([]);
    await empty.close();
    await rm(folder, { recursive: true });
  });

  it.skipIf(!hasCurl)("begins with the model where runs make real load", async () => {
    const other = createService({ live: true, settings: { engine: "live" } });
    const { url } = await other.listen(0);
    const { page } = await bench.blank(undefined, url);
    await page.goto(`${url}/_loadform/docs`);
    await page.getByText("this service makes real load").waitFor();
    const command = await page.getByLabel("Start a test: command", { exact: true }).textContent();
    expect((await sh("sh", ["-c", command ?? ""])).stdout).toBe("1\n");
    const { headers } = await other.handle({ method: "GET", path: "/executions/1", headers: { "x-api-key": "local" } });
    expect(headers["x-loadform-engine"]).toBe("model");
    await other.close();
  });

  it("names this very service in its examples", async () => {
    const { page } = await docs();
    const command = await page.locator("#get-test-cases pre").textContent();
    expect(command).toBe(`curl -H "X-Api-Key: local" '${bench.url}/test-cases?down=true'`);
  });
});
