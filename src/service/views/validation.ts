import type { JsonValue } from "../../api/routes.ts";
import type {
  CustomMetric,
  ScriptInput,
  ScriptLog,
  ScriptNetwork,
  ScriptRequest,
  ScriptRun,
  ScriptTest,
} from "../scripts/script-run.ts";
import type { View } from "./stamp.ts";

/** Moments of a run as they are answered, by milliseconds since `main` began. */
type Moment = (ms: number) => number;

/** API 1, Script validation result. DECISION (API 1, Script validation result: requests that were simulated): its shape has no place for it, so the first line of the log says that none was sent. */
export function viewValidation(
  run: ScriptRun,
  { startedAt, network }: Pick<ScriptInput, "startedAt"> & { readonly network: ScriptNetwork },
): View {
  const moment: Moment = (ms) => startedAt + run.initMs + ms;
  const thread = run.requests[0]?.threadId ?? null;
  return {
    success: run.success,
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(startedAt + run.totalMs).toISOString(),
    results: [
      ...run.requests.map((each) => viewRequest(each, moment)),
      ...run.metrics.map((each, index) => viewMetric(each, run.metrics.slice(0, index), { moment, thread })),
    ],
    logs: [
      ...(network === "simulated" && run.requests.length > 0 ? [simulatedLine(run.requests.length, startedAt)] : []),
      ...run.logs.map((each) => viewLog(each, moment)),
      ...run.tests.filter(isFailed).map((each) => viewFailed(each, moment)),
    ].sort((left, right) => left.timestamp - right.timestamp),
  };
}

/** A validation without a run: one line that says why. */
export function viewNotRun(
  { success, level, message }: { readonly success: boolean; readonly level: string; readonly message: string },
  now: number,
): View {
  const at = new Date(now).toISOString();
  return { success, startedAt: at, finishedAt: at, results: [], logs: [{ level, message, timestamp: now }] };
}

function viewRequest(request: ScriptRequest, moment: Moment): View {
  const { connectionId, threadId, resource, startMs } = request;
  const timestamp = moment(startMs);
  return { connectionId, threadId, resource, timestamp, firstReport: true, metrics: metricsOf(request) };
}

const timings = [
  "connectionOpenMs",
  "firstSentMs",
  "lastSentMs",
  "firstReceivedMs",
  "lastReceivedMs",
  "connectionCloseMs",
] as const;
const sums = {
  bytesSent: "bytes",
  bytesReceived: "bytes",
  packetsSent: "packets",
  packetsReceived: "packets",
} as const;

/** Metrics of a request: connected, status, latencies of opening and closing, bytes and packets each way, and when the first and the last came. */
function metricsOf(request: ScriptRequest): readonly JsonValue[] {
  const { success, status, contentType, connectionOpenMs } = request;
  const counter = (name: string, value: number, units: string) => metric(name, "Counter", { value, units });
  const histogram = (name: string, key: string) => metric(name, "Histogram", { key, value: 1, units: "requests" });
  return [
    counter("connected", connectionOpenMs === null ? 0 : 1, "requests"),
    histogram("outcome", success ? "success" : "failure"),
    ...(status === null ? [] : [histogram("responseCode", String(status))]),
    ...(contentType === null ? [] : [histogram("httpContentType", contentType)]),
    ...timings.flatMap((name) => {
      const value = request[name];
      return value === null ? [] : [metric(name, "Timing", { value, units: "ms" })];
    }),
    ...Object.entries(sums).map(([name, units]) => counter(name, request[name as keyof typeof sums], units)),
  ];
}

function metric(
  name: string,
  metricType: CustomMetric["metricType"],
  { key = null, value, units }: Pick<CustomMetric, "value" | "units"> & Partial<Pick<CustomMetric, "key">>,
): View {
  return { name, metricType, metricKey: key, metricValue: value, metricUnits: units };
}

/** DECISION (API 1, Script validation result: firstReport): of custom metrics the first of a name in its resource is the first report; a request is reported once. */
function viewMetric(
  custom: CustomMetric,
  earlier: readonly CustomMetric[],
  { moment, thread }: { readonly moment: Moment; readonly thread: string | null },
): View {
  const { metricType, name, namespace, resource, key, value, units, atMs } = custom;
  const firstReport = !earlier.some(
    (each) => each.name === name && each.namespace === namespace && each.resource === resource,
  );
  const metrics = [metric(name, metricType, { key, value, units })];
  return { connectionId: null, threadId: thread, resource, timestamp: moment(atMs), firstReport, metrics };
}

function simulatedLine(requests: number, timestamp: number): LogView {
  const answered = requests === 1 ? "1 request was" : `${requests} requests were`;
  const message = `simulated: no request was sent; ${answered} answered by the service (setting network)`;
  return { level: "Info", message, timestamp };
}

interface LogView {
  readonly level: string;
  readonly message: string;
  readonly timestamp: number;
  readonly [name: string]: JsonValue;
}

function viewLog({ level, message, atMs }: ScriptLog, moment: Moment): LogView {
  return { level, message, timestamp: moment(atMs) };
}

const isFailed = ({ state }: ScriptTest) => state === "failed";

/** DECISION (API 1, Script validation result: logs): its shape has no place for tests, so each that failed is an Error line. */
function viewFailed({ suiteName, name, errorType, error, finishedMs }: ScriptTest, moment: Moment): LogView {
  const title = suiteName === "" ? name : `${suiteName}: ${name}`;
  return { level: "Error", message: `test failed: ${title}: ${errorType}: ${error}`, timestamp: moment(finishedMs) };
}
