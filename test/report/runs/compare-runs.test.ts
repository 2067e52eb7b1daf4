import { describe, expect, it } from "vitest";
import { groupRuns, trendsOf } from "../../../src/report/runs/compare-runs.ts";
import type { RunDetails } from "../../../src/run/run-document.ts";
import { detailsOf, everyRun, lastRuns } from "./sample-runs.ts";

const idsOf = (runs: readonly RunDetails[]) => runs.map(({ run }) => run.execution);
const trendOf = (name: string, runs: readonly RunDetails[]) =>
  groupRuns(runs)
    .flatMap(trendsOf)
    .find((trend) => trend.name === name);

describe("runs beside each other", () => {
  it("are those of one gate and configuration, the newest first whatever the order was", () => {
    const other = detailsOf({ gate: "other", execution: 7 });
    const [newest, middle, oldest] = lastRuns(3);
    const groups = groupRuns([middle!, other, oldest!, newest!]);
    expect(groups.map(({ gate, runs }) => [gate, idsOf(runs)])).toEqual([
      ["release", [100, 99, 98]],
      ["other", [7]],
    ]);
  });

  it("are not mixed where a configuration is run by two gates, or with and without one", () => {
    const gates = ["a", "b", undefined].map((gate) => detailsOf({ gate }));
    expect(groupRuns(gates)).toHaveLength(3);
  });

  it("have a trend from the oldest to the newest", () => {
    expect(trendOf("Response time p95", lastRuns(4))).toEqual({
      name: "Response time p95",
      bars: "▁▃▆█",
      first: "225 ms",
      last: "300 ms",
      change: "+75 ms (+33.3 %)",
    });
  });

  it("have a blank where a run measured nothing, and no trend where only one did", () => {
    const silent = (execution: number) => detailsOf({ execution, summary: everyRun[3]!.run.summary });
    const [newest, middle, oldest] = lastRuns(3);
    expect(trendOf("Response time p95", [newest!, silent(99), oldest!])?.bars).toBe("▁ █");
    expect(trendOf("Response time p95", [silent(100), middle!, silent(98)])).toBeUndefined();
  });

  it("tell a difference of shares in points, and one from nothing without a percentage", () => {
    const run = (execution: number, failedPercent: number, requests: number) =>
      detailsOf({ execution, summary: { ...everyRun[0]!.run.summary, failedPercent, requests } });
    const runs = [run(2, 2.5, 10), run(1, 1, 0)];
    expect(trendOf("Failed", runs)?.change).toBe("+1.5 pp");
    expect(trendOf("Requests", runs)?.change).toBe("+10");
  });
});
