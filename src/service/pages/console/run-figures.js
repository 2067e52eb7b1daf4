/** Figures of a run, read from its metrics (API 1, Metric summary and metric). */

const bucketMs = 10_000;

/** A metric of the system by its name. */
function metric(summary, name) {
  return summary?.metrics?.find((each) => each.metricDef === name && (each.namespace ?? "System") === "System");
}

/** Requests, failures, users and response times of a summary or an interval. */
export function figuresOf(summary) {
  const timing = metric(summary, "firstReceivedMs")?.metricValueMap;
  const requests = metric(summary, "count")?.metricValue ?? summary?.count ?? 0;
  const failures = metric(summary, "outcome")?.metricValueMap?.failure ?? 0;
  return {
    requests,
    failures,
    success: requests > 0 ? (requests - failures) / requests : null,
    users: metric(summary, "maxConcurrentClients")?.metricValue ?? summary?.maxConcurrentClients ?? 0,
    p50: timing?.p50 ?? null,
    p95: timing?.p95 ?? null,
  };
}

/** A run by the names of its test case and its configuration. */
export function titleOf({ testCase, configuration }) {
  return `${testCase?.name ?? "Run"}: ${configuration?.name ?? ""}`;
}

/** The state of a run: queued, ready, running, passed, failed, completed. */
export function stateOf({ allocated, running, completed, success }) {
  if (completed && success === null) return ["completed", "plain"];
  if (completed) return success ? ["passed", "good"] : ["failed", "bad"];
  if (running) return ["running", "busy"];
  return allocated ? ["ready", "warn"] : ["queued", "plain"];
}

/** The origin of a run's figures, which is shown beside its state: at length, or in a word. */
export function originOf(engine) {
  return origins[engine] ?? [];
}

const origins = {
  model: ["simulated: no request was sent", "simulated"],
  script: ["simulated: only one iteration was really sent", "simulated"],
  live: ["real load", "real load"],
};

/** The end of a run, where it was not at the end of its plan. */
export function endOf(summary, { cancelledByUser, limitBreached }) {
  const broke = metric(summary, "breakingPoint")?.metricValue;
  return [
    cancelledByUser && "stopped by a user",
    limitBreached && "the most users of the account were reached",
    broke !== undefined && broke !== null && `broke at ${broke} users`,
  ].filter(Boolean);
}

/** The charts of a run from its intervals. */
export function chartsOf(intervals, { startedAt, finishedAt, planned }) {
  const sorted = [...intervals].sort((left, right) => left.intervalStart - right.intervalStart);
  const start = startedAt ? Date.parse(startedAt) : (sorted[0]?.intervalStart ?? 0);
  const end = finishedAt ? Date.parse(finishedAt) : (sorted.at(-1)?.intervalStart ?? start) + bucketMs;
  const points = sorted.map((interval) => pointOf(interval, start, end));
  const values = (read) => points.map(read);
  // A run's time axis is that of its plan until it is over: it does not move while the lines grow.
  const axis = finishedAt ? 0 : (planned ?? 0);
  const common = { at: values(({ at }) => at), seconds: Math.max(10, axis, (end - start) / 1000) };
  return [
    {
      ...common,
      title: "Users",
      unit: "users",
      lines: [{ name: "Users", tone: "users", filled: true, values: values(({ users }) => users) }],
    },
    {
      ...common,
      title: "Throughput",
      unit: "requests per second",
      lines: [{ name: "Requests", tone: "requests", filled: true, values: values(({ requests }) => requests) }],
    },
    {
      ...common,
      title: "Response time",
      unit: "milliseconds",
      lines: [
        { name: "p50", tone: "middle", values: values(({ p50 }) => p50) },
        { name: "p95", tone: "high", dashed: true, values: values(({ p95 }) => p95) },
      ],
    },
    {
      ...common,
      title: "Failures",
      unit: "failed requests per second",
      lines: [{ name: "Failures", tone: "failures", filled: true, values: values(({ failures }) => failures) }],
    },
  ];
}

/** One interval over the time that it shares with the run. */
function pointOf(interval, start, end) {
  const begins = Math.max(interval.intervalStart, start);
  const shared = Math.min(interval.intervalStart + bucketMs, end) - begins;
  const seconds = (shared > 0 ? shared : bucketMs) / 1000;
  const { requests, failures, users, p50, p95 } = figuresOf(interval);
  const at = (begins - start) / 1000 + seconds / 2;
  return { at, users, requests: requests / seconds, failures: failures / seconds, p50, p95 };
}
