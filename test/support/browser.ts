import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { chromium } from "playwright-core";
import { expect } from "vitest";

/** Where Chromium is: named by CHROMIUM, or on PATH; undefined where there is none. */
export const browserPath = findBrowser();
if (browserPath === undefined)
  console.warn("SKIPPED: no chromium in PATH and none named by CHROMIUM, so no page was opened in a browser");

/** How a page is looked at. */
export interface Sight {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

/** Every page is good in each of these. */
export const sights: readonly Sight[] = [
  { name: "in light", colorScheme: "light", width: 1200 },
  { name: "in dark", colorScheme: "dark", width: 1200 },
  { name: "on a phone", colorScheme: "light", width: 390 },
];

/** A page with what went wrong in it so far. */
export interface Watched {
  readonly page: Page;
  /** Errors of the console and of scripts, and requests to elsewhere. */
  readonly problems: string[];
}

/** Starts the browser; a test file starts one and closes it. */
export async function startBrowser(): Promise<Browser> {
  // Chromium refuses its sandbox to root, and containers have no other user.
  return await chromium.launch({ executablePath: browserPath ?? "", args: ["--no-sandbox"] });
}

/** Opens an empty page that watches itself; `home` is the only origin that it may ask. */
export async function watchedPage(browser: Browser, home: string, sight: Sight = sights[0]!): Promise<Watched> {
  const { colorScheme, width } = sight;
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 }, serviceWorkers: "block" });
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(home) && !/^(?:data|about|blob):/.test(url)) problems.push(`request to ${url}`);
  });
  return { page, problems };
}

/** What is expected of every page: nothing went wrong in it, it is as wide as its window, and axe finds nothing. */
export async function expectGood({ page, problems }: Watched): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: { run: () => Promise<axe.AxeResults> } }).axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary}`),
    );
  });
  expect(found).toEqual([]);
  const [wide, window] = (await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")) as [
    number,
    number,
  ];
  expect(wide, "the page's width").toBeLessThanOrEqual(window);
  expect(problems).toEqual([]);
}

function findBrowser(): string | undefined {
  const named = process.env["CHROMIUM"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return (named ? [named] : folders.map((folder) => join(folder, "chromium"))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
