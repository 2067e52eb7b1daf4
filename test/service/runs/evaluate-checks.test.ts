import { describe, expect, it } from "vitest";
import { type PlannedCheck, type RunPlan, untouched } from "../../../src/service/runs/run-plan.ts";
import { SimulatedRun } from "../../../src/service/runs/simulate-run.ts";

const check: PlannedCheck = {
  metric: "firstReceivedMs",
  key: "p50",
  isPercentage: false,
  operator: "GTE",
  threshold: 300,
  timePeriod: "LastMinute",
  valueType: "Absolute",
  history: null,
};

/** Ten minutes of a service that answers in half a second, and fails half of the time. */
function reasonOf(stops: Pick<RunPlan, "checks"> | Pick<RunPlan, "kpis">): string | undefined {
  const run = new SimulatedRun(
    {
      seed: "seed",
      profile: { type: "Flat", rampupMs: 0, durationMs: 600_000, iterations: null },
      sleepMs: 1_000,
      maxDurationMs: null,
      regions: [{ id: 1, users: 10, chunks: [{ id: 1, users: 10 }] }],
      iteration: {
        requests: [
          {
            ...{ resource: "GET http://shop.test/", url: "http://shop.test/", status: 200, contentType: "text/html" },
            ...{ bytesSent: 100, bytesReceived: 1_000, pauseMs: 0, dnsShare: 0.02, openShare: 0.1, closeShare: 1 },
            ...{ latencyMs: { p50: 500, p99: 501 }, errorRate: 0.5, capacity: null },
          },
        ],
        restMs: 0,
        metrics: [],
      },
      checks: [],
      kpis: [],
      ...stops,
    },
    untouched,
  );
  run.finish();
  return run.stopped?.reason;
}

const trigger = (given: Partial<PlannedCheck>) => reasonOf({ checks: [{ ...check, ...given }] });

describe("what stopped a run says the value, its unit and the period", () => {
  const share = { metric: "outcome", key: "failure", isPercentage: true } as const;
  const history = { valueType: "ChangeFromHistory", isPercentage: true, timePeriod: "Execution" } as const;
  it.each([
    [{}, /^firstReceivedMs\[p50\] was (?:49|50)\d(?:\.\d)? ms \(in the last minute; the trigger is 300 ms or more\)$/],
    [{ operator: "GT", threshold: 0.5 }, /the trigger is more than 0\.5 ms\)$/],
    [{ ...share, threshold: 40 }, /^outcome\[failure\] was [45]\d(?:\.\d+)? % \(.*; the trigger is 40 % or more\)$/],
    [
      { ...share, isPercentage: false, operator: "NEQ", threshold: 1 },
      /was \d+ requests \(.*anything but 1 requests\)$/,
    ],
    [
      { metric: "count", key: null, timePeriod: "Execution", threshold: 9 },
      /^count was \d+ requests \(in the whole run/,
    ],
    [
      { ...history, history: 250, threshold: 50 },
      /^firstReceivedMs\[p50\] was (?:99|100)(?:\.\d)? % above that of earlier runs \(in the whole run so far; the trigger is 50 % or more\)$/,
    ],
    [
      { ...history, history: 1000, operator: "LTE", threshold: -40 },
      /was (?:49|50)(?:\.\d+)? % below that of earlier runs \(.*-40 % or less\)$/,
    ],
    [{ ...history, isPercentage: false, history: 100, threshold: 50 }, /was (?:39|40)\d(?:\.\d)? ms above that of/],
    [
      { valueType: "ChangeFromLastMinute", operator: "LT", threshold: 1 },
      /ms (?:above|below) that of the minute before \(in the last minute; the trigger is less than 1 ms\)$/,
    ],
  ] as const)("of a trigger: %j", (given, words) => {
    expect(trigger(given)).toMatch(words);
  });

  it.each([
    ["Response Time[p95] < 100 ms", /^Response Time\[p95\] < 100 ms does not hold: it was (?:49|50)\d(?:\.\d)? ms$/],
    ["Outcome[success] > 95%", /^Outcome\[success\] > 95% does not hold: it was [45]\d(?:\.\d+)? %$/],
    ["User/orders > 1", /^User\/orders > 1 does not hold: nothing was measured$/],
  ])("of a KPI: %s", (expr, words) => {
    expect(reasonOf({ kpis: [{ expr, breakOnFail: true }] })).toMatch(words);
  });

  it("is nothing where nothing stopped it", () => {
    expect(trigger({ threshold: 900 })).toBeUndefined();
  });
});
