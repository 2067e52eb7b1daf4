import { describe, expect, it } from "vitest";
import { evaluateKpi } from "../../../src/service/runs/evaluate-kpi.ts";
import type { MeasuredMetric } from "../../../src/service/runs/measure-run.ts";
import { isKpiProblem, parseKpi } from "../../../src/service/runs/parse-kpi.ts";
import { TimingHistogram } from "../../../src/service/runs/timing-histogram.ts";

const timings = new TimingHistogram();
for (let ms = 1; ms <= 100; ms++) timings.add(ms);

const metrics: readonly MeasuredMetric[] = [
  {
    namespace: "System",
    name: "count",
    label: "Requests",
    units: "requests",
    measured: { type: "Counter", value: 100 },
  },
  {
    namespace: "System",
    name: "firstReceivedMs",
    label: "Response Time",
    units: "ms",
    measured: { type: "Timing", timings },
  },
  {
    namespace: "System",
    name: "outcome",
    label: "Outcome",
    units: "requests",
    measured: { type: "Histogram", buckets: { success: 97, failure: 3 } },
  },
  {
    namespace: "System",
    name: "cpu",
    label: "CPU",
    units: "cpus",
    measured: { type: "Metered", largest: 1.5, total: 4 },
  },
  {
    namespace: "User",
    name: "Orders placed",
    label: "Orders placed",
    units: "",
    measured: { type: "Counter", value: 12 },
  },
  { namespace: "User", name: "count", label: "count", units: "", measured: { type: "Counter", value: 5 } },
  {
    namespace: "System",
    name: "nothing",
    label: "Nothing",
    units: "ms",
    measured: { type: "Timing", timings: new TimingHistogram() },
  },
  { namespace: "Shop", name: "sold", label: "sold", units: "", measured: { type: "Counter", value: 3 } },
];

describe("a KPI is evaluated", () => {
  it.each([
    ["count = 100", true, 100],
    ["count == 100", true, 100],
    ["count != 100", false, 100],
    ["Requests>=100", true, 100],
    ["requests < 100", false, 100],
    ["User/count <= 5", true, 5],
    ["user/COUNT > 5", false, 5],
    ["Orders placed > 10", true, 12],
    ["Shop/sold = 3", true, 3],
    ["Response Time[Median] < 300ms", true, 50],
    ["firstReceivedMs[p95] < 90", false, 95],
    ["firstReceivedMs[p95] < 97 ms", true, 95],
    ["firstReceivedMs[P99.9] > 98", true, 100],
    ["firstReceivedMs[mean] = 50.5", true, 50.5],
    ["firstReceivedMs[MIN] = 1", true, 1],
    ["firstReceivedMs[max] = 100", true, 100],
    ["firstReceivedMs[count] = 100", true, 100],
    ["firstReceivedMs[var] > 833", true, 833.25],
    ["firstReceivedMs[sd] < 29", true, Math.sqrt(833.25)],
    ["Outcome[success] > 95%", true, 97],
    ["Outcome[success] > 97 %", false, 97],
    ["Outcome[failure] <= 3", true, 3],
    ["outcome[Failure] = 3", true, 3],
    ["outcome[timeout] = 0", true, 0],
    ["cpu < 2", true, 1.5],
    ["cpu[largest] < 2", true, 1.5],
    ["CPU[Total] < 2", false, 4],
  ])("%s", (expr, success, value) => {
    const result = evaluateKpi(expr, metrics);
    expect(result).toMatchObject({ expr, success });
    expect(Math.abs(("value" in result ? (result.value ?? 0) : Number.NaN) - value) / Math.max(1, value)).toBeLessThan(
      0.011,
    );
  });

  it.each(["nothing[p95] < 100", "missing > 1", "Other/count > 1"])("%s: fails, for nothing was measured", (expr) => {
    expect(evaluateKpi(expr, metrics)).toEqual({ expr, value: null, success: false });
  });
});

describe("a KPI that cannot be read names the column", () => {
  it.each([
    ["", 1, "no comparison"],
    ["count", 6, "no comparison"],
    ["count >", 8, "expected a number after the comparison"],
    ["count > many", 9, "expected a number"],
    ["count > 5 apples", 11, 'the unit "apples"'],
    ["> 5", 1, "expected its name"],
    ["a[p95 > 5", 2, 'found "["'],
    ["a[] > 5", 3, "empty selector"],
    ["a[p95] x > 5", 8, "expected a comparison"],
    ["a] > 5", 2, "expected a comparison"],
    ["/count > 5", 1, "expected its name"],
    ["count > 5 > 6", 9, "expected a number"],
  ])("%j at %d", (expr, column, problem) => {
    expect(parseKpi(expr)).toEqual({ column, problem: expect.stringContaining(problem) });
  });

  it.each([
    ["firstReceivedMs < 5", 17, "a timing without selector"],
    ["firstReceivedMs[fast] < 5", 17, "found [fast] after a timing"],
    ["firstReceivedMs[p101] < 5", 17, "found [p101] after a timing"],
    ["count[p95] < 5", 7, "after a counter"],
    ["outcome > 5", 9, "a histogram without selector"],
    ["cpu[mean] < 5", 5, "after a metered metric"],
  ])("%j at %d, by the type of its metric", (expr, column, problem) => {
    expect(evaluateKpi(expr, metrics)).toEqual({ column, problem: expect.stringContaining(problem) });
  });

  it("reads what it is given whole: names with spaces, namespaces, decimals, exponents", () => {
    expect(parseKpi("  My App / Time to cart [p99.5]  >=  1.5e2 ms ")).toEqual({
      namespace: "My App",
      name: "Time to cart",
      selector: "p99.5",
      operator: ">=",
      threshold: 150,
      isPercent: false,
    });
    expect(isKpiProblem(parseKpi("a[b>c] > 5"))).toBe(false);
  });
});
