import fc from "fast-check";
import { expect, test } from "vitest";
import { isKpiProblem, parseKpi } from "../../src/model/gates/kpi.ts";
import { systemMetrics } from "../../src/model/gates/metric.ts";
import { judgeKpi } from "../../src/run/judge-kpis.ts";
import { readMeasured } from "../../src/run/read-figures.ts";
import { evaluateKpi } from "../../src/service/runs/evaluate-kpi.ts";
import type { MeasuredMetric } from "../../src/service/runs/measure-run.ts";
import { TimingHistogram } from "../../src/service/runs/timing-histogram.ts";
import { viewMetric } from "../../src/service/views/metric-summary.ts";
import { literalApi } from "../run/run-bench.ts";
import { check } from "../support/deep.ts";

const measured: Readonly<Record<string, fc.Arbitrary<MeasuredMetric["measured"]>>> = {
  Counter: fc.record({ type: fc.constant("Counter" as const), value: fc.integer({ min: 0, max: 50 }) }),
  Metered: fc.record({
    ...{
      type: fc.constant("Metered" as const),
      largest: fc.integer({ min: 0, max: 50 }),
      total: fc.integer({ min: 0, max: 99 }),
    },
  }),
  Histogram: fc.record({
    type: fc.constant("Histogram" as const),
    buckets: fc.dictionary(fc.constantFrom("success", "failure", "200", "A", "a"), fc.integer({ min: 0, max: 9 })),
  }),
  Timing: fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }).map((times) => {
    const timings = new TimingHistogram();
    for (const ms of times) timings.add(ms);
    return { type: "Timing" as const, timings };
  }),
};

const system = Object.entries(systemMetrics).map(([name, { label, type, units }]) =>
  (measured[type] ?? fc.constant({ type: "Counter" as const, value: 0 })).map(
    (of): MeasuredMetric => ({ namespace: "System", name, label, units, measured: of }),
  ),
);
const own = fc
  .record({
    name: fc.constantFrom("cart", "Cart", "count", "time/all"),
    units: fc.constantFrom("", "ms", "s", "bytes", "percent", "%", "items"),
    measured: fc.oneof(...Object.values(measured)),
  })
  .map((of): MeasuredMetric => ({ namespace: "User", label: of.name, ...of }));
const metrics = fc
  .tuple(
    fc.subarray(system).chain((all) => fc.tuple(...all)),
    fc.uniqueArray(own, { maxLength: 3, selector: ({ name }) => name }),
  )
  .map(([given, user]) => [...given, ...user]);

const names = [...Object.keys(systemMetrics), ...Object.values(systemMetrics).map(({ label }) => label), "none"];
const selectors: Readonly<Record<MeasuredMetric["measured"]["type"], readonly string[]>> = {
  Counter: [""],
  Metered: ["", "[largest]", "[Total]"],
  Histogram: ["[success]", "[Failure]", "[a]", "[200]", "[constructor]"],
  Timing: ["[p95]", "[p90]", "[median]", "[MEAN]", "[count]", "[var]", "[sd]", "[sum]", "[min]", "[ P50 ]", "[max]"],
};
const anySelector = fc.constantFrom(...Object.values(selectors).flat(), "[p101]", "[x]", "[]");
const spaces = fc.constantFrom("", "", "", "", "System/", "user/", "other/");

/** What is compared: mostly a figure that there is, by its name in any spelling. */
function figuresOf(all: readonly MeasuredMetric[]): fc.Arbitrary<string> {
  const anything = fc.tuple(spaces, fc.constantFrom(...names), anySelector).map((parts) => parts.join(""));
  if (all.length === 0) return anything;
  const there = fc
    .constantFrom(...all)
    .chain(({ name, label, measured: { type } }) =>
      fc
        .tuple(
          spaces,
          fc.constantFrom(name, label, name.toLowerCase(), label.toUpperCase()),
          fc.oneof({ arbitrary: fc.constantFrom(...selectors[type]), weight: 6 }, anySelector),
        )
        .map((parts) => parts.join("")),
    );
  return fc.oneof({ arbitrary: there, weight: 9 }, anything);
}

const expressionsOf = (all: readonly MeasuredMetric[]) =>
  fc
    .tuple(
      figuresOf(all),
      fc.constantFrom("<", "<=", ">", ">=", "=", "==", "!="),
      fc.oneof(fc.integer({ min: 0, max: 100 }).map(String), fc.constantFrom("0.5", "1.001", ".02", "1e1", "-3", "+7")),
      fc.constantFrom("", "", "", "%", "ms", " s", "bytes", " percent"),
    )
    .map(([figure, operator, threshold, unit]) => `${figure} ${operator} ${threshold}${unit}`);
/** One character is changed: what cannot be read may not be taken for something else. */
const brokenOf = (all: readonly MeasuredMetric[]) =>
  fc
    .tuple(expressionsOf(all), fc.nat(), fc.constantFrom("", "[", "]", " ", "<", "=", "%", "5", "/", "x"))
    .map(([text, at, more]) => text.slice(0, at % text.length) + more + text.slice((at % text.length) + 1));
const cases = metrics.chain((all) =>
  fc.tuple(fc.oneof({ arbitrary: expressionsOf(all), weight: 5 }, brokenOf(all)), fc.constant(all)),
);

/** Also those of a changed character. */
const percentiles = Array.from({ length: 101 }, (_, percent) => percent);

/** A verdict as both can give it; `close` is within what the summary rounds. */
async function verdictOf(expr: string, all: readonly MeasuredMetric[]) {
  const kpi = parseKpi(expr);
  if (isKpiProblem(kpi)) return { ok: false, value: null };
  const api = literalApi({
    "GET /executions/:id/summary": { metrics: all.map((each) => viewMetric(each, percentiles)) },
    "GET /executions/:id/metric": undefined,
  });
  const judged = await judgeKpi({ expr, kpi, breakOnFail: false }, await readMeasured(api, 1), async () => []);
  return { ok: judged.verdict.ok, value: judged.verdict.value };
}

/** DECISION of the client alone: a histogram in which nothing was counted was not measured, so that nobody passes by silence. */
function isEmptyHistogram(expr: string, all: readonly MeasuredMetric[]): boolean {
  return all.some(
    ({ name, label, measured: of }) =>
      of.type === "Histogram" &&
      Object.values(of.buckets).every((count) => count === 0) &&
      [name, label].some((each) => expr.toLowerCase().includes(each.toLowerCase())),
  );
}

test("client and service judge random KPIs over random summaries alike", async () => {
  let held = 0;
  const property = fc.asyncProperty(cases, async ([expr, all]) => {
    const theirs = evaluateKpi(expr, all);
    const ours = await verdictOf(expr, all);
    if (isEmptyHistogram(expr, all)) {
      expect("problem" in theirs && ours.ok).toBe(false);
      return;
    }
    const expected = "problem" in theirs ? { success: false, value: null } : theirs;
    const isClose = expected.value !== null && ours.value !== null && Math.abs(expected.value - ours.value) < 0.01;
    expect([expr, isClose ? expected.value : ours.value]).toEqual([expr, expected.value]);
    // A figure that was rounded may lie on the other side of a threshold that it nearly met.
    if (expected.value === ours.value) expect([expr, ours.ok]).toEqual([expr, expected.success]);
    held += Number(ours.ok);
  });
  const runs = await check("verdicts of KPIs", property, { few: 900, deep: 2_000 });
  expect(held).toBeGreaterThan(runs / 20);
});
