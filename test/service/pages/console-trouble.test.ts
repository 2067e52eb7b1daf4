// merge: in a real browser
import { describe, expect, it } from "vitest";
import { browserPath, expectGood } from "../../support/browser.ts";
import { isDeep } from "../../support/deep.ts";
import { type PageBench, pageBench } from "../support/page-bench.ts";
import { flat, makeRig } from "../support/rig.ts";
import { makeRunShop } from "../support/run-rig.ts";

/** What would run if it were taken for more than a name. */
const names = [
  "<img src=x onerror=globalThis.ran=1>",
  "</script><script>globalThis.ran=1</script>",
  `"'--></title></style><svg onload=globalThis.ran=1>`,
] as const;

describe.skipIf(browserPath === undefined)("trouble in the console", () => {
  const bench = pageBench(makeRunShop);
  const plan = (fault: object) =>
    bench.rig.ok("PUT", "/_loadform/faults", [{ method: "POST", path: "/test-confs/:confId/executions", ...fault }]);

  it.each([
    ["a 500", { status: 500 }, "a planned fault answered 500", "Whether it was done is not known."],
    ["a 409", { status: 409 }, "a planned fault answered 409", "Nothing was changed."],
    ["a 503 whose body is no JSON", { status: 503, body: "<b>no</b>" }, "answered 503", "Else try again."],
    ["a cut connection", { drop: "before" }, "No answer came", "A fault may be planned for it"],
    ["half an answer", { truncate: 9 }, "No answer came", "A fault may be planned for it"],
  ])("%s is told with what to do, and passes", async (trouble, fault, message, advice) => {
    await plan(fault);
    const watched = await bench.console("runs");
    const { page, problems } = watched;
    await page.getByRole("button", { name: "Start run" }).click();
    const alert = page.getByRole("alert").filter({ hasText: message });
    await alert.getByText(advice).waitFor();
    expect(problems.splice(0).filter((each) => !each.includes("Failed to load resource"))).toEqual([]);
    // They differ in words only.
    if (trouble === "a 500" || isDeep) await expectGood(watched);
    await bench.rig.ok("DELETE", "/_loadform/faults");
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByRole("heading", { name: "Checkout: Smoke" }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  it("planned by the console itself is met by it, and told where it is planned", async () => {
    const { page } = await bench.console("faults");
    await page.getByLabel("Method").selectOption("POST");
    await page.getByLabel("Path").fill("/test-confs/:confId/executions");
    await page.getByLabel("Status").fill("500");
    await page.getByRole("button", { name: "Plan fault" }).click();
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("button", { name: "Start run" }).click();
    await page.getByRole("alert").getByRole("link", { name: "Faults" }).click();
    await page.getByRole("button", { name: /^Remove the fault/ }).click();
    await page.getByText("No fault is planned.").waitFor();
  });

  it("of a key that was changed meanwhile asks for the new one", async () => {
    const { page } = await bench.console("runs");
    const refused = { status: 401, json: { code: "UNAUTHORIZED", message: "no" } };
    await page.route("**/_loadform/clock", (route) => route.fulfill(refused));
    await page.getByText("The service does not know this key any more.").waitFor();
    await page.unroute("**/_loadform/clock");
    await page.getByLabel("Key of the service").fill("local");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Start run" }).waitFor();
  });
});

describe.skipIf(browserPath === undefined)("hostile names", () => {
  const bench = pageBench(() => makeRig({ settings: { nameCharacters: "any" } }));

  it("run nowhere: console, docs, share page", async () => {
    const { rig, url } = bench;
    await fillWithHostileNames(bench);
    const watched = await bench.console("objects");
    const { page, problems } = watched;
    await page.getByRole("heading", { name: names[0] }).waitFor();
    for (const summary of await page.locator(".row summary").all()) await summary.click();
    for (const view of ["runs", "runs/1", "clock", "faults", "requests"]) {
      await page.evaluate(`location.hash = "${view}"`);
      await page.locator("main h1").waitFor();
      await page.waitForLoadState("networkidle");
    }
    await page.getByText("onerror=").first().waitFor();
    const { name } = await rig.ok("POST", "/test-confs/1/share");
    expect(await page.evaluate("globalThis.ran")).toBe(undefined);
    for (const path of [`/p/${name}`, "/_loadform/docs#<img src=x onerror=globalThis.ran=1>"]) {
      await page.goto(url + path);
      expect(await page.evaluate("globalThis.ran")).toBe(undefined);
      expect(await page.locator('img, a[href^="javascript:"]').count()).toBe(0);
    }
    expect(problems).toEqual([]);
  });

  it.each(["console", "docs"])("would not run if they were in the page: %s", async (name) => {
    const { page, problems } = await bench.blank();
    const answer = await page.goto(`${bench.url}/_loadform/${name}`);
    expect(answer?.headers()["content-security-policy"]).toMatch(/script-src 'sha256-[^;]*';/);
    await page.evaluate(`
      document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='globalThis.ran=1'>");
      const script = document.createElement("script");
      script.textContent = "globalThis.ran = 2";
      document.body.append(script);`);
    await expect.poll(() => problems.filter((each) => each.includes("Content Security Policy")).length).toBe(2);
    expect(await page.evaluate("globalThis.ran")).toBe(undefined);
  });
});

async function fillWithHostileNames({ rig }: PageBench): Promise<void> {
  await rig.ok("POST", "/test-cases", { name: names[0], org: 1, description: names[1] });
  await rig.ok("POST", "/test-cases/1/scripts", { name: names[1], main: `throw new Error("${names[0]}")` });
  await rig.ok("POST", "/test-cases/1/gateways", { name: names[2], url: "https://shop.test" });
  await rig.call("POST", "/test-cases/1/gateways", { name: "x", url: "javascript:globalThis.ran=1" });
  await rig.ok("POST", "/test-cases/1/confs", { ...flat, name: names[2] });
  await rig.ok("POST", "/test-confs/1/executions");
  await rig.service.advance(60_000);
  await rig.call("PUT", "/test-confs/1", { [names[0]]: 1 });
  await rig.call("GET", `/test-casez/${encodeURIComponent(names[1])}?${encodeURIComponent(names[2])}=1`);
}
