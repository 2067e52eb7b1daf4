import { describe, expect, it } from "vitest";
import { condense } from "../../../src/report/runs/run-series.ts";
import { courseOf } from "./sample-runs.ts";

describe("the course of a run", () => {
  it("remains as it is where there is room", () => {
    expect(condense(courseOf(18), 18)).toMatchObject({ points: courseOf(18), merged: 1, seconds: 180 });
  });

  it("has in fewer points the same sums, and no peak is lost", () => {
    const all = courseOf(361);
    const { points, merged, seconds } = condense(all, 100);
    expect({ points: points.length, merged, seconds }).toEqual({ points: 91, merged: 4, seconds: 3610 });
    const sum = (of: typeof all, read: (each: (typeof all)[number]) => number | null) =>
      of.reduce((total, each) => total + (read(each) ?? 0), 0);
    expect(sum(points, (each) => each.requests)).toBe(sum(all, (each) => each.requests));
    expect(sum(points, (each) => each.failures)).toBe(sum(all, (each) => each.failures));
    expect(sum(points, (each) => each.seconds)).toBe(3610);
    expect(Math.max(...points.map(({ p95 }) => p95 ?? 0))).toBe(Math.max(...all.map(({ p95 }) => p95 ?? 0)));
    expect(points[0]).toMatchObject({ at: 0, users: 40, requestsPerSec: 160.15, p50: 143, failedPercent: 600 / 6406 });
  });

  it("takes the share of failures only from what counted both", () => {
    const [first] = courseOf(1);
    const intervals = [
      { ...first!, requests: 100, failures: 10 },
      { ...first!, at: 10_000, requests: 900, failures: null },
    ];
    expect(condense(intervals, 1).points[0]).toMatchObject({ requests: 1000, failures: 10, failedPercent: 10 });
  });

  it("measured nothing where none of its intervals did", () => {
    const nothing = courseOf(4).map((each) => ({
      ...each,
      users: null,
      requests: null,
      requestsPerSec: null,
      p95: null,
    }));
    expect(condense(nothing, 2).points[0]).toMatchObject({
      users: null,
      requests: null,
      requestsPerSec: null,
      p95: null,
    });
  });

  it("is in the order of time, whatever the order of the answer was", () => {
    expect(condense(courseOf(6).toReversed(), 3).points.map(({ at }) => at)).toEqual([0, 20_000, 40_000]);
  });
});
