import { bagOf, flag, id, listOf, number, oneOf, optional, orNull, record, type Shape, shape, text } from "../shape.ts";

/** A number of something, not always whole. */
export const share = shape("a number, at least 0", (value) => typeof value === "number" && value >= 0 && value <= 1e15);

/** Milliseconds from the start of a run: no moment that they lead to lies beyond all dates. */
const offset = shape(
  "milliseconds, within 10,000 years",
  (value) => typeof value === "number" && Math.abs(value) <= 3.2e14,
);

/** As many users as can be computed. */
export const users = shape(
  "a whole number from 0 to 1,000,000",
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 1_000_000,
);

const timings = record({
  count: id,
  micros: share,
  squares: shape("a number, at least 0", (value) => typeof value === "number" && value >= 0),
  min: share,
  max: share,
  first: shape(
    "the number of a bucket",
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 10_000,
  ),
  counts: listOf(id),
});
const answers = record({ bytesSent: share, bytesReceived: share, opens: timings, closes: timings });
const custom = record({
  metricType: oneOf("Counter", "Timing", "Histogram", "Metered"),
  ...{ namespace: text, name: text, units: text, sum: number, largest: number },
  peaks: optional(bagOf(number)),
  buckets: bagOf(number),
  timings: orNull(timings),
});
export const counts = record({
  iterations: id,
  runners: optional(bagOf(id)),
  resources: listOf(record({ timings, failures: id, answers: optional(answers) })),
  custom: optional(listOf(custom)),
});
const request = record({
  resource: text,
  url: text,
  status: id,
  contentType: text,
  bytesSent: share,
  bytesReceived: share,
  after: optional((value, at) => (value === "start" ? undefined : id(value, at))),
  pauseMs: share,
  dnsShare: share,
  openShare: share,
  closeShare: share,
  latencyMs: record({ p50: share, p99: share }),
  errorRate: share,
  capacity: orNull(record({ users: share, slope: share })),
  verdict: optional(oneOf("success", "failure")),
});
const metric = record({
  metricType: oneOf("Counter", "Timing", "Histogram", "Metered"),
  ...{ namespace: text, name: text, key: orNull(text), value: number, units: text, times: id },
});
const check = record({
  metric: text,
  key: orNull(text),
  operator: oneOf("GT", "GTE", "LT", "LTE", "EQ", "NEQ"),
  threshold: number,
  timePeriod: text,
  valueType: text,
  history: orNull(number),
});
const flat = record({ rampupMs: offset, durationMs: orNull(share), iterations: orNull(id) });
const stepped = record({
  durationMs: offset,
  startUsers: users,
  step: shape("at least 1", (value) => Number(value) >= 1),
});
const profiles: Readonly<Record<string, Shape>> = {
  Flat: flat,
  Step: stepped,
  BreakingPoint: record({ durationMs: offset }),
};
const profile: Shape = (value, at) => {
  const type = record({ type: oneOf(...Object.keys(profiles)) });
  return type(value, at) ?? profiles[String(Reflect.get(value as object, "type"))]?.(value, at);
};
export const kpis = listOf(record({ expr: text, breakOnFail: flag }));

export const plan = record({
  seed: text,
  profile,
  sleepMs: shape("milliseconds, at least 1", (value) => Number(share(value, "") === undefined && value) >= 1),
  maxDurationMs: orNull(offset),
  regions: listOf(record({ id, key: optional(text), users, chunks: listOf(record({ id, users })) })),
  iteration: record({ requests: listOf(request), restMs: share, metrics: listOf(metric) }),
  checks: listOf(check),
  kpis,
  measured: optional(flag),
});

const place = { regionId: id, user: users, iteration: id };
const of = optional(record(place));
const test = record({
  suiteUuid: text,
  suiteName: text,
  uuid: text,
  name: text,
  state: text,
  startedMs: offset,
  finishedMs: offset,
  errorType: orNull(text),
  error: orNull(text),
  errorTrace: orNull(text),
  of,
});

export const probe = record({
  logs: listOf(record({ level: text, message: text, atMs: offset, of })),
  tests: listOf(test),
  files: listOf(record({ id, name: text, type: text, contents: text, size: id, atMs: offset, of })),
  durationMs: share,
  failure: orNull(text),
});

export const controls = record({
  stoppedAtMs: orNull(offset),
  extendedMs: share,
  added: listOf(record({ atMs: offset, regionId: id, users })),
});

export const measured = record({
  regions: listOf(
    record({
      id,
      users: listOf(orNull(record({ startMs: offset, finishMs: orNull(offset), iterations: id }))),
      intervals: listOf(orNull(counts)),
    }),
  ),
  iterations: listOf(record({ ...place, startMs: offset, endedMs: offset })),
  requests: listOf(
    record({
      ...place,
      ...{ request: id, startMs: offset, firstReceivedMs: share, failed: flag, endedMs: offset },
      answer: optional(
        record({
          ...{ url: text, connectionId: text, openMs: orNull(share), closeMs: share },
          ...{ bytesSent: share, bytesReceived: share },
        }),
      ),
    }),
  ),
  stopped: orNull(record({ by: oneOf("trigger", "kpi"), atMs: offset, users, reason: text })),
  finishedMs: offset,
});
