// merge: in a real browser
import { describe, expect, it, onTestFinished } from "vitest";
import { serveStatus } from "../../../src/watch/status/serve-status.ts";
import { browserPath, expectGood, expectGoodInAll, testBrowser } from "../../support/browser.ts";
import { fleet, hostile } from "./sample-fleet.ts";
import { type AskedView, viewOf, watched } from "./sample-projects.ts";

const token = "watch-token";

describe.skipIf(browserPath === undefined)("the status page", () => {
  const browser = testBrowser();

  async function open(view: AskedView, { isOpen = false }: { isOpen?: boolean } = {}) {
    const options = { view, token: isOpen ? undefined : token, now: Date.now };
    const server = await serveStatus({ ...options, address: "127.0.0.1:0" });
    const rig = {
      server,
      restart: async () => {
        rig.server = await serveStatus({ ...options, address: server.url.slice("http://".length) });
      },
    };
    onTestFinished(() => rig.server.close());
    const watched = await browser.blank(server.url);
    watched.page.setDefaultTimeout(10_000);
    await watched.page.goto(server.url);
    return { ...watched, rig };
  }

  async function signedIn(view: AskedView) {
    const opened = await open(view);
    await opened.page.getByLabel("Token").fill(token);
    await opened.page.keyboard.press("Enter");
    await opened.page.getByRole("heading", { name: "Projects" }).waitFor();
    // The console tells of the first question, which was without the token.
    expect(opened.problems.splice(0)).toEqual([expect.stringContaining("401")]);
    return opened;
  }

  it("is good in light, in dark and on a phone, with a project of every state opened", async () => {
    const opened = await signedIn(viewOf(fleet(12)));
    for (const summary of await opened.page.locator(".project > summary").all()) await summary.click();
    await opened.page.getByText("The last 100 checks").first().click();
    await opened.page.getByRole("region", { name: "Checks of shop-00" }).waitFor();
    await expectGoodInAll(opened);
  });

  it("runs nothing of hostile names, reasons and plans", async () => {
    const opened = await signedIn(viewOf(hostile));
    for (const summary of await opened.page.locator(".project > summary").all()) await summary.click();
    await opened.page
      .getByRole("region", { name: /^Last plan/ })
      .last()
      .waitFor();
    await expectGood(opened);
    expect(await opened.page.evaluate("globalThis.ran")).toBeUndefined();
    await opened.page.getByRole("button", { name: "Check now" }).first().click();
    await opened.page.getByText("check now, done").waitFor({ state: "attached" });
  });

  it("asks for the token, says that one is wrong, and keeps none", async () => {
    const { page, problems } = await open(viewOf(fleet(2)));
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This is not the token").waitFor();
    await page.getByLabel("Token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByText("shop-00").waitFor();
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([0, 0, ""]);
    await page.reload();
    await page.getByLabel("Token").waitFor();
    expect(problems.filter((each) => !each.includes("401"))).toEqual([]);
  });

  it("without a token of the watcher is read only", async () => {
    const { page } = await open(viewOf(fleet(2)), { isOpen: true });
    await page.getByText("Read only").waitFor();
    await page.locator(".project > summary").first().click();
    await page.getByText("Last check", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Check now" }).count()).toBe(0);
  });

  it("gives orders: check, retry, suspend for an hour, resume", async () => {
    const view = viewOf([watched("webshop", { state: "drifted" })]);
    const { page } = await signedIn(view);
    await page.locator(".project > summary").click();
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("Checking").waitFor();
    await page.getByRole("button", { name: "Retry what failed" }).click();
    await page.getByLabel("How long webshop is suspended").selectOption("for an hour");
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("button", { name: "Suspend" }).waitFor();
    const until = Number(view.asked[2]?.split(" ").at(-1));
    expect(view.asked).toEqual(["ask webshop", "ask webshop retry", `suspend webshop ${until}`, "resume webshop"]);
    expect(Math.abs(until - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  it("says that the connection was lost, and shows what is so as soon as it is back", async () => {
    const view = viewOf([watched("webshop", { state: "in-sync" }), watched("search", { state: "in-sync" })]);
    const { page, rig } = await signedIn(view);
    await page.locator(".project > summary").first().focus();
    await rig.server.close();
    await page.getByRole("alert").getByText("No answer came from the watcher").waitFor();
    expect(await page.getByText("webshop").first().isVisible()).toBe(true);
    view.all = [watched("webshop", { state: "in-sync" }), watched("search", { state: "failed", reason: "no key" })];
    await rig.restart();
    await page.getByText("no key").waitFor();
    await expect.poll(() => page.getByRole("alert").getByText("No answer came").count()).toBe(0);
    expect(await page.locator(".project strong").allTextContents()).toEqual(["search", "webshop"]);
    expect(await page.getByRole("status").textContent()).toBe("search is failed");
    expect(await page.evaluate("document.activeElement.dataset.key")).toBe("row webshop");
  });

  it("shows 200 projects, the worst first, by state and by name", async () => {
    const { page } = await signedIn(viewOf(fleet(200)));
    const names = page.locator(".project strong");
    expect(await names.count()).toBe(200);
    const states = await page.locator(".project > summary .chip").allTextContents();
    expect([...new Set(states)]).toEqual([
      ...["failed", "locked", "blocked", "out-of-sync", "drifted", "not checked yet", "suspended", "in-sync"],
    ]);
    await page.getByRole("button", { name: /^locked/ }).click();
    expect(await names.count()).toBe(25);
    await page.getByLabel("Name contains").fill("-17");
    expect(await names.allTextContents()).toEqual(
      ["shop-17", "shop-177"].filter((name) => Number(name.slice(5)) % 8 === 1),
    );
    await page.getByLabel("Name contains").fill("nothing");
    await page.getByText("No project is like that.").waitFor();
  });

  it("is used by keyboard, and what is opened and focused remains while it refreshes", async () => {
    const view = viewOf(fleet(8));
    const { page } = await signedIn(view);
    const first = page.locator(".project > summary").first();
    await first.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Retry what failed" }).focus();
    view.all = view.all.map((each) => ({ ...each, memory: { ...each.memory, reason: "changed meanwhile" } }));
    await page.getByText("changed meanwhile").first().waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Retry what failed");
    expect(await page.locator(".project[open]").count()).toBe(1);
  });
});
