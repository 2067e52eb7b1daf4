import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, expect } from "vitest";
import { isDeep } from "./deep.ts";

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
  readonly sight: Sight;
  /** Errors of the console and of scripts, and requests to elsewhere. */
  readonly problems: string[];
}

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** An empty page that watches itself until its test ends; `home` is the only origin that it may ask. */
  readonly blank: (home: string, sight?: Sight) => Promise<Watched>;
  /** A context of its own, for what a page of the others cannot have. */
  readonly context: Browser["newContext"];
}

/** Of this worker, whose files share it: to start one takes longer than most of their tests. It ends with the process of the worker. */
let running: Promise<Browser> | undefined;

function runningBrowser(): Promise<Browser> {
  running = running?.then((browser) => (browser.isConnected() ? browser : startBrowser())) ?? startBrowser();
  return running;
}

/**
 * Started with the first page that a test asks for. A page is used again by the next test of its file, emptied: a new one starts a
 * process, which costs more than most tests do.
 */
export function testBrowser(): TestBrowser {
  let context: Promise<BrowserContext> | undefined;
  const [free, taken]: [Page[], Page[]] = [[], []];
  afterEach(async () => {
    for (const page of taken.splice(0)) if (!page.isClosed()) free.push(await emptied(page));
    await (await context)?.clearCookies();
  });
  afterAll(async () => (await context)?.close());
  return {
    blank: async (home, sight = sights[0]!) => {
      context ??= runningBrowser().then((browser) => browser.newContext({ serviceWorkers: "block" }));
      const page = free.pop() ?? (await (await context).newPage());
      taken.push(page);
      await see(page, sight);
      return { page, sight, problems: watch(page, home) };
    },
    context: async (options) => (await runningBrowser()).newContext(options),
  };
}

async function startBrowser(): Promise<Browser> {
  // Chromium refuses its sandbox to root, and containers have no other user.
  const options = { executablePath: browserPath ?? "", args: ["--no-sandbox"] };
  // A worker is told to end, and half a second later it is ended; a browser is closed more slowly than that, but killed at once.
  process.once("SIGTERM", () => process.exit());
  return await chromium.launch({ ...options, handleSIGTERM: false });
}

async function emptied(page: Page): Promise<Page> {
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goto("about:blank");
  await page.emulateMedia({ media: null });
  page.setDefaultTimeout(30_000);
  return page;
}

async function see(page: Page, { colorScheme, width }: Sight): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
}

function watch(page: Page, home: string): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(home) && !/^(?:data|about|blob):/.test(url)) problems.push(`request to ${url}`);
  });
  return problems;
}

/** A page that is open, in one sight after the other, as `expectGood` expects it; it is loaded once, and so is axe. */
export async function expectGoodInAll(watched: Watched, all: readonly Sight[] = sights): Promise<void> {
  for (const sight of all) {
    await see(watched.page, sight);
    await expectGood({ ...watched, sight });
  }
}

/** The rules that look at colours, and the one that looks at what is scrolled: only their findings can be others in another sight. */
const [colourRules, narrowRules] = [["color-contrast", "link-in-text-block"], ["scrollable-region-focusable"]];

/** The rules of a sight; undefined for all. Before a merge a dark or narrow page is asked for what can be other than in light and wide. */
function rulesOf({ colorScheme, width }: Sight): readonly string[] | undefined {
  const [isDark, isNarrow] = [colorScheme === "dark", width < 600];
  if (isDeep || !(isDark || isNarrow)) return undefined;
  return [...(isDark ? colourRules : []), ...(isNarrow ? narrowRules : [])];
}

/**
 * What is expected of every page: nothing went wrong in it, it is as wide as its window, and axe finds nothing, `without` some of its
 * rules.
 */
export async function expectGood({ page, sight, problems }: Watched, without: readonly string[] = []): Promise<void> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const asked = rulesOf(sight);
  const options: axe.RunOptions = {
    ...(asked && { runOnly: { type: "rule", values: [...asked] } }),
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    resultTypes: ["violations"],
  };
  const found = await page.evaluate(async (given) => {
    const { axe: looker } = globalThis as unknown as { axe: { run: (options: unknown) => Promise<axe.AxeResults> } };
    const { violations } = await looker.run(given);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")} ${node.failureSummary}`),
    );
  }, options);
  expect(found, `${page.url()} ${sight.name}`).toEqual([]);
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
