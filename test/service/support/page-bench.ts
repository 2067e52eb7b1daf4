import { afterEach, beforeEach } from "vitest";
import { type Sight, testBrowser, type Watched } from "../../support/browser.ts";
import { makeFullShop } from "./full-shop.ts";
import type { Rig } from "./rig.ts";

/** A browser for a test file, and a service for each of its tests, with one object of each kind unless they say otherwise. */
export interface PageBench {
  readonly rig: Rig;
  readonly url: string;
  /** An empty page that may ask one service only, the bench's own unless another is named. */
  readonly blank: (sight?: Sight, home?: string) => Promise<Watched>;
  /** The console, opened with the key at a view. */
  readonly console: (view: string, sight?: Sight) => Promise<Watched>;
}

/** Starts and ends all of it around the tests of a file; `make` makes the service. */
export function pageBench(make: () => Promise<Rig> = makeFullShop): PageBench {
  let rig: Rig;
  let url = "";
  beforeEach(async () => {
    rig = await make();
    ({ url } = await rig.service.listen(0));
  });
  afterEach(() => rig.close());
  // After a test its pages are emptied first, then the service is closed.
  const browser = testBrowser();
  const blank: PageBench["blank"] = (sight, home = url) => browser.blank(home, sight);
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
