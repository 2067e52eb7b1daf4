import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Sight, Watched } from "../../support/browser.ts";
import { startBrowser, watchedPage } from "../../support/browser.ts";
import { makeFullShop } from "./full-shop.ts";
import type { Rig } from "./rig.ts";
import type { SampleRun } from "./run-fixture.ts";

/** A browser for a test file, and a service with one object of each kind for each of its tests. */
export interface PageBench {
  readonly rig: Rig;
  readonly url: string;
  /** An empty page that may ask one service only, the bench's own unless another is named. */
  readonly blank: (sight?: Sight, home?: string) => Promise<Watched>;
  /** The console, opened with the key at a view. */
  readonly console: (view: string, sight?: Sight) => Promise<Watched>;
}

/** Starts and ends all of it around the tests of a file. */
export function pageBench(): PageBench {
  let browser: Browser;
  let rig: Rig;
  let url = "";
  const open: Watched[] = [];
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    rig = await makeFullShop();
    ({ url } = await rig.service.listen(0));
  });
  afterEach(async () => {
    for (const { page } of open.splice(0)) await page.close();
    await rig.close();
  });
  const blank: PageBench["blank"] = async (sight, home = url) => {
    const watched = await watchedPage(browser, home, sight);
    open.push(watched);
    return watched;
  };
  return {
    get rig() {
      return rig;
    },
    get url() {
      return url;
    },
    blank,
    console: async (view, sight) => {
      const watched = await blank(sight);
      await watched.page.goto(`${url}/_loadform/console?key=local#${view}`);
      await watched.page.getByRole("navigation", { name: "Views" }).waitFor();
      return watched;
    },
  };
}

/** Run 7 of the page is this one, whatever the service knows: its engine is tested elsewhere. */
export async function withRun({ page }: Watched, run: SampleRun): Promise<void> {
  await page.route("**/executions/7", (route) => route.fulfill({ json: run.execution }));
  await page.route("**/executions/7/intervals*", (route) => route.fulfill({ json: run.intervals }));
}
