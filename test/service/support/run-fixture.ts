import type { Wire } from "../../../src/api/routes.ts";
import { makeRunReport, type RunReport } from "../../../src/service/reports/run-report.ts";

/** What makes one sample run differ from another. */
export interface RunShape {
  readonly testCase?: string;
  readonly configuration?: string;
  readonly regions?: readonly string[];
  readonly resources?: readonly string[];
  readonly seconds?: number;
  /** Share of failed requests from the middle of the run on. */
  readonly failing?: number;
  readonly fields?: Partial<Wire<"execution">>;
}

/** A run with its results. */
export interface SampleRun {
  readonly execution: Wire<"execution">;
  readonly intervals: readonly Wire<"interval">[];
  readonly resources: readonly Wire<"resource">[];
}

/** 2026-11-20 10:00:00 UTC. */
const runStart = Date.parse("2026-11-20T10:00:00.000Z");
const usersPerRegion = 50;

/** A completed run as the API answers it: users rise for the first third, response times rise with them. */
export function sampleRun(shape: RunShape = {}): SampleRun {
  const { seconds = 180, regions = ["cloud-us-east-1", "cloud-eu-west-1"], failing = 0 } = shape;
  const count = Math.ceil(seconds / 10);
  const intervals = Array.from({ length: count }, (_, index) =>
    intervalOf(index, { count, regions, failing, seconds }),
  );
  const resources = shape.resources ?? [
    "GET http://shop.test/",
    "GET http://shop.test/items",
    "POST http://shop.test/cart",
  ];
  return {
    execution: executionOf({ ...shape, seconds, regions }, intervals),
    intervals,
    resources: resources.map((name, index) => resourceOf(name, index, resources.length, intervals)),
  };
}

/** A name that means harm. */
export const hostile = `</title><script>alert(1)</script>"'&<img src=x onerror=alert(2)>`;

/** The report of a sample run, with a KPI that holds. */
export function reportOf(shape: RunShape = {}): RunReport {
  const { execution, ...parts } = sampleRun(shape);
  return makeRunReport(execution, { ...parts, kpis: [{ expr: "Outcome[success] > 95%", value: 99, success: true }] });
}

/** Metrics of the system as a summary carries them. */
export function systemMetrics(figures: {
  readonly requests: number;
  readonly failures: number;
  readonly users: number;
  readonly p50: number;
}): readonly Wire<"metric">[] {
  const { requests, failures, users, p50 } = figures;
  const counter = (metricDef: string, metricValue: number, metricUnits: string) =>
    ({ namespace: "System", metricDef, metricType: "Counter", metricUnits, metricValue }) as const;
  const histogram = { namespace: "System", metricType: "Histogram", metricUnits: "requests" } as const;
  const mean = Math.round(p50 * 1.2);
  const timing = { count: requests, mean, min: Math.round(p50 / 3), max: p50 * 9, sd: p50 / 2, var: p50 ** 2 / 4 };
  return [
    counter("count", requests, "requests"),
    counter("maxConcurrentClients", users, "users"),
    counter("actualConcurrentClients", users, "users"),
    counter("bytesSent", requests * 412, "bytes"),
    counter("bytesReceived", requests * 18_233, "bytes"),
    {
      namespace: "System",
      metricDef: "firstReceivedMs",
      metricType: "Timing",
      metricUnits: "ms",
      metricValueMap: { ...timing, sum: requests * mean, p50, p95: p50 * 3, p99: p50 * 6 },
    },
    {
      ...histogram,
      metricDef: "outcome",
      metricValue: requests,
      metricValueMap: { success: requests - failures, failure: failures },
    },
    {
      ...histogram,
      metricDef: "responseCode",
      metricValue: requests,
      metricValueMap: { "200": requests - failures, "500": failures },
    },
  ];
}

interface RunPlan {
  readonly count: number;
  readonly regions: readonly string[];
  readonly failing: number;
  readonly seconds: number;
}

function intervalOf(index: number, { count, regions, failing, seconds }: RunPlan): Wire<"interval"> {
  const rise = Math.min(1, (index + 1) / (count / 3));
  const users = Math.round(usersPerRegion * regions.length * rise);
  const length = Math.min(10, seconds - index * 10);
  const requests = Math.round(users * length * (1.9 + 0.15 * Math.sin(index * 1.7)));
  const failures = index >= count / 2 ? Math.round(requests * failing) : 0;
  const p50 = Math.round(60 + 90 * rise + 14 * Math.sin(index * 2.3));
  return {
    id: index + 1,
    executionId: 7,
    intervalStart: runStart + index * 10_000,
    iterationsExecuted: Math.round(requests / 3),
    count: requests,
    concurrentClients: users,
    actualConcurrentClients: users,
    maxConcurrentClients: users,
    timespan: 10,
    metrics: systemMetrics({ requests, failures, users, p50 }),
  };
}

function executionOf(
  { testCase = "Checkout", configuration = "Evening peak", regions, seconds, fields }: RunShape & RunPlanned,
  intervals: readonly Wire<"interval">[],
): Wire<"execution"> {
  const startedAt = new Date(runStart).toISOString();
  const finishedAt = new Date(runStart + seconds * 1000).toISOString();
  const stamps = { createdAt: startedAt, updatedAt: finishedAt, firstVersion: false };
  const state = { running: false, completed: true, startedAt, finishedAt };
  const share = (part: number) => summaryOf(part, intervals);
  return {
    id: 7,
    ...stamps,
    ...state,
    allocated: true,
    summaryCalculated: true,
    cancelledByUser: false,
    limitBreached: false,
    success: true,
    concurrentClients: usersPerRegion,
    testCase: { id: 1, ...stamps, name: testCase },
    configuration: { id: 1, ...stamps, name: configuration },
    script: { id: 1, name: "Browse and buy" },
    summary: share(1),
    regions: regions.map((name, index) => ({
      id: index + 1,
      ...state,
      concurrentClients: usersPerRegion,
      region: { id: index + 1, ...stamps, name },
      summary: share(1 / regions.length),
    })),
    ...fields,
  };
}

type RunPlanned = Pick<RunPlan, "regions" | "seconds">;

function summaryOf(part: number, intervals: readonly Wire<"interval">[]): Wire<"metricSummary"> {
  const requests = Math.round(part * sum(intervals, "count"));
  const failures = Math.round(part * failuresIn(intervals));
  const users = Math.max(...intervals.map((each) => each.maxConcurrentClients ?? 0));
  return {
    id: 7,
    iterationsExecuted: Math.round(part * sum(intervals, "iterationsExecuted")),
    count: requests,
    maxConcurrentClients: Math.round(users * part),
    metrics: systemMetrics({ requests, failures, users: Math.round(users * part), p50: 142 }),
  };
}

function resourceOf(name: string, index: number, of: number, intervals: readonly Wire<"interval">[]): Wire<"resource"> {
  const requests = Math.round(sum(intervals, "count") / of);
  const failures = index === of - 1 ? Math.min(requests, failuresIn(intervals)) : 0;
  const metrics = systemMetrics({ requests, failures, users: 0, p50: 90 + 40 * index });
  return { id: index + 1, name, url: name.split(" ")[1] ?? "", count: requests, metrics };
}

function failuresIn(intervals: readonly Wire<"interval">[]): number {
  const outcomes = intervals.map(
    (each) => each.metrics?.find(({ metricDef }) => metricDef === "outcome")?.metricValueMap,
  );
  return outcomes.reduce<number>((total, map) => total + Number((map as { failure?: number })?.failure ?? 0), 0);
}

function sum(intervals: readonly Wire<"interval">[], field: "count" | "iterationsExecuted"): number {
  return intervals.reduce((total, each) => total + (each[field] ?? 0), 0);
}
