import type { CustomMetric } from "../script-run.ts";
import type { Exchange } from "./network/exchange.ts";
import { exchanges } from "./network/measured-http.ts";
import type { Network } from "./network/network.ts";
import type { Recorder } from "./recorder.ts";

/** `{namespace, name, key, val, units}`, the form of all calls that name what they give. */
interface Named {
  readonly namespace?: unknown;
  readonly name?: unknown;
  readonly key?: unknown;
  readonly val?: unknown;
  readonly value?: unknown;
  readonly units?: unknown;
}

/** Where a value belongs. */
interface Place {
  readonly resource: string | null;
  readonly url: string | null;
}

type MetricType = CustomMetric["metricType"];
type Report = (metricType: MetricType, given: Named, place: Place) => void;

/** `results(resource, url)` with the calls that all users of a run share. */
export function scriptResults(recorder: Recorder, network: Network) {
  const sums = new Map<string, number>();
  const types = new Map<string, MetricType>();
  const report: Report = (metricType, given, place) => {
    const metric = metricOf(metricType, given, { place, recorder });
    const problem = metricProblem(metric, types);
    if (problem !== undefined) return recorder.log("Error", `${problem}; this value is not counted`);
    const id = `${metric.namespace}/${metric.name}`;
    types.set(id, metricType);
    for (const key of new Set([id, `${id}/${metric.key ?? ""}`])) sums.set(key, (sums.get(key) ?? 0) + metric.value);
    recorder.metric(metric);
  };
  const results = (resource?: unknown, url?: unknown) => resultsOf({ resource, url }, { report, network });
  return Object.assign(
    results,
    sharedCalls(sums, (given) => report("Counter", given, { resource: null, url: null })),
  );
}

/** DECISION (API 1, Scenarios: POST /scripts/:id/run): one iteration has no other users to wait for, so each of these resolves at once, with the value of this run. */
function sharedCalls(sums: ReadonlyMap<string, number>, count: (given: Named) => void) {
  const current = (name: unknown, key?: unknown): number => {
    const { name: bare = name, key: bucket = key, namespace = "User" } = namedParts(name);
    const id = `${String(namespace)}/${String(bare)}`;
    return sums.get(bucket === undefined ? id : `${id}/${String(bucket)}`) ?? 0;
  };
  return {
    get: async (name: unknown, key?: unknown) => current(name, key),
    waitForValue: async (name: unknown, key?: unknown) => current(name, typeof key === "string" ? key : undefined),
    waitForCondition: async (name: unknown, key?: unknown) => current(name, typeof key === "string" ? key : undefined),
    incrementAndWaitForValue: async (name: unknown) => {
      const { name: bare = name, namespace, val = 1 } = namedParts(name);
      count({ namespace, name: bare, val });
      return current(name);
    },
    barrier: async (name?: unknown) => (name === undefined ? 1 : current(name)),
  };
}

function resultsOf(
  { resource, url }: { resource: unknown; url: unknown },
  {
    report,
    network,
  }: {
    readonly report: Report;
    readonly network: Network;
  },
) {
  const place: Place = { resource: textOrNull(resource), url: textOrNull(url) };
  const exchange = exchangeOf(resource, network);
  return {
    counter: (name: unknown, val: unknown = 1, units?: unknown) =>
      report("Counter", { val: 1, ...positional(name, { name, val, units }) }, place),
    timing: (name: unknown, val?: unknown, units: unknown = "ms") =>
      report("Timing", { units: "ms", ...positional(name, { name, val, units }) }, place),
    histogram: (name: unknown, key?: unknown, val: unknown = 1) =>
      report("Histogram", { val: 1, ...positional(name, { name, key, val }) }, place),
    metered: (name: unknown, key?: unknown, val?: unknown, units?: unknown) =>
      report("Metered", positional(name, { name, key, val, units }), place),
    setTraceStatus: (status: unknown) => exchange?.trace(String(status)),
    markAsSuccess: () => exchange?.mark(true),
    markAsFailure: () => exchange?.mark(false),
  };
}

function positional(first: unknown, given: Named): Named {
  return typeof first === "object" && first !== null ? namedParts(first) : given;
}

function namedParts(value: unknown): Named {
  return typeof value === "object" && value !== null ? value : {};
}

/** The request that is meant: that of a request or response, the last one of a resource, else the last one. */
function exchangeOf(resource: unknown, { exchanges: all }: Network): Exchange | undefined {
  if (typeof resource === "object" && resource !== null) return exchanges.get(resource);
  if (typeof resource !== "string") return all.at(-1);
  return all.findLast((exchange) => exchange.resource === resource);
}

function metricOf(metricType: MetricType, given: Named, { place, recorder }: { place: Place; recorder: Recorder }) {
  const { namespace = "User", name, key, val, value, units } = given;
  const metric: CustomMetric = {
    metricType,
    namespace: String(namespace ?? "User"),
    name: typeof name === "string" ? name : "",
    key: key === undefined || key === null ? null : String(key),
    value: Number(val ?? value),
    units: textOrNull(units),
    phase: recorder.phase,
    atMs: recorder.now(),
    ...place,
  };
  return metric;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** DECISION (API 2, KPIs: custom metric names): a name has 1 to 255 characters, no - and no __, and one metric type in its namespace; System is closed to scripts. */
function metricProblem(metric: CustomMetric, types: ReadonlyMap<string, MetricType>): string | undefined {
  const { name, namespace, value, key, metricType } = metric;
  const shown = JSON.stringify(name.slice(0, 80));
  if (namespace.toLowerCase() === "system") return `found metric ${shown} in namespace System; expected another one`;
  for (const each of [name, namespace])
    if (each.length < 1 || each.length > 255 || each.includes("-") || each.includes("__"))
      return `found metric name ${JSON.stringify(each.slice(0, 80))}; expected 1 to 255 characters without - and __`;
  if (!Number.isFinite(value)) return `found no number as the value of metric ${shown}; expected one`;
  if (key === null && (metricType === "Histogram" || metricType === "Metered"))
    return `found no key for the ${metricType.toLowerCase()} ${shown}; expected one`;
  const former = types.get(`${namespace}/${name}`);
  if (former !== undefined && former !== metricType)
    return `found ${metricType} ${shown}, which is a ${former} in namespace ${namespace}; expected one type for each name`;
  return undefined;
}
