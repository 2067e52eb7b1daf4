import { describe, expect, it } from "vitest";
import { runHtml } from "../../../src/report/runs/run-html.ts";
import type { RunDetails } from "../../../src/run/run-document.ts";
import { control, detailsOf, everyRun, failed, hostileRun, lastRuns, longRun, passed } from "./sample-runs.ts";

const pageOf = (...runs: readonly RunDetails[]) => runHtml({ warnings: [], runs });
const captionsOf = (page: string) => [...page.matchAll(/<caption>([^<]+)/g)].map(([, caption]) => caption);

describe("the page of runs", () => {
  it("shows of one run the verdict, the charts and a table of each kind", () => {
    const page = pageOf(failed);
    expect(page).toContain("<strong>✗ Failed</strong>");
    expect(page.match(/<svg /g)).toHaveLength(4 + 2 * 2);
    expect(captionsOf(page)).toEqual([
      "What was asked",
      "Over time, 10 s a row",
      "Regions",
      "Figures beside the baseline",
      "Resources",
      "Response codes of 400 and more",
      "Log lines of level Error and Fatal",
    ]);
    for (const text of [
      "300.4 ms",
      "0123456789abcdef",
      "9f86d081884c7d65",
      "503",
      "connect ECONNREFUSED",
      "+50.4 ms (+20.2 %)",
    ])
      expect(page).toContain(text);
  });

  it("says beside the verdict that a run was simulated or stale", () => {
    const page = pageOf(detailsOf({ simulated: true, stale: true }));
    expect(page).toContain("<strong>✓ Passed <small>(simulated, stale)</small></strong>");
    expect(page).toContain("<title>release: passed (simulated, stale)</title>");
  });

  it("has of several runs an overview, links, and no caption or id twice", () => {
    const page = pageOf(...everyRun, ...lastRuns(3));
    const captions = captionsOf(page);
    expect(new Set(captions).size).toBe(captions.length);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    expect(captions).toContain("Trend of release");
  });

  it("draws nothing of a run that measured nothing", () => {
    const page = pageOf(everyRun[3]!);
    expect(page).toContain("not started");
    expect(page).not.toContain("<svg");
  });

  it("has no script and loads nothing", () => {
    const page = pageOf(passed, failed);
    expect(page).not.toMatch(/<script|<img|<link rel="stylesheet|@import|url\(/);
    expect([...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)).toEqual(["data:,", "#run-1", "#run-2"]);
  });

  it("holds every text of others as text", () => {
    for (const page of [pageOf(hostileRun), pageOf(hostileRun, hostileRun)]) {
      expect(page).not.toMatch(/<script|<u>|<!\[CDATA/i);
      expect(page).not.toMatch(control);
      expect(page).toContain("&lt;script&gt;");
    }
  });

  it("of an hour of ten regions has at most 1 MB, and says what a point covers", () => {
    const page = pageOf(longRun());
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(1_000_000);
    expect(page).toContain("Each point covers 2 intervals");
    expect(page).toContain("Over time, 30 s a row");
    expect(page).toContain("… and 300 more");
  });

  it("of 50 such runs remains a page that a browser opens", () => {
    expect(Buffer.byteLength(pageOf(...Array.from({ length: 50 }, () => longRun())))).toBeLessThanOrEqual(2_500_000);
  });
});
