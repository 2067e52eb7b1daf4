import type { JudgedRun, RunDetails, RunInterval, RunSummary } from "../../../src/run/run-document.ts";

/** A name of 255 characters. */
const longName = "long-".repeat(51);

/** Text that means harm in one of the formats. */
const hostile = [
  "</script><script>alert(1)</script>",
  "]]><![CDATA[ <u>&amp;",
  "\u001b[31mred\u001b[0m\u0000\u0007\u202e",
  "a|b `code` ``` @everyone #1 http://evil.example",
  "=1+1",
  "::error::forged%0A",
  "\ud800 \ufffe",
  "first\r\nsecond\n/approve",
].join(" ");

const measured: RunSummary = {
  requests: 29480,
  failures: 147,
  failedPercent: 0.4986,
  requestsPerSec: 163.8,
  usersPlanned: 100,
  usersPeak: 100,
  durationSecs: 180,
  responseTimeMs: { mean: 161, min: 41, max: 1290, p50: 142, p95: 300.4, p99: 640 },
};

const unmeasured: RunSummary = {
  requests: null,
  failures: null,
  failedPercent: null,
  requestsPerSec: null,
  usersPlanned: null,
  usersPeak: null,
  durationSecs: null,
  responseTimeMs: { mean: null, min: null, max: null, p50: null, p95: null, p99: null },
};

/** Control and direction characters but the line feed. */
export const control = /[^\P{Cc}\n]|\u202e/u;

/** A run that passed its gate, with everything that can be read of it. */
export const passed: RunDetails = detailsOf({});

/** A run that missed two KPIs, a comparison and its minimum. */
export const failed: RunDetails = detailsOf(
  {
    execution: 18,
    verdict: "failed",
    reasons: ["firstReceivedMs[p95] < 300ms: it was 300.4 ms", "It ended before 90 % of its planned time."],
    kpis: [
      { expr: "Outcome[success] > 95%", value: 99.5014, unit: "%", ok: true },
      { expr: "firstReceivedMs[p95] < 300ms", value: 300.4, unit: "ms", ok: false },
      { expr: "firstReceivedMs[p95] < 1s", resource: "GET */checkout*", value: null, unit: "ms", ok: false },
    ],
    noWorse: [
      { metric: "firstReceivedMs[p95]", value: 300.4, baseline: 250, change: 50.4, ok: false },
      { metric: "count", value: 29480, baseline: null, change: null, ok: null },
      { metric: "Outcome[success]", value: 99.5014, baseline: 99.9, change: -0.3986, ok: true },
    ],
    warnings: ["Executions 18 and 19 ran at the same time."],
  },
  {
    minimum: 30_000,
    noWorseUnits: ["ms", null, "%"],
    places: [{ file: "loadform.yaml", line: 12, column: 9 }, { file: "loadform.yaml", line: 13, column: 9 }, undefined],
  },
);

/** One run for each verdict, and for each mark beside one. */
export const everyRun: readonly RunDetails[] = [
  passed,
  failed,
  detailsOf({ execution: 19, gate: "stopped", verdict: "stopped", reasons: ["It was stopped by a user."] }),
  detailsOf(
    {
      gate: "refused",
      execution: null,
      verdict: "error",
      reasons: ["The service refused to start it: 409."],
      startedAt: null,
      finishedAt: null,
      kpis: [],
      summary: unmeasured,
      baseline: undefined,
    },
    {
      intervals: [],
      regions: [],
      resources: [],
      responseCodes: [],
      logLines: [],
      baseline: undefined,
      origin: undefined,
    },
  ),
  detailsOf({
    execution: 20,
    gate: "slow",
    verdict: "unknown",
    finishedAt: null,
    reasons: ["It did not end in 3,600 s."],
  }),
  detailsOf({ execution: 21, gate: undefined, address: "testCase.shop/configuration.stale", stale: true }),
  detailsOf({ execution: 22, gate: "simulated", simulated: true }),
  detailsOf(
    {
      execution: 23,
      gate: "silent",
      verdict: "failed",
      summary: unmeasured,
      reasons: ["No request was measured."],
      kpis: [{ expr: "Outcome[success] > 95%", value: null, unit: "%", ok: false }],
    },
    { intervals: [], regions: [], resources: [] },
  ),
];

/** A run all of whose texts mean harm. */
export const hostileRun: RunDetails = detailsOf(
  {
    gate: hostile,
    address: `testCase.${hostile}`,
    verdict: "failed",
    stale: true,
    simulated: true,
    startedAt: hostile,
    finishedAt: hostile,
    reasons: [hostile, longName],
    warnings: [hostile],
    kpis: [{ expr: hostile, resource: hostile, value: 1, unit: hostile, ok: false }],
    noWorse: [{ metric: hostile, value: 1, baseline: 1, change: 0, ok: false }],
  },
  {
    noWorseUnits: [hostile],
    places: [{ file: `${hostile}.yaml`, line: 1, column: 1 }],
    regions: [{ name: hostile, intervals: courseOf(4) }],
    resources: [
      { name: hostile, requests: 1, failedPercent: 0, p50: 1, p95: 1, p99: 1 },
      { name: longName, requests: 1, failedPercent: 0, p50: 1, p95: 1, p99: 1 },
    ],
    responseCodes: [{ code: hostile, count: 1 }],
    logLines: [{ level: hostile, message: hostile, count: 2 }],
    origin: { scriptSha256: hostile, commit: hostile },
  },
);

/** Runs of one gate, the newest first, each slower than the one before it. */
export function lastRuns(count: number): readonly RunDetails[] {
  return Array.from({ length: count }, (_, index) => {
    const p95 = 200 + 25 * (count - index);
    const summary = { ...measured, requestsPerSec: 150 + index, responseTimeMs: { ...measured.responseTimeMs, p95 } };
    return detailsOf({ execution: 100 - index, summary });
  });
}

/** An hour of ten regions, by intervals of ten seconds. */
export function longRun(): RunDetails {
  const resource = (index: number) => ({
    ...passed.resources[0]!,
    name: `GET https://shop.example.com/items/${index}`,
  });
  return detailsOf(
    {},
    {
      intervals: courseOf(360),
      regions: Array.from({ length: 10 }, (_, index) => ({ name: `cloud-eu-${index}`, intervals: courseOf(360) })),
      resources: Array.from({ length: 500 }, (_, index) => resource(index)),
      logLines: Array.from({ length: 500 }, (_, index) => ({
        level: "Error",
        message: "x".repeat(2_000),
        count: index,
      })),
    },
  );
}

/** Intervals of ten seconds in which users rise and the last was not measured in full. */
export function courseOf(count: number): readonly RunInterval[] {
  return Array.from({ length: count }, (_, index) => ({
    at: index * 10_000,
    seconds: 10,
    users: Math.min(100, (index + 1) * 10),
    requests: 1600 + index,
    requestsPerSec: 160 + index / 10,
    failures: index === count - 1 ? null : index,
    failedPercent: index === count - 1 ? null : (100 * index) / (1600 + index),
    p50: 140 + index,
    p95: 280 + index,
    p99: index === count - 1 ? null : 600 + index,
  }));
}

/** A run of the release gate, with these differences. */
export function detailsOf(
  run: { readonly [K in keyof JudgedRun]?: JudgedRun[K] | undefined },
  details: { readonly [K in keyof RunDetails]?: RunDetails[K] | undefined } = {},
): RunDetails {
  return withoutUndefined({
    run: withoutUndefined({
      gate: "release",
      address: "testCase.shop/configuration.smoke",
      execution: 17,
      simulated: false,
      warnings: [],
      startedAt: "2026-11-20T10:00:00.000Z",
      finishedAt: "2026-11-20T10:03:00.000Z",
      verdict: "passed",
      reasons: [],
      kpis: [{ expr: "Outcome[success] > 95%", value: 99.5014, unit: "%", ok: true }],
      noWorse: [],
      summary: measured,
      baseline: [15],
      ...run,
    }) as JudgedRun,
    intervals: courseOf(18),
    regions: [
      { name: "cloud-us-east-1", intervals: courseOf(18) },
      { name: "cloud-eu-west-1", intervals: courseOf(18) },
    ],
    resources: [
      { name: "GET https://shop.example.com/", requests: 20000, failedPercent: 0.1, p50: 90, p95: 210, p99: 400 },
      {
        name: "POST https://shop.example.com/cart",
        requests: 9480,
        failedPercent: null,
        p50: null,
        p95: null,
        p99: null,
      },
    ],
    responseCodes: [{ code: "503", count: 147 }],
    logLines: [{ level: "Error", message: "connect ECONNREFUSED", count: 12 }],
    minimum: 1,
    noWorseUnits: [],
    baseline: { ...measured, responseTimeMs: { ...measured.responseTimeMs, p95: 250 } },
    origin: {
      scriptSha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      commit: "0123456789abcdef",
    },
    ...details,
  }) as RunDetails;
}

function withoutUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
