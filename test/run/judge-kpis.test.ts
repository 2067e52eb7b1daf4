import { describe, expect, it } from "vitest";
import type { Metric } from "../../src/model/gates/metric.ts";
import { judgeKpi, judgeNoWorse } from "../../src/run/judge-kpis.ts";
import { resourceMeasured } from "../../src/run/read-figures.ts";
import { kpi, noWorse } from "./run-bench.ts";

const metricsOf = (more: { p95?: number; count?: number; success?: number } = {}): readonly Metric[] => {
  const { p95 = 200, count = 100, success = 97 } = more;
  return [
    { namespace: "System", name: "count", type: "Counter", units: "requests", value: count },
    {
      namespace: "System",
      name: "outcome",
      type: "Histogram",
      units: "requests",
      values: { success, failure: 100 - success },
    },
    { namespace: "System", name: "firstReceivedMs", type: "Timing", units: "ms", values: { count: 5, p95 } },
    { namespace: "User", name: "size", type: "Timing", units: "bytes", values: { count: 5, mean: 70 } },
  ];
};
const run = resourceMeasured(metricsOf());
const none = async () => [];

describe("a KPI", () => {
  it.each([
    ["Outcome[success] > 95%", { value: 97, unit: "%", ok: true }, undefined],
    ["Outcome[success] > 97%", { value: 97, unit: "%", ok: false }, "Outcome[success] > 97%: it was 97 %"],
    ["Outcome[failure] <= 3", { value: 3, unit: null, ok: true }, undefined],
    ["Outcome[other] = 0%", { value: 0, unit: "%", ok: true }, undefined],
    [
      "firstReceivedMs[p95] < 0.2s",
      { value: 200, unit: "ms", ok: false },
      "firstReceivedMs[p95] < 0.2s: it was 200 ms",
    ],
    ["firstReceivedMs[p95] <= 0.2s", { value: 200, unit: "ms", ok: true }, undefined],
    [
      "firstReceivedMs[p99] < 5s",
      { value: null, unit: "ms", ok: false },
      "firstReceivedMs[p99] < 5s: firstReceivedMs[p99] was not measured; measured were",
    ],
    ["count[p95] > 1", { value: null, unit: null, ok: false }, "count[p95] > 1: found [p95] after a counter"],
    ["size[mean] < 5ms", { value: null, unit: null, ok: false }, "size[mean] < 5ms: found the unit ms; expected bytes"],
    ["nothing != 5", { value: null, unit: null, ok: false }, "measured were count, outcome, firstReceivedMs, size"],
  ])("%s", async (expr, verdict, reason) => {
    const judged = await judgeKpi(kpi(expr), run, none);
    expect(judged.verdict).toEqual({ expr, ...verdict });
    expect(judged.reason).toEqual(reason === undefined ? undefined : expect.stringContaining(reason));
  });

  const resources = async () => [
    { name: "GET https://a/", measured: resourceMeasured(metricsOf({ p95: 100 })) },
    { name: "GET https://b/", measured: resourceMeasured(metricsOf({ p95: 300 })) },
    { name: "POST https://b/", measured: resourceMeasured(metricsOf({ p95: 900 }).slice(0, 2)) },
  ];
  it.each([
    ["GET *", "firstReceivedMs[p95] < 400", 300, true],
    ["GET *", "firstReceivedMs[p95] > 50", 100, true],
    ["GET *", "firstReceivedMs[p95] < 200", 300, false],
    ["*", "firstReceivedMs[p95] < 400", null, false],
    ["get *", "firstReceivedMs[p95] < 400", null, false],
    ["*://a/", "firstReceivedMs[p95] = 100", 100, true],
  ])("of the resources %s: %s", async (resource, expr, value, ok) => {
    expect((await judgeKpi(kpi(expr, { resource }), run, resources)).verdict).toMatchObject({ resource, value, ok });
  });

  it("of resources that cannot be read does not hold", async () => {
    const judged = await judgeKpi(kpi("count > 1", { resource: "*" }), run, async () => undefined);
    expect(judged).toMatchObject({ verdict: { ok: false }, reason: expect.stringContaining("cannot be read") });
  });
});

describe("no worse", () => {
  it.each([
    ["count", ["+10%"], 90, false],
    ["count", ["+10%"], 91, true],
    ["count", ["+12%"], 90, true],
    ["count", ["-10%"], 112, false],
    ["count", ["-10%"], 111, true],
    ["count", ["-5"], 105, true],
    ["count", ["-5"], 106, false],
    ["count", ["+5"], 1000, true],
    ["firstReceivedMs[p95]", ["+10%", "+20ms"], 190, true],
    ["firstReceivedMs[p95]", ["+10%", "+20ms"], 181, true],
    ["firstReceivedMs[p95]", ["+10%", "+20ms"], 179, false],
    ["firstReceivedMs[p95]", ["+1%", "+0.1s"], 101, true],
    ["firstReceivedMs[p95]", ["+1%", "+0.1s"], 99, false],
    ["Outcome[success]", ["-0.5pp"], 97.5, true],
    ["Outcome[success]", ["-0.5pp"], 97.6, false],
    ["Outcome[failure]", ["+0.5pp"], 2.5, true],
    ["Outcome[failure]", ["+50%"], 0, false],
    ["Outcome[other]", ["+50%"], 0, true],
  ])("%s %o against %d", async (metric, allowed, baseline, ok) => {
    const { verdict, reason } = await judgeNoWorse(noWorse(metric, ...allowed), run, async () => baseline);
    expect(verdict).toMatchObject({ metric, baseline, ok });
    expect(verdict.change).toBeCloseTo((verdict.value ?? 0) - baseline, 9);
    expect(reason === undefined).toBe(ok);
  });

  it("of a share that was the same is no worse by a rounding", async () => {
    const thirds = resourceMeasured(metricsOf({ success: 100 / 3 }));
    const { verdict } = await judgeNoWorse(
      noWorse("Outcome[success]", "-0pp"),
      thirds,
      async () => (100 / 3 / 100) * 100,
    );
    expect(verdict.ok).toBe(true);
  });

  it.each([
    ["without a baseline", "count", ["-5%"], undefined, null],
    ["where the baseline measured nothing", "count", ["-5%"], null, null],
    ["where nothing is measured now", "nothing", ["-5%"], 5, false],
    ["with a selector that there is not", "count[p95]", ["-5%"], 5, false],
    ["in a unit that does not fit", "User/size[mean]", ["+5ms"], 5, false],
  ])("%s", async (_, metric, allowed, baseline, ok) => {
    const judged = await judgeNoWorse(noWorse(metric, ...allowed), run, async () => baseline);
    expect(judged.verdict).toMatchObject({ ok, change: null });
    expect(judged.reason === undefined).toBe(ok !== false);
  });
});
