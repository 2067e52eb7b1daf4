import type { CustomCounts } from "./custom-counts.ts";
import type { RunCounts } from "./run-counts.ts";
import type { IterationModel, ModelMetric, ModelRequest } from "./run-plan.ts";
import { TimingHistogram } from "./timing-histogram.ts";

/** A measured value, by the type of its metric (API 1, Metric summary and metric). */
type Measured =
  | { readonly type: "Counter"; readonly value: number }
  | { readonly type: "Timing"; readonly timings: TimingHistogram }
  | { readonly type: "Histogram"; readonly buckets: Readonly<Record<string, number>> }
  | { readonly type: "Metered"; readonly largest: number; readonly total: number };

/** A metric of a run, of a part of it, or of one of its resources. */
export interface MeasuredMetric {
  readonly namespace: string;
  readonly name: string;
  /** Its name for people; it is found by this one too, in any case of letters. */
  readonly label: string;
  readonly units: string;
  readonly measured: Measured;
}

/** The users that caused what was counted. */
export interface Load {
  /** At the end of the part. */
  readonly users: number;
  readonly maxUsers: number;
  /** The most users on one runner. */
  readonly maxOnRunner: number;
  /** Duration of the part, in milliseconds. */
  readonly ms: number;
  /** Users when the run was stopped by its load; absent where it was not. */
  readonly breakingPoint?: number;
}

/** All metrics of a part of a run (API 2, KPIs: Counter, Timing, Histogram, Metered). */
export function measure(iteration: IterationModel, counts: RunCounts, load: Load): readonly MeasuredMetric[] {
  return [
    ...measureRequests(iteration, counts),
    ...userMetrics(load),
    ...runnersOf(counts, load),
    ...custom(iteration, counts),
    ...[...counts.custom.values()].map(measuredCustom),
  ];
}

/** The metrics of requests alone: of one resource when the counts of the others are empty. */
export function measureRequests(iteration: IterationModel, counts: RunCounts): readonly MeasuredMetric[] {
  const all = iteration.requests.map((request, index) => ({ request, counts: counts.resources[index] }));
  const sent = all.reduce((sum, each) => sum + bytesTransferred(each).sent, 0);
  const received = all.reduce((sum, each) => sum + bytesTransferred(each).received, 0);
  const timing = (share: ShareOf, measured?: "opens" | "closes"): Measured => {
    const timings = new TimingHistogram();
    for (const each of all) timings.merge(timingsOf(each, share, measured));
    return { type: "Timing", timings };
  };
  return [
    system("count", "Requests", "requests", counter(counts.requests)),
    system(
      "outcome",
      "Outcome",
      "requests",
      histogram({ success: counts.requests - counts.failures, failure: counts.failures }),
    ),
    system("responseCode", "Response Code", "requests", histogram(codesOf(all))),
    system("httpContentType", "Content Type", "requests", histogram(contentTypesOf(all))),
    system(
      "firstReceivedMs",
      "Response Time",
      "ms",
      timing(() => 1),
    ),
    system(
      "dnsLookupMs",
      "DNS Lookup",
      "ms",
      timing(({ dnsShare }) => dnsShare),
    ),
    system(
      "connectionOpenMs",
      "Connection Open",
      "ms",
      timing(({ openShare }) => openShare, "opens"),
    ),
    system(
      "connectionCloseMs",
      "Connection Close",
      "ms",
      timing(({ closeShare }) => closeShare, "closes"),
    ),
    system("bytesSent", "Bytes Sent", "bytes", counter(sent)),
    system("bytesReceived", "Bytes Received", "bytes", counter(received)),
    system("bandwidth", "Bandwidth", "bytes", counter(sent + received)),
  ];
}

/** Metrics that are drawn in charts and not listed: each is found by its name. */
export function measureCharts(counts: RunCounts, { ms }: Load, peakPerSec: number): readonly MeasuredMetric[] {
  const share = counts.requests === 0 ? 0 : ((counts.requests - counts.failures) / counts.requests) * 100;
  return [
    system("throughput", "Throughput", "requests", counter(ms === 0 ? 0 : round(counts.requests / (ms / 1000)))),
    system("outcome-success-percent", "Success Rate", "percent", counter(round(share))),
    system("peakRequestsPerSec", "Peak Requests", "requests", counter(round(peakPerSec))),
  ];
}

interface CountedRequest {
  readonly request: IterationModel["requests"][number];
  readonly counts: RunCounts["resources"][number] | undefined;
}

type ShareOf = (request: CountedRequest["request"]) => number;

/** Times of a phase of one request: those of the model follow from the time to the first byte, those that were measured are as they were. */
function timingsOf(
  { request, counts }: CountedRequest,
  share: ShareOf,
  measured: "opens" | "closes" | undefined,
): TimingHistogram {
  if (counts === undefined) return new TimingHistogram();
  if (counts.answers && measured) return counts.answers[measured];
  return share(request) === 1 ? counts.timings : counts.timings.scaled(share(request));
}

function bytesTransferred({ request, counts }: CountedRequest): { readonly sent: number; readonly received: number } {
  if (counts === undefined) return { sent: 0, received: 0 };
  if (counts.answers) return { sent: counts.answers.bytesSent, received: counts.answers.bytesReceived };
  const { count } = counts.timings;
  const answered = count - (isAnswered(request, true) ? 0 : counts.failures);
  return { sent: request.bytesSent * count, received: request.bytesReceived * answered };
}

/** True when a request got its known answer; a failure that the target decides has an answer of its own, without body. */
export function isAnswered(
  { measured, verdict }: Pick<ModelRequest, "measured" | "verdict">,
  failed: boolean,
): boolean {
  return !failed || measured === true || verdict !== undefined;
}

/** The response code of a request: a modelled failure is answered with 500, unless the probe met another one. 0 is none. */
export function responseCode(request: Pick<ModelRequest, "status" | "measured" | "verdict">, failed: boolean): string {
  return String(isAnswered(request, failed) || request.status >= 400 ? request.status : 500);
}

function codesOf(all: readonly CountedRequest[]): Readonly<Record<string, number>> {
  const codes: Record<string, number> = {};
  for (const { request, counts } of all) {
    const { failures = 0, timings } = counts ?? {};
    if (request.status === 0) continue;
    countIn(codes, responseCode(request, false), (timings?.count ?? 0) - failures);
    countIn(codes, responseCode(request, true), failures);
  }
  return codes;
}

function contentTypesOf(all: readonly CountedRequest[]): Readonly<Record<string, number>> {
  const types: Record<string, number> = {};
  for (const { request, counts } of all) {
    const answered = (counts?.timings.count ?? 0) - (isAnswered(request, true) ? 0 : (counts?.failures ?? 0));
    if (request.contentType !== "") countIn(types, request.contentType, answered);
  }
  return types;
}

function userMetrics({ users, maxUsers, breakingPoint }: Load): readonly MeasuredMetric[] {
  return [
    system("actualConcurrentClients", "Actual Concurrent Clients", "clients", counter(users)),
    system("maxConcurrentClients", "Max Concurrent Clients", "clients", counter(maxUsers)),
    ...(breakingPoint === undefined
      ? []
      : [system("breakingPoint", "Breaking Point", "clients", counter(breakingPoint))]),
  ];
}

const runnerCpus = 2;
const runnerMemory = 8 * 1024 ** 3;

/** DECISION (API 2, Agent: what a runner's figures are in a simulated run): a runner of 2 CPUs and 8 GB is busy in proportion to its users, 2 percent idle and 0.3 percent for each, and takes 256 MB and 4 MB for each. */
function runnersOf(counts: RunCounts, { maxUsers, maxOnRunner, ms }: Load): readonly MeasuredMetric[] {
  const runners = maxOnRunner === 0 ? 0 : Math.ceil(maxUsers / maxOnRunner);
  const cpu = (users: number) => round(Math.min(100, 2 + 0.3 * users));
  const memory = (users: number) => Math.min(runnerMemory, (256 + 4 * users) * 1024 ** 2);
  const perSec = ms === 0 ? 0 : counts.requests / (ms / 1000);
  const metered = (one: number, all: number): Measured => ({ type: "Metered", largest: round(one), total: round(all) });
  const share = maxUsers === 0 ? 0 : maxOnRunner / maxUsers;
  return [
    system(
      "cpu",
      "CPU",
      "cpus",
      metered((cpu(maxOnRunner) / 100) * runnerCpus, (cpu(maxOnRunner) / 100) * runnerCpus * runners),
    ),
    system("cpuUtilization", "CPU Utilization", "percent", metered(cpu(maxOnRunner), cpu(maxOnRunner) * runners)),
    system("memory", "Memory", "bytes", metered(memory(maxOnRunner), memory(maxOnRunner) * runners)),
    system(
      "memoryUtilization",
      "Memory Utilization",
      "percent",
      metered((memory(maxOnRunner) / runnerMemory) * 100, (memory(maxOnRunner) / runnerMemory) * 100 * runners),
    ),
    system("testRunnerBandwidth", "Test Runner Bandwidth", "requests", metered(perSec * share, perSec)),
    system("testRunnerConnections", "Test Runner Connections", "connections", metered(maxOnRunner, maxUsers)),
  ];
}

/** Metrics that the scripts reported by themselves: every user repeats the same iteration. */
function custom({ metrics }: IterationModel, counts: RunCounts): readonly MeasuredMetric[] {
  const byName = new Map<string, ModelMetric[]>();
  for (const each of metrics) {
    const key = `${each.namespace}/${each.name}`;
    const same = byName.get(key);
    if (same) same.push(each);
    else byName.set(key, [each]);
  }
  return [...byName.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { namespace, name, units } = first;
    return [{ namespace, name, label: name, units, measured: customMeasured(same, counts) }];
  });
}

function customMeasured(same: readonly ModelMetric[], { iterations, runners }: RunCounts): Measured {
  switch (same[0]?.metricType) {
    case "Timing": {
      const timings = new TimingHistogram();
      if (iterations > 0) for (const { value, times } of same) timings.add(value, times * iterations);
      return { type: "Timing", timings };
    }
    case "Histogram": {
      const buckets: Record<string, number> = {};
      for (const { key, value, times } of same) countIn(buckets, key ?? "", value * times * iterations);
      return histogram(buckets);
    }
    case "Metered": {
      if (iterations === 0) return { type: "Metered", largest: 0, total: 0 };
      const largest = same.reduce((most, { value }) => Math.max(most, value), Number.NEGATIVE_INFINITY);
      // Each runner reached it. An older state does not tell how many were at work.
      return { type: "Metered", largest, total: largest * Math.max(1, runners.size) };
    }
    default:
      return counter(same.reduce((sum, { value, times }) => sum + value * times, 0) * iterations);
  }
}

/** A metric that the scripts of a measured run reported by themselves. */
function measuredCustom({ of, sum, largest, total, buckets, timings }: CustomCounts): MeasuredMetric {
  const { metricType, namespace, name, units } = of;
  const measured: Readonly<Record<typeof metricType, Measured>> = {
    Counter: counter(sum),
    Timing: { type: "Timing", timings },
    Histogram: histogram(Object.fromEntries(buckets)),
    Metered: { type: "Metered", largest, total },
  };
  return { namespace, name, label: name, units, measured: measured[metricType] };
}

function system(name: string, label: string, units: string, measured: Measured): MeasuredMetric {
  return { namespace: "System", name, label, units, measured };
}

function counter(value: number): Measured {
  return { type: "Counter", value };
}

/** Buckets in which nothing was counted are left out, but for those of an outcome. */
function histogram(buckets: Readonly<Record<string, number>>): Measured {
  const counted = Object.entries(buckets).filter(
    ([name, count]) => count > 0 || name === "success" || name === "failure",
  );
  return { type: "Histogram", buckets: Object.fromEntries(counted) };
}

function countIn(buckets: Record<string, number>, name: string, count: number): void {
  if (count !== 0) buckets[name] = (Object.hasOwn(buckets, name) ? (buckets[name] ?? 0) : 0) + count;
}

/** Three decimals. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
