import { describe, expect, it } from "vitest";
import { runText } from "../../../src/report/runs/run-text.ts";
import { valueText } from "../../../src/report/runs/run-words.ts";
import { plainPalette } from "../../../src/report/terminal-text.ts";
import type { RunDetails } from "../../../src/run/run-document.ts";
import { control, detailsOf, everyRun, failed, hostileRun, lastRuns } from "./sample-runs.ts";

const textOf = (...runs: readonly RunDetails[]) => runText({ runs, warnings: [] }, plainPalette);
const apart = everyRun.map((each, index) => ({
  ...each,
  run: { ...each.run, gate: `${each.run.gate ?? "none"}-${index}` },
}));

describe("the text of runs", () => {
  it("has a block for each, with every KPI and its value", async () => {
    await expect(textOf(...apart)).toMatchFileSnapshot("golden/run-text.txt");
  });

  it("sets runs of one configuration beside each other, with their trend", async () => {
    const [newest, ...others] = lastRuns(4);
    const runs = [{ ...failed, run: { ...failed.run, execution: newest!.run.execution } }, ...others].toReversed();
    await expect(textOf(...runs)).toMatchFileSnapshot("golden/run-text-trend.txt");
  });

  it("holds each text of others in its line", () => {
    const text = textOf(hostileRun);
    expect(text).not.toMatch(control);
    expect(text.split("\n").length).toBe(textOf(detailsOf({ ...hostileRun.run, gate: "a" })).split("\n").length);
  });

  it("says beside the verdict that a run was simulated or stale, in a table too", () => {
    const marked = (run: object) => lastRuns(3).map((each) => ({ ...each, run: { ...each.run, ...run } }));
    expect(textOf(marked({ simulated: true })[0]!)).toMatch(/^✓ release: passed \(simulated\)$/m);
    expect(textOf(...marked({ simulated: true }))).toMatch(/^release \(simulated\), /m);
    const [first, ...others] = lastRuns(3);
    expect(textOf({ ...first!, run: { ...first!.run, stale: true } }, ...others)).toMatch(/100 .* passed \(stale\) /);
  });

  it("tells a missed check once, and why a figure was not measured", () => {
    const unknown = "foo > 3: foo was not measured; measured were count, outcome";
    const broken = "count > 30000 did not hold during the run, so it was stopped";
    const text = textOf(
      detailsOf(
        {
          verdict: "failed",
          reasons: [
            unknown,
            broken,
            "count > 30000: it was 29,480",
            "29480 requests were measured; the minimum is 30000",
          ],
          kpis: [
            { expr: "foo > 3", value: null, unit: null, ok: false },
            { expr: "count > 30000", value: 29_480, unit: null, ok: false },
          ],
        },
        { minimum: 30_000 },
      ),
    );
    expect(text).toContain(unknown);
    expect(text).toContain(broken);
    expect(text.match(/it was 29,480|✗ count > 30000 +29,480/g)).toHaveLength(1);
    expect(text).toMatch(/✗ minimum requests .*at least 30,000/);
    expect(text).not.toContain("the minimum is");
  });

  it("never rounds a value to the bound that it missed", () => {
    expect(valueText(300.4, "ms")).toBe("300.4 ms");
    expect(valueText(299.99999, "ms")).toBe("299.99999 ms");
    expect(valueText(94.9999, "%")).toBe("94.9999 %");
    expect(valueText(1_234_567, null)).toBe("1,234,567");
    expect(valueText(0.0001, null)).toBe("0.0001");
    expect(valueText(-1500.5, "ms")).toBe("−1,500.5 ms");
  });
});
