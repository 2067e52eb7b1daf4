import { describe, expect, it } from "vitest";
import { routes } from "../../../src/api/routes.ts";
import { makeRunReport } from "../../../src/service/reports/run-report.ts";
import { departures } from "../support/conforms.ts";
import { reportOf, sampleRun, systemMetrics } from "../support/run-fixture.ts";

describe("the report of a run (API 2, Executions)", () => {
  it("is made of answers as the API gives them", () => {
    const { execution, intervals, resources } = sampleRun({ failing: 0.1 });
    expect(departures(routes["GET /executions/:id"], execution)).toEqual([]);
    expect(departures(routes["GET /executions/:id/intervals"], intervals)).toEqual([]);
    expect(departures(routes["GET /executions/:id/resources"], resources)).toEqual([]);
  });

  it("adds up: requests per second over the run, success of all requests, users of all regions", () => {
    const report = reportOf({ seconds: 180, failing: 0.1 });
    const requests = sampleRun({ seconds: 180, failing: 0.1 }).intervals.reduce(
      (sum, each) => sum + (each.count ?? 0),
      0,
    );
    expect(report.totals.requests).toBe(requests);
    expect(report.totals.requestsPerSecond).toBeCloseTo(requests / 180, 9);
    expect(report.successRate).toBeCloseTo((requests - report.totals.failures) / requests, 9);
    expect(report.users).toEqual({ planned: 100, peak: 100 });
    expect(report.responseTime?.percentiles.map(({ name }) => name)).toEqual(["p50", "p95", "p99"]);
    expect(report.regions.map(({ name, users }) => [name, users])).toEqual([
      ["cloud-us-east-1", 50],
      ["cloud-eu-west-1", 50],
    ]);
    expect(report.resources.map(({ failures }) => failures > 0)).toEqual([false, false, true]);
  });

  it("orders intervals by time and takes the last, shorter one for what it is", () => {
    const { execution, intervals } = sampleRun({ seconds: 25, regions: ["a"] });
    const { series } = makeRunReport(execution, { intervals: intervals.toReversed() });
    expect(series.points.map(({ at, length }) => [at, length])).toEqual([
      [0, 10],
      [10, 10],
      [20, 5],
    ]);
    expect(series.points[2]?.requestsPerSecond).toBeCloseTo((intervals[2]?.count ?? 0) / 5, 9);
  });

  it("leaves out of a bucket what lies before the run", () => {
    const { execution, intervals } = sampleRun({ seconds: 20, regions: ["a"] });
    const late = { ...execution, startedAt: "2026-11-20T10:00:04.000Z" };
    const { series } = makeRunReport(late, { intervals });
    expect(series.points.map(({ at, length }) => [at, length])).toEqual([
      [0, 6],
      [6, 10],
    ]);
  });

  it("takes the system's metrics, not a user's of the same name", () => {
    const { execution } = sampleRun();
    const own = { namespace: "User", metricDef: "count", metricType: "Counter", metricValue: 5 } as const;
    const metrics = [own, ...systemMetrics({ requests: 40, failures: 1, users: 2, p50: 10 })];
    const report = makeRunReport({ ...execution, summary: { id: 1, metrics } });
    expect(report.totals).toMatchObject({ requests: 40, failures: 1 });
  });

  it("says what a run waits for", () => {
    const waiting = { completed: false, success: null, startedAt: null, finishedAt: null, summary: null } as const;
    const of = (fields: object) => {
      const { state, verdict, responseTime, successRate } = reportOf({ fields: { ...waiting, ...fields } });
      return [state, verdict.outcome, verdict.reasons.length, responseTime, successRate];
    };
    expect(of({ allocated: false, running: false })).toEqual(["queued", "open", 1, null, null]);
    expect(of({ allocated: true, running: false })).toEqual(["waiting", "open", 1, null, null]);
    expect(of({ allocated: true, running: true })).toEqual(["running", "open", 1, null, null]);
  });

  it("gives the reasons of a verdict: KPIs first, then how it ended, then failures", () => {
    const { execution, ...parts } = sampleRun({ failing: 0.5, fields: { success: false, cancelledByUser: true } });
    const kpis = [
      { expr: "Outcome[success] > 95%", value: 74.5, success: false },
      { expr: "Checkout Ms[p95] < 300", value: null, success: false },
      { expr: "count > 1", value: 9, success: true },
    ];
    const { verdict, totals } = makeRunReport(execution, { ...parts, kpis });
    expect(verdict.outcome).toBe("failed");
    expect(verdict.reasons).toHaveLength(4);
    expect(verdict.reasons[0]).toBe("Outcome[success] > 95% does not hold: it was 74.5.");
    expect(verdict.reasons[1]).toContain("nothing was measured");
    expect(verdict.reasons[2]).toContain("stopped by a user");
    expect(verdict.reasons[3]).toContain(totals.failures.toLocaleString("en-US"));
  });

  it("says beside the verdict what was simulated, while it runs too", () => {
    const { execution, ...parts } = sampleRun();
    const reasons = (engine: "model" | "script" | "live") =>
      makeRunReport(execution, { ...parts, engine }).verdict.reasons;
    expect(reasons("model")[0]).toBe("Simulated: no request was sent.");
    expect(reasons("model").at(-1)).toMatch(/^All [\d,]+ simulated requests succeeded\.$/);
    expect(reasons("script")[0]).toBe("Simulated: the requests of one iteration were sent, no others.");
    expect(reasons("live")[0]).toBe("Real load: nothing was simulated.");
    expect(reasons("live").at(-1)).toMatch(/^All [\d,]+ requests succeeded\.$/);
    const { verdict } = makeRunReport(execution, { engine: "live", failure: "the load was not made" });
    expect(verdict.reasons[1]).toBe("It failed: the load was not made");
    const running = sampleRun({ fields: { completed: false, running: true, success: null } });
    expect(makeRunReport(running.execution, { engine: "model" }).verdict.reasons).toEqual([
      "Simulated: no request was sent.",
      "It is running; the figures are those so far.",
    ]);
  });

  it("of a run without any result has no figures, but reads", () => {
    const { execution } = sampleRun({ fields: { summary: null, regions: [], resources: [] } });
    const report = makeRunReport(execution);
    expect(report).toMatchObject({
      successRate: null,
      responseTime: null,
      totals: { requests: 0, requestsPerSecond: null },
    });
    expect(report.verdict.reasons).toEqual(["No request was made."]);
  });
});
