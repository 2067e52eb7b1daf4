import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TimingHistogram } from "../../../src/service/runs/timing-histogram.ts";

function of(...times: readonly number[]): TimingHistogram {
  const timings = new TimingHistogram();
  for (const each of times) timings.add(each);
  return timings;
}

const anyTimes = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 50 });

describe("a histogram of timings", () => {
  it("counts exactly: count, sum, minimum, maximum, mean, variance", () => {
    const timings = of(10, 20, 30.5);
    expect([timings.count, timings.sum, timings.min, timings.max]).toEqual([3, 60.5, 10, 30.5]);
    expect(timings.mean).toBeCloseTo(60.5 / 3, 9);
    expect(timings.variance).toBeCloseTo((100 + 400 + 930.25) / 3 - (60.5 / 3) ** 2, 6);
  });

  it("knows percentiles within one percent", () => {
    const timings = of(...Array.from({ length: 1000 }, (_, index) => index + 1));
    for (const percent of [1, 25, 50, 90, 95, 99, 99.9, 100]) {
      const exact = percent * 10;
      expect(Math.abs((timings.percentile(percent) ?? 0) - exact) / exact).toBeLessThan(0.011);
    }
  });

  it("has no percentile of nothing", () => {
    expect(of().percentile(50)).toBeUndefined();
    expect(of().mean).toBeUndefined();
  });

  it("answers a single time exactly at every percentile", () => {
    expect([of(123.456).percentile(1), of(123.456).percentile(99)]).toEqual([123.456, 123.456]);
  });

  it("merges in any order and grouping to the same", () => {
    fc.assert(
      fc.property(anyTimes, anyTimes, anyTimes, (one, two, three) => {
        const left = of(...one);
        left.merge(of(...two));
        left.merge(of(...three));
        const right = of(...three);
        right.merge(of(...two, ...one));
        expect(right.toData()).toEqual(left.toData());
        expect(left.toData()).toEqual(of(...one, ...two, ...three).toData());
      }),
      { numRuns: 200 },
    );
  });

  it("comes back from its data", () => {
    fc.assert(
      fc.property(anyTimes, (times) => {
        const data = of(...times).toData();
        expect(TimingHistogram.of(JSON.parse(JSON.stringify(data))).toData()).toEqual(data);
      }),
      { numRuns: 100 },
    );
  });

  it("is scaled by moving its buckets", () => {
    const half = of(...Array.from({ length: 1000 }, (_, index) => (index + 1) * 2)).scaled(0.5);
    expect(Math.abs((half.percentile(95) ?? 0) - 950) / 950).toBeLessThan(0.03);
    expect([half.count, half.min, half.max, half.sum]).toEqual([1000, 1, 1000, 500_500]);
    expect(of(5).scaled(0).percentile(50)).toBe(0);
  });
});
