import { describe, expect, it } from "vitest";
import { isKpiProblem, parseFigureName, parseKpi } from "../../../src/model/gates/kpi.ts";
import { figureOf, findMetric, type Metric, systemName, thresholdIn } from "../../../src/model/gates/metric.ts";

const metric = (name: string, more: Partial<Metric> = {}): Metric => ({
  ...{ namespace: "System", name, type: "Counter", units: "" },
  ...more,
});
const timing = metric("firstReceivedMs", {
  ...{ type: "Timing", units: "ms" },
  values: { count: 4, mean: 20, sd: 3, var: 9, min: 5, max: 40, sum: 80, p50: 18, p95: 39, p99: 40 },
});
const outcome = metric("outcome", { type: "Histogram", units: "requests", values: { success: 3, failure: 1 } });
const metrics = [
  timing,
  outcome,
  metric("count", { value: 7 }),
  metric("COUNT", { value: 8 }),
  metric("count", { namespace: "User", value: 9 }),
  metric("cart", { namespace: "User", value: 10 }),
  metric("cpu", { type: "Metered", values: { largest: 5, total: 6 } }),
];

const nameOf = (text: string) => {
  const name = parseFigureName(text);
  if (isKpiProblem(name)) throw new Error(name.problem);
  return name;
};
const figure = (text: string, isShare = false, of = metrics) =>
  figureOf(findMetric(of, nameOf(text)), nameOf(text), isShare);
const kpiOf = (expr: string) => {
  const kpi = parseKpi(expr);
  if (isKpiProblem(kpi)) throw new Error(kpi.problem);
  return kpi;
};

describe("a metric is found", () => {
  it.each([
    ["count", 7],
    ["COUNT", 8],
    ["Count", 7],
    ["user/count", 9],
    ["User/COUNT", 9],
    ["cart", 10],
    ["CART", 10],
    ["Requests", 7],
  ])("%s", (text, value) => expect(figure(text)).toMatchObject({ value }));

  it.each(["User/Requests", "System/cart", "other/count", "toString"])("not %s", (text) =>
    expect(figure(text)).toEqual({ value: null, unit: null }),
  );

  it.each([
    ["count", "Requests"],
    ["outcome", "Outcome"],
    ["responseCode", "Response Code"],
    ["firstReceivedMs", "Response Time"],
    ["outcome-success-percent", "Success Rate"],
    ["memoryUtilization", "Memory Utilization"],
  ])("%s by its display name %s, in any case", (name, label) => {
    expect(systemName(label.toUpperCase())).toBe(name);
    expect(findMetric([metric(name)], { name: label.toLowerCase() })?.name).toBe(name);
  });
});

describe("a figure", () => {
  it.each([
    ["firstReceivedMs[p95]", 39, "ms"],
    ["firstReceivedMs[P95.0]", 39, "ms"],
    ["firstReceivedMs[median]", 18, "ms"],
    ["firstReceivedMs[Mean]", 20, "ms"],
    ["firstReceivedMs[count]", 4, null],
    ["firstReceivedMs[var]", 9, null],
    ["outcome[success]", 3, null],
    ["outcome[SUCCESS]", 3, null],
    ["outcome[none]", 0, null],
    ["outcome[constructor]", 0, null],
    ["cpu", 5, null],
    ["cpu[Total]", 6, null],
  ])("%s is %d", (text, value, unit) => expect(figure(text)).toEqual({ value, unit }));

  it.each([
    ["outcome[success]", 75],
    ["outcome[failure]", 25],
    ["outcome[none]", 0],
  ])("the share of %s is %d", (text, value) => expect(figure(text, true)).toEqual({ value, unit: "%" }));

  it("of a percentile that was not asked for is to be asked for", () => {
    expect(figure("firstReceivedMs[p90]")).toEqual({ value: null, unit: "ms", missing: true });
  });

  it("of nothing measured is null", () => {
    const empty = [metric("outcome", { type: "Histogram", values: {} }), { ...timing, values: { count: 0, sum: 0 } }];
    expect(figure("outcome[success]", true, empty)).toEqual({ value: null, unit: "%" });
    expect(figure("firstReceivedMs[p95]", false, empty)).toEqual({ value: null, unit: "ms" });
    expect(figure("firstReceivedMs[sum]", false, empty)).toEqual({ value: null, unit: "ms" });
    expect(figure("firstReceivedMs[count]", false, empty)).toEqual({ value: 0, unit: null });
    expect(figure("count", false, [metric("count")])).toEqual({ value: null, unit: null });
  });

  it.each([
    ["count[p95]", "after a counter"],
    ["firstReceivedMs", "a timing without a selector"],
    ["firstReceivedMs[p101]", "after a timing"],
    ["firstReceivedMs[p]", "after a timing"],
    ["firstReceivedMs[largest]", "after a timing"],
    ["outcome", "a histogram without a selector"],
    ["cpu[p95]", "after a metered metric"],
  ])("%s has none", (text, problem) => expect(figure(text)).toEqual({ problem: expect.stringContaining(problem) }));

  it.each([
    ["percent", "%"],
    ["bytes", "bytes"],
    ["clients", null],
  ])("of %s is in %s", (units, unit) =>
    expect(figure("x", false, [metric("x", { units, value: 1 })])).toEqual({ value: 1, unit }),
  );
});

it.each([
  ["a < 2", "ms", 2],
  ["a < 2ms", "ms", 2],
  ["a < 2s", "ms", 2000],
  ["a < 1.001s", "ms", 1001],
  ["a < 5ms", "s", 0.005],
  ["a < 2%", "%", 2],
  ["a < 2bytes", "bytes", 2],
  ["a < 2bytes", "ms", { column: 6, problem: "found the unit bytes; expected ms or s for this figure" }],
  ["a < 2 s", null, { column: 7, problem: "found the unit s; expected none for this figure" }],
  ["a < 2%", "bytes", { column: 6, problem: "found the unit %; expected bytes, or none for this figure" }],
] as const)("the threshold of %s, of a figure in %s", (expr, unit, expected) => {
  expect(thresholdIn(kpiOf(expr), unit)).toEqual(expected);
});
