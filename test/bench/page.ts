import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import { writeProject } from "./bench-project.ts";
import { startService } from "./bench-service.ts";
import { runLoadform } from "./measure.ts";
import type { Row } from "./table.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Milliseconds since the page was asked for. */
interface Moments {
  readonly paintedAt: number;
  readonly foldedAt: number;
  readonly searchedAt: number;
}

/**
 * Runs in the page before anything of it: as soon as something was painted it folds a group, and then searches, each until the next
 * frame is there. The page's own clock tells, so neither Playwright nor the start of the browser is in it.
 */
const watching = `
const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
globalThis.moments = (async () => {
  const paintedAt = await new Promise((resolve) =>
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
    }).observe({ type: "paint", buffered: true }),
  );
  while (document.readyState === "loading") await frame();
  const group = document.querySelector("details.group");
  group.querySelector("summary").click();
  await frame();
  if (group.open) throw new Error("the group did not fold");
  const foldedAt = performance.now();
  const search = document.querySelector("input[type=search]");
  search.value = "case-50 gateway";
  search.dispatchEvent(new Event("input"));
  await frame();
  const found = document.querySelector(".found").textContent;
  if (!/^[1-9]\\d* of 1,000 objects$/.test(found)) throw new Error("the search found " + found);
  return { paintedAt, foldedAt, searchedAt: performance.now() };
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
    const times: Moments[] = [];
    for (let time = 0; time < 7; time++) times.push(await openOnce(browser, pathToFileURL(path).href));
    const least = (of: keyof Moments) => Math.min(...times.map((each) => each[of])) / 1000;
    const name = "page of a plan of 1,000 changes";
    return [
      { what: name, value: statSync(path).size / 1e6, unit: "MB", goal: { atMost: 2 } },
      { what: `${name}, first paint`, value: least("paintedAt"), unit: "s", goal: { atMost: 1 } },
      { what: `${name}, a group has folded`, value: least("foldedAt"), unit: "s", goal: { atMost: 1 } },
      { what: `${name}, the search has answered`, value: least("searchedAt"), unit: "s", goal: { atMost: 1 } },
    ];
  } finally {
    await browser.close();
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

async function openOnce(browser: Browser, url: string): Promise<Moments> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.addInitScript(watching);
    await page.goto(url);
    return (await page.evaluate("moments")) as Moments;
  } finally {
    await page.close();
  }
}
