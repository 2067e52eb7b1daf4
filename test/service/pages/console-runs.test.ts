// merge: in a real browser
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createService } from "../../../src/service/index.ts";
import { browserPath, expectGood } from "../../support/browser.ts";
import { trigger } from "../support/configuration-cases.ts";
import { pageBench } from "../support/page-bench.ts";
import { flat } from "../support/rig.ts";
import { makeRunShop } from "../support/run-rig.ts";

describe.skipIf(browserPath === undefined)("a run of the engine in the console", () => {
  const bench = pageBench(makeRunShop);
  const start = () => bench.rig.ok("POST", "/test-confs/1/executions");

  it("is started, grows as the frozen clock is advanced, and ends", async () => {
    const watched = await bench.console("runs");
    const { page, problems } = watched;
    await page.getByText("No run yet.").waitFor();
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByText("Nothing measured yet.").waitFor();
    await expectGood(watched);
    await page.getByRole("button", { name: "+10 s" }).click();
    await page.getByText("At 0:05: Users 4").waitFor();
    await page.getByText("10 s of 1 min").waitFor();
    for (const title of ["Users", "Throughput", "Response time", "Failures"])
      await page.getByRole("img", { name: new RegExp(`^${title}, in `) }).waitFor();
    await page.getByRole("button", { name: "+1 min" }).click();
    await page.getByRole("status").getByText("passed").waitFor();
    await page.locator("h1").getByText("simulated: no request was sent").waitFor();
    await page.getByRole("img", { name: /^Users/ }).hover({ position: { x: 120, y: 80 } });
    await page.getByText(/At 0:[12]5: Users 4 /).waitFor();
    for (const name of ["cloud-us-east-1", "cloud-eu-west-1"])
      await page.getByRole("row", { name: new RegExp(`^${name} 2 \\d+ [1-9]`) }).waitFor();
    const { summary } = await bench.rig.ok("GET", "/executions/1");
    await page.locator(".tiles").getByText(String(summary.count), { exact: true }).waitFor();
    await expectGood(watched);
    expect(problems).toEqual([]);
  });

  it("is extended, given users and stopped", async () => {
    await start();
    await bench.rig.service.advance(20_000);
    const { page } = await bench.console("runs/1");
    await page.getByLabel("Users to add").fill("25");
    await page.getByRole("button", { name: "Add users" }).click();
    await page.locator(".tiles").getByText("29", { exact: true }).waitFor();
    await page.getByLabel("Seconds to add").fill("120");
    await page.getByRole("button", { name: "Extend" }).click();
    await page.getByRole("button", { name: "+1 min", exact: true }).click();
    await page.getByText("1 min 20 s so far").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await expect.poll(async () => (await bench.rig.ok("GET", "/executions/1")).cancelledByUser).toBe(true);
    // It ends with the iterations that are under way then, if there are any.
    await bench.rig.service.advance(10_000);
    await page.locator(".run-head").getByText("stopped by a user").waitFor();
    expect(await bench.rig.ok("GET", "/executions/1")).toMatchObject({ cancelledByUser: true, concurrentClients: 29 });
  });

  it("shows its KPIs as they are so far, and which requests were sent", async () => {
    const form = new FormData();
    const fields = { testcase_name: "Promised", virtual_users: "4", duration_mins: "1", "kpis[0].expr": "count > 1" };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("kpis[1].expr", "Response Time[p95] < 1 ms");
    form.append("code", new Blob(["http.get('http://127.0.0.1:1/').on('error', () => {})"]), "browse.js");
    const headers = { "x-api-key": "local", "x-loadform-engine": "script" };
    await bench.rig.service.fetch("/start", { method: "POST", headers, body: form });
    await bench.rig.service.advance(20_000);
    const watched = await bench.console("runs/1");
    const { page } = watched;
    await page.locator("h1").getByText("simulated: only one iteration was really sent").waitFor();
    await page.getByRole("row", { name: /^count > 1 [1-9]\d* holds$/ }).waitFor();
    await page.getByRole("row", { name: /^Response Time\[p95\] < 1 ms \S+ does not hold$/ }).waitFor();
    await expectGood(watched);
  });

  it("that waits for its manual start is started", async () => {
    const form = new FormData();
    const fields = { testcase_name: "Waiting", virtual_users: "4", duration_mins: "1", manual_start: "true" };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append("code", new Blob(["http.get('http://shop.test/')"]), "browse.js");
    await bench.rig.service.fetch("/start", { method: "POST", headers: { "x-api-key": "local" }, body: form });
    const { page } = await bench.console("runs/1");
    await page.getByRole("status").getByText("ready").waitFor();
    await page.getByRole("button", { name: "Start now" }).click();
    await page.getByRole("status").getByText("running").waitFor();
  });

  it("that a trigger ended says where it broke", async () => {
    const { concurrentClients: _, ...noUsers } = flat;
    const conditions = [{ metric: "outcome", metricKey: "failure", operator: "GTE", threshold: 1 }];
    const triggers = [{ ...trigger, conditions }];
    await bench.rig.ok("POST", "/test-cases/1/confs", {
      ...noUsers,
      profileType: "BreakingPoint",
      durationSecs: 600,
      triggers,
    });
    await bench.rig.ok("POST", "/test-confs/2/executions");
    await bench.rig.service.advance(600_000);
    const { page } = await bench.console("runs/1");
    await page.getByText(/broke at \d+ users/).waitFor();
    await page.getByText(/The run was stopped: outcome\[failure\] was \d+ requests .*1 requests or more/).waitFor();
  });

  it("whose scenario fails says why, with its log", async () => {
    await bench.rig.ok("PUT", "/scripts/1", { main: "log.info('begins'); nowhere()" });
    await start();
    await bench.rig.service.advance(60_000);
    const watched = await bench.console("runs/1");
    await watched.page.getByRole("status").getByText("failed").waitFor();
    await watched.page.locator(".notice").getByText("nowhere is not defined").waitFor();
    await watched.page.locator(".log").getByText("begins").waitFor();
    await watched.page.getByText("No charts.").waitFor();
    await expectGood(watched);
  });

  it("is saved as a PDF and shared with those who have no key", async () => {
    await start();
    await bench.rig.service.advance(90_000);
    const { page } = await bench.console("runs/1");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Result as PDF" }).click();
    const pdf = await readFile(await (await saved).path());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    await page.getByRole("button", { name: "Share link" }).click();
    const opened = page.waitForEvent("popup");
    await page.getByRole("link", { name: /^\/p\// }).click();
    const shared = await opened;
    await shared.getByRole("heading", { name: "Checkout Smoke" }).waitFor();
    // Beside the console, which knows its key as before.
    await page.getByRole("button", { name: "Share link" }).waitFor();
    await shared.close();
  });

  it("on a clock that runs grows by itself", async () => {
    const other = createService();
    const { url } = await other.listen(0);
    await other.restore({ ...bench.rig.service.snapshot() });
    const headers = { "x-api-key": "local" };
    await other.handle({ method: "POST", path: "/test-confs/1/executions", headers });
    const watched = await bench.blank(undefined, url);
    await watched.page.goto(`${url}/_loadform/console?key=local#runs/1`);
    await watched.page.getByText(/[1-9]\d* s of 1 min/).waitFor();
    expect(await watched.page.getByText("clock is frozen").count()).toBe(0);
    expect(watched.problems).toEqual([]);
    await other.close();
  });

  it("is found among those of 200 test cases", async () => {
    for (let id = 2; id <= 200; id++) await bench.rig.ok("POST", "/test-cases", { name: `Case ${id}`, org: 1 });
    await bench.rig.ok("POST", "/test-cases/200/scripts", { name: "Last", main: "1" });
    await bench.rig.ok("POST", "/test-cases/200/confs", { ...flat, name: "Far", scriptId: 2 });
    const watched = await bench.console("objects");
    const { page } = watched;
    await page.getByText("The first 50 of 200 test cases").waitFor();
    await page.getByLabel("Find").fill("far");
    await page.getByRole("button", { name: "Start run of Far" }).click();
    await page.getByRole("heading", { name: "Case 200: Far" }).waitFor();
    await page.getByRole("link", { name: "All runs" }).click();
    await page.getByRole("link", { name: "Case 200: Far #1" }).waitFor();
    await page.getByRole("row", { name: /Case 200: Far #1 running ?simulated/ }).waitFor();
    await expectGood(watched);
  });
});
