import { describe, expect, it } from "vitest";
import { resourceMeasured } from "../../src/run/read-figures.ts";
import { emptySummary, runIntervals, summarizeRun } from "../../src/run/summarize-run.ts";
import { runState } from "../support/run-state.ts";

const start = "2026-11-20T10:00:00.000Z";
const at = Date.parse(start);
const metrics = [
  { metricDef: "count", metricType: "Counter", metricValue: 50 },
  { metricDef: "outcome", metricType: "Histogram", metricValueMap: { success: 40, failure: 10 } },
  {
    metricDef: "firstReceivedMs",
    metricType: "Timing",
    metricUnits: "ms",
    metricValueMap: { count: 50, p50: 1, p95: 2, p99: 3 },
  },
];

describe("intervals", () => {
  it("are spans of the run with their figures", () => {
    const wire = { intervalStart: at + 10_000, timespan: 10, actualConcurrentClients: 4, metrics };
    expect(runIntervals([wire], start)).toEqual([
      {
        ...{ at: 10_000, seconds: 10, users: 4, requests: 50, requestsPerSec: 5, failures: 10, failedPercent: 20 },
        ...{ p50: 1, p95: 2, p99: 3 },
      },
    ]);
  });

  it.each([
    ["in milliseconds", { timespan: 20_000 }, { seconds: 20, requestsPerSec: null }],
    ["that do not say how long", {}, { seconds: 10 }],
    ["with a count beside their metrics", { count: 30 }, { requests: 30, requestsPerSec: 3 }],
    ["before the start", { intervalStart: at - 5 }, { at: 0 }],
    ["without figures", {}, { requests: null, p95: null, users: null, failedPercent: null }],
  ])("%s", (_, more, expected) => {
    expect(runIntervals([{ intervalStart: at, ...more }], start)).toMatchObject([expected]);
  });

  it("of a run without a start begin with the first", () => {
    const answer = [{ intervalStart: at }, { intervalStart: at + 10_000 }];
    expect(runIntervals(answer, undefined).map((each) => each.at)).toEqual([0, 10_000]);
  });

  it.each([null, {}, "text", [null, 5, {}, { intervalStart: "now" }]])("of %o are none", (answer) =>
    expect(runIntervals(answer as never, start)).toEqual([]),
  );
});

describe("a summary", () => {
  const state = (more: object) =>
    runState({ id: 1, startedAt: start, finishedAt: "2026-11-20T10:00:10.000Z", ...more });

  it("of nothing measured is null in all its parts", async () => {
    expect(await summarizeRun(await runState({ id: 1 }), resourceMeasured([]), undefined)).toEqual(emptySummary);
  });

  it.each([
    ["as the service counts them", { concurrentClients: 40 }, 20, 40],
    ["as they are declared", {}, 20, 20],
  ])("has the users %s", async (_, more, declared, usersPlanned) => {
    expect(await summarizeRun(await state(more), resourceMeasured([]), declared)).toMatchObject({
      usersPlanned,
      durationSecs: 10,
    });
  });

  it("has no rate without time", async () => {
    const count = { namespace: "System", name: "count", type: "Counter", units: "", value: 5 } as const;
    const at0 = await summarizeRun(await state({ finishedAt: start }), resourceMeasured([count]), undefined);
    expect(at0).toMatchObject({ requests: 5, requestsPerSec: null, durationSecs: 0 });
    expect(await summarizeRun(await state({}), resourceMeasured([count]), undefined)).toMatchObject({
      requestsPerSec: 0.5,
    });
  });
});
