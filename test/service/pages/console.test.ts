// merge: in a real browser
import { describe, expect, it } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { browserPath, expectGood, expectGoodInAll } from "../../support/browser.ts";
import { pageBench } from "../support/page-bench.ts";

describe.skipIf(browserPath === undefined)("the console", () => {
  const bench = pageBench();

  describe("the key", () => {
    it("is asked for once, and a wrong one is refused", async () => {
      const watched = await bench.blank();
      const { page, problems } = watched;
      await page.goto(`${bench.url}/_loadform/console`);
      await expectGood(watched);
      await page.getByLabel("Key of the service").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("The service does not know this key.").waitFor();
      // The browser itself names refused requests.
      expect(problems.splice(0)).toEqual([expect.stringContaining("401")]);
      await page.getByLabel("Key of the service").fill("local");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("heading", { name: "Objects" }).waitFor();
      await expectGood(watched);
    });

    it("stays in the page: not in the address, the storage or a cookie", async () => {
      const { page } = await bench.console("objects");
      await page.getByText("Checkout").first().waitFor();
      expect(page.url()).toBe(`${bench.url}/_loadform/console#objects`);
      const kept = await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]");
      expect(kept).toEqual([0, 0, ""]);
      await page.reload();
      await page.getByLabel("Key of the service").waitFor();
    });

    it("travels in the service's own header", async () => {
      const other = createService({ settings: { authHeader: "X-Our-Key" } });
      const { url: there } = await other.listen(0);
      const watched = await bench.blank(undefined, there);
      await watched.page.goto(`${there}/_loadform/console?key=local`);
      await watched.page.getByText("No test case yet.").waitFor();
      await expectGood(watched);
      await other.close();
    });
  });

  it.each(["", "/api"])("works under %j/_loadform", async (prefix) => {
    const { page, problems } = await bench.blank();
    await page.goto(`${bench.url}${prefix}/_loadform/console?key=local`);
    await page.getByText("Checkout").first().waitFor();
    await page.getByRole("link", { name: "Requests" }).click();
    await page.getByText("newest first").waitFor();
    expect(problems).toEqual([]);
  });

  it("looks on without leaving a trace: no log entry, no fault used up", async () => {
    await bench.rig.ok("PUT", "/_loadform/faults", [{ method: "GET", path: "/test-cases", status: 503, times: 1 }]);
    await bench.rig.ok("DELETE", "/_loadform/requests");
    const { page } = await bench.console("objects");
    await page.getByText("Checkout").first().waitFor();
    expect(await bench.rig.ok("GET", "/_loadform/faults")).toMatchObject([{ hits: 0 }]);
    expect(await bench.rig.ok("GET", "/_loadform/requests")).toEqual([]);
    expect((await bench.rig.call("GET", "/test-cases")).status).toBe(503);
    await bench.rig.ok("DELETE", "/_loadform/requests");
    const run = await bench.console("runs/1");
    await run.page.getByRole("heading", { name: "Regions" }).or(run.page.getByText("Regions")).first().waitFor();
    expect(await bench.rig.ok("GET", "/_loadform/requests")).toEqual([]);
  });

  const views = [
    ["objects", "Regions of Default"],
    ["runs", "Latest runs"],
    ["runs/1", "Response time"],
    ["clock", "Scheduled runs"],
    ["faults", "Planned faults"],
    ["requests", "newest first"],
  ] as const;
  it("is good in every view, in light, in dark and on a phone", async () => {
    await bench.rig.ok("PUT", "/_loadform/faults", [{ method: "GET", path: "/login", status: 500 }]);
    await bench.rig.service.advance(30_000);
    const watched = await bench.console("");
    for (const [view, text] of views) {
      await watched.page.evaluate(`location.hash = "${view}"`);
      await watched.page.getByText(text).first().waitFor();
      await expectGoodInAll(watched);
    }
  });

  it("says when the service is gone, and goes on when it is back", async () => {
    const watched = await bench.console("requests");
    const { page, problems } = watched;
    await page.getByText("newest first").waitFor();
    const { port } = new URL(bench.url);
    await bench.rig.service.close();
    const gone = page.getByRole("alert").getByText("loadform serve starts it");
    await gone.waitFor();
    // The browser itself names what was not answered.
    await expectGood({ ...watched, problems: [] });
    const back = createService();
    await back.listen(Number(port));
    await gone.waitFor({ state: "hidden" });
    await page.getByText("No request yet.").waitFor();
    await back.handle({ method: "GET", path: "/agents", headers: { "x-api-key": "local" } });
    await page.getByText("1 request, newest first").waitFor();
    expect(problems.filter((each) => each.startsWith("error"))).toEqual([]);
    await back.close();
  });

  it("is used by keyboard alone", async () => {
    const { page } = await bench.console("clock");
    const tabTo = async (name: string) => {
      const focused = () => page.evaluate("document.activeElement.textContent");
      for (let tabs = 0; tabs < 40 && (await focused()) !== name; tabs++) await page.keyboard.press("Tab");
      expect(await focused()).toBe(name);
    };
    await page.getByRole("button", { name: "+1 h" }).waitFor();
    await tabTo("+1 h");
    await page.keyboard.press("Enter");
    await page.locator(".clock time").getByText("2026-11-20 11:07:30 UTC").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("+1 h");
    await tabTo("Faults");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Plan a fault" }).waitFor();
    await tabTo("Plan fault");
  });
});
