// merge: in a real browser
import { describe, expect, it } from "vitest";
import { browserPath } from "../../support/browser.ts";
import { pageBench } from "../support/page-bench.ts";

describe.skipIf(browserPath === undefined)("in the console", () => {
  const bench = pageBench();

  describe("objects", () => {
    it("are a tree, each with all of it as JSON", async () => {
      const { page } = await bench.console("objects");
      for (const title of ["Scenarios", "Configurations", "Schedules", "Gateways", "Data stores"])
        await page.getByRole("heading", { name: title }).waitFor();
      await page.locator("summary", { hasText: "https://shop.test" }).click();
      await page.getByLabel("Shop as JSON").getByText('"isPrimary": true').waitFor();
    });

    it("appear by themselves, and a hostile name is text", async () => {
      const { page, problems } = await bench.console("objects");
      await page.getByText("Checkout").first().waitFor();
      await bench.rig.ok("POST", "/test-cases", { name: "<img src=x onerror=alert(1)>", org: 1 });
      await page.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      expect(problems).toEqual([]);
    });
  });

  describe("runs", () => {
    it("are started from a configuration, which leads to the run", async () => {
      const { page } = await bench.console("runs");
      await page.getByLabel("Configuration").selectOption({ index: 0 });
      await page.getByRole("button", { name: "Start run" }).click();
      await page.getByRole("heading", { name: "Checkout: Smoke" }).waitFor();
      expect(page.url()).toContain("#runs/2");
      expect(await bench.rig.ok("GET", "/test-confs/1/executions")).toHaveLength(2);
    });

    it("say what the service refuses, until it is closed", async () => {
      const { page } = await bench.console("runs/99");
      await page.getByRole("alert").getByText("execution 99").waitFor();
    });
  });

  describe("the clock", () => {
    it("says that it is real, and no more once it was advanced", async () => {
      const { page } = await bench.console("clock");
      const badge = page.getByRole("main").locator(".clock .chip");
      await badge.getByText("clock: frozen").waitFor();
      await page.getByRole("button", { name: "Let it run" }).click();
      await badge.getByText("clock: real").waitFor();
      await page.getByText("The clock runs in real time.").waitFor();
      await page.getByRole("button", { name: "+1 h" }).click();
      await badge.getByText("clock: 1 h ahead").waitFor();
      await page.getByRole("banner").getByText("clock: 1 h ahead").waitFor();
      expect(await page.getByText("clock: real").count()).toBe(0);
    });

    it("is advanced by buttons and by a field", async () => {
      const { page } = await bench.console("clock");
      await page.getByRole("button", { name: "+10 min" }).click();
      await page.locator(".clock time").getByText("2026-11-20 10:17:30 UTC").waitFor();
      await page.getByLabel("Advance by").fill("2");
      await page.getByLabel("Unit").selectOption("hours");
      await page.getByRole("button", { name: "Advance" }).click();
      await page.locator(".clock time").getByText("2026-11-20 12:17:30 UTC").waitFor();
      expect(await bench.rig.ok("GET", "/_loadform/clock")).toMatchObject({ now: "2026-11-20T12:17:30.000Z" });
    });

    it("is let run, frozen, and set", async () => {
      const { page } = await bench.console("clock");
      await page.getByRole("button", { name: "Let it run" }).click();
      await page.getByRole("button", { name: "Freeze", exact: true }).click();
      await page.getByLabel("Freeze at").fill("2030-01-01T00:00:00Z");
      await page.getByRole("button", { name: "Set" }).click();
      await page.locator(".clock").getByText("2030-01-01 00:00:00 UTC").waitFor();
      await page.getByLabel("Freeze at").fill("never");
      await page.getByRole("button", { name: "Set" }).click();
      await page.getByRole("alert").getByText("now").first().waitFor();
    });
  });

  describe("faults", () => {
    it("are planned by a form, told when they are wrong, and removed", async () => {
      const { page } = await bench.console("faults");
      await page.getByText("No fault is planned.").waitFor();
      await page.getByLabel("Path").fill("/test-casez");
      await page.getByLabel("Status").fill("503");
      await page.getByLabel("Times").fill("2");
      await page.getByRole("button", { name: "Plan fault" }).click();
      await page.getByRole("alert").getByText("no route of the service").waitFor();
      await page.getByLabel("Path").fill("/test-cases");
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Plan fault" }).click();
      await page.getByRole("row", { name: "GET /test-cases answers 503 0 of 2" }).waitFor();
      expect((await bench.rig.call("GET", "/test-cases")).status).toBe(503);
      await page.getByRole("row", { name: "1 of 2" }).waitFor();
      await page.getByRole("button", { name: "Remove the fault of GET /test-cases" }).click();
      await page.getByText("No fault is planned.").waitFor();
      expect(await bench.rig.ok("GET", "/_loadform/faults")).toEqual([]);
    });
  });

  describe("the request log", () => {
    it("grows, is filtered, and marks what nothing read and what led nowhere", async () => {
      const { page } = await bench.console("requests");
      await page.getByText("newest first").waitFor();
      await bench.rig.call("PUT", "/test-confs/1", { nmae: "x" });
      await bench.rig.call("GET", "/test-casez/7");
      await page.locator("mark", { hasText: "nmae" }).waitFor();
      await page.getByText("No such route. The nearest are").waitFor();
      await page.getByLabel("Show").selectOption("unknown");
      await page.getByText("1 request, newest first").waitFor();
      await page.getByLabel("Show").selectOption("all");
      await page.getByLabel("Path contains").fill("casez");
      await page.getByText("1 request, newest first").waitFor();
      await page.getByRole("button", { name: "Clear log" }).click();
      await page.getByText("No request yet.").waitFor();
      expect(await bench.rig.ok("GET", "/_loadform/requests")).toEqual([]);
    });
  });
});
