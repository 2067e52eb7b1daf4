import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { writeProject } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Milliseconds since the page was asked for. */
interface Moments {
  readonly paintedAt: number;
  readonly answeredAt: number;
}

/** What a user does first with the page, each with a test of its own that it was done. */
const firstActions = {
  "a group has folded": `
    const group = document.querySelector("details.group");
    group.querySelector("summary").click();
    await frame();
    if (group.open) throw new Error("the group did not fold");`,
  "the search has answered": `
    const search = document.querySelector("input[type=search]");
    search.value = "case-50 gateway";
    search.dispatchEvent(new Event("input"));
    await frame();
    const found = document.querySelector(".found").textContent;
    if (!/^[1-9]\\d* of 1,000 objects$/.test(found)) throw new Error("the search found " + found);`,
};

/**
 * Runs in the page before anything of it: as soon as the document is there it is used, until the next frame is there. The page's own
 * clock tells, so neither Playwright nor the start of the browser is in it.
 */
const using = (action: string) => `
const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
globalThis.moments = (async () => {
  const paintedAt = await new Promise((resolve) =>
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
    }).observe({ type: "paint", buffered: true }),
  );
  if (document.readyState === "loading")
    await new Promise((resolve) => addEventListener("DOMContentLoaded", resolve, { once: true }));
  ${action}
  return { paintedAt, answeredAt: performance.now() };
})();`;

/** The page of a plan of 1,000 changes in a real browser: its size, and when it is used. */
export async function measurePage(): Promise<readonly Row[]> {
  if (!existsSync(executablePath)) return [];
  const service = await startService();
  const folder = writeProject(1_000, service.url);
  const path = join(folder, "plan.html");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    await runLoadform(["plan", folder, "--html", path]);
    const name = "page of a plan of 1,000 changes";
    const rows: Row[] = [{ what: name, value: statSync(path).size / 1e6, unit: "MB", goal: { atMost: 2 } }];
    for (const [what, action] of Object.entries(firstActions)) {
      const times: Moments[] = [];
      for (let time = 0; time < 7; time++) times.push(await openOnce(browser, pathToFileURL(path).href, action));
      const least = (of: keyof Moments) => Math.min(...times.map((each) => each[of])) / 1000;
      rows.push({ what: `${name}, ${what}`, value: least("answeredAt"), unit: "s", goal: { atMost: 1 } });
      if (rows.length === 2)
        rows.push({ what: `${name}, first paint`, value: least("paintedAt"), unit: "s", goal: { atMost: 1 } });
    }
    return rows;
  } finally {
    await browser.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function openOnce(browser: Browser, url: string, action: string): Promise<Moments> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.addInitScript(using(action));
    await page.goto(url);
    return (await page.evaluate("moments")) as Moments;
  } finally {
    await page.close();
  }
}
