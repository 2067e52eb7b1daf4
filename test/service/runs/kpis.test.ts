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
  ...(["ms", "s", "", "items", "bytes"] as const).map(
    (units): MeasuredMetric => ({
      namespace: "User",
      name: `timing in ${units || "nothing"}`,
      label: "",
      units,
      measured: { type: "Timing", timings },
    }),
  ),
  ...(["bytes", "percent", "%", "ms"] as const).map(
    (units): MeasuredMetric => ({
      namespace: "User",
      name: `counter in ${units}`,
      label: "",
      units,
      measured: { type: "Counter", value: 40 },
    }),
  ),
  {
    namespace: "System",
    name: "memory",
    label: "Memory",
    units: "bytes",
    measured: { type: "Metered", largest: 1000, total: 4000 },
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

describe("the unit of a KPI", () => {
  it.each([
    ["firstReceivedMs[p95] < 96ms", true],
    ["firstReceivedMs[p95] < 0.0961s", true],
    ["firstReceivedMs[p95] < 0.094 s", false],
    ["firstReceivedMs[p95] > 1s", false],
    ["Response Time[max] = 0.1s", true],
    ["Response Time[sd] < 0.03s", true],
    ["timing in ms[max] = 0.1s", true],
    ["timing in nothing[max] = 0.1s", true],
    ["timing in s[max] = 100s", true],
    ["timing in s[max] = 100000ms", true],
    ["timing in s[max] < 99999ms", false],
    ["timing in bytes[max] = 100bytes", true],
    ["outcome[success] > 96.9%", true],
    ["outcome[timeout] < 1%", true],
    ["outcome[timeout] = 0%", true],
    ["counter in bytes <= 40bytes", true],
    ["counter in percent < 41%", true],
    ["counter in % < 41 %", true],
    ["memory[total] = 4000bytes", true],
    ["count = 100", true],
  ])("fits, and is counted in: %s is %s", (expr, success) => {
    expect(evaluateKpi(expr, metrics)).toMatchObject({ expr, success });
  });

  it("is as exact as it is written", () => {
    const decimals = new TimingHistogram();
    decimals.add(1001);
    const [slow] = metrics.filter(({ name }) => name === "firstReceivedMs");
    const measured = { type: "Timing", timings: decimals } as const;
    expect(1.001 * 1000).not.toBe(1001);
    expect(evaluateKpi("firstReceivedMs[max] = 1.001s", slow ? [{ ...slow, measured }] : [])).toMatchObject({
      value: 1001,
      success: true,
    });
  });

  it.each([
    ["count < 5ms", 10, 'found the unit "ms" for a counter in requests; expected none'],
    ["count < 5  %", 12, 'found the unit "%" for a counter in requests; expected none'],
    ["count < 5bytes", 10, "expected none"],
    ["counter in ms < 5ms", 18, 'found the unit "ms" for a counter in ms; expected none'],
    ["counter in bytes < 5%", 21, 'found the unit "%" for a counter in bytes; expected none or bytes'],
    ["counter in percent < 5bytes", 23, 'found the unit "bytes" for a counter in percent; expected none or %'],
    ["Orders placed < 5s", 18, 'found the unit "s" for a counter; expected none'],
    ["firstReceivedMs[p95] < 5%", 25, 'found the unit "%" for a timing in ms; expected none or ms or s'],
    ["firstReceivedMs[p95] < 5 bytes", 26, "for a timing in ms; expected none or ms or s"],
    ["firstReceivedMs[count] < 5ms", 27, 'found the unit "ms" for a timing in ms; expected none'],
    ["firstReceivedMs[Var] < 5ms", 25, "expected none"],
    ["nothing[p95] < 5%", 17, 'found the unit "%" for a timing in ms'],
    ["timing in items[p95] < 5ms", 25, 'found the unit "ms" for a timing in items; expected none'],
    ["outcome[success] > 95ms", 22, 'found the unit "ms" for a histogram in requests; expected none or %'],
    ["outcome[success] > 95bytes", 22, "expected none or %"],
    ["cpu < 2%", 8, 'found the unit "%" for a metered metric in cpus; expected none'],
    ["memory < 2s", 11, 'found the unit "s" for a metered metric in bytes; expected none or bytes'],
  ])("that does not fit is refused at its column: %s", (expr, column, problem) => {
    expect(evaluateKpi(expr, metrics)).toEqual({ column, problem: expect.stringContaining(problem) });
  });

  it("of a metric that was not measured is not looked at", () => {
    expect(evaluateKpi("missing[p95] < 5%", metrics)).toMatchObject({ value: null, success: false });
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
      unit: "ms",
      unitColumn: 44,
    });
    expect(isKpiProblem(parseKpi("a[b>c] > 5"))).toBe(false);
  });
});
