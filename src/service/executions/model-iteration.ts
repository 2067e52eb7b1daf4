import type { IterationModel, ModelMetric, ModelRequest } from "../runs/run-plan.ts";
import type { ScriptRequest, ScriptRun } from "../scripts/script-run.ts";
import { type Settings, type Target, targetOf } from "../settings.ts";

/** The iteration that a run repeats for every user, as its probe iteration was. */
export function modelIteration(
  probe: ScriptRun,
  { targets }: Settings,
  engine: "model" | "script" | "live",
): IterationModel {
  const requests = probe.requests
    .filter(({ phase }) => phase === "main")
    .sort((left, right) => left.startMs - right.startMs);
  const begins = beginnings(requests);
  const modelled = requests.map((request, index): ModelRequest => {
    return { ...figuresOf(request, engine), ...answersOf(request, targets, engine), pauseMs: 0, ...begins[index] };
  });
  const lastMs = requests.reduce((last, each) => Math.max(last, requestEnd(each)), 0);
  return { requests: modelled, restMs: Math.max(0, probe.durationMs - lastMs), metrics: customMetrics(probe) };
}

/**
 * DECISION (API 2, Executions: when the requests of an iteration begin): as they did in the probe iteration, so that those made at the same
 * time remain so. One before which all others had ended begins as long after the last of them; one that began beside
 * others, as long after the one that had ended last, or after the start of the iteration.
 */
function beginnings(requests: readonly ScriptRequest[]): readonly Pick<ModelRequest, "after" | "pauseMs">[] {
  const ends = requests.map(requestEnd);
  const endOfPlace = (index: number | undefined) => (index === undefined ? 0 : (ends[index] ?? 0));
  const byEnd = [...requests.keys()].sort((left, right) => endOfPlace(left) - endOfPlace(right) || left - right);
  let ended = 0;
  return requests.map(({ startMs }, index) => {
    while (ended < index && (byEnd[ended] ?? index) < index && endOfPlace(byEnd[ended]) <= startMs) ended++;
    const last = byEnd[ended - 1];
    const pauseMs = Math.max(0, startMs - endOfPlace(last));
    return ended === index ? { pauseMs } : { after: last ?? "start", pauseMs };
  });
}

/** The iteration of a scenario whose type cannot be run here: one request. */
export function unrunnableIteration(scriptType: string, { targets }: Settings): IterationModel {
  const resource = `GET http://${scriptType.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.test/`;
  const { latencyMs, errorRate, capacity } = targetOf(resource, targets);
  const request = { ...plain, resource, url: resource.slice(4), latencyMs, errorRate, capacity, pauseMs: 0 };
  return { requests: [request], restMs: 0, metrics: [] };
}

/** The iteration of a run whose probe iteration failed: that failure. */
export function failedIteration(probe: ScriptRun): IterationModel {
  const took = Math.max(0.001, probe.durationMs);
  const request = {
    ...plain,
    resource: "script",
    url: "",
    latencyMs: { p50: took, p99: took },
    errorRate: 1,
    capacity: null,
    pauseMs: 0,
  };
  return { requests: [{ ...request, closeShare: 1, bytesSent: 0, bytesReceived: 0 }], restMs: 0, metrics: [] };
}

const plain = {
  status: 200,
  contentType: "text/html",
  bytesSent: 120,
  bytesReceived: 1_024,
  dnsShare: 0.02,
  openShare: 0.1,
  closeShare: 1.05,
};

function requestMs({ connectionCloseMs, firstReceivedMs }: ScriptRequest): number {
  return Math.max(connectionCloseMs ?? 0, firstReceivedMs ?? 0);
}

function requestEnd(request: ScriptRequest): number {
  return request.startMs + requestMs(request);
}

function figuresOf(
  request: ScriptRequest,
  engine: string,
): Omit<ModelRequest, "pauseMs" | "latencyMs" | "errorRate" | "capacity"> {
  const verdict = verdictOf(request, engine);

  const first = request.firstReceivedMs ?? requestMs(request);
  const openShare = first > 0 ? Math.min(1, (request.connectionOpenMs ?? 0) / first) : 0;
  return {
    resource: request.resource,
    url: request.url,
    status: verdict === "failure" ? (request.status ?? 0) : request.success ? (request.status ?? 200) : 200,
    contentType: request.contentType ?? (verdict === "failure" ? "" : "unknown"),
    bytesSent: request.bytesSent,
    bytesReceived: request.bytesReceived,
    dnsShare: openShare / 5,
    openShare,
    closeShare: first > 0 ? Math.max(1, requestMs(request) / first) : 1,
    ...(verdict && { verdict }),
  };
}

/** DECISION (API 2, Executions: what a request counts as that a script marked): in each iteration as what the probe iteration marked it, whatever the target would say. What was measured is repeated as it was. */
function verdictOf({ success, marked }: ScriptRequest, engine: string): ModelRequest["verdict"] {
  if (engine === "model" && marked === null) return undefined;
  return success ? "success" : "failure";
}

/** In a simulated run the target says how it answers; what was measured is repeated as it was. */
function answersOf(
  request: ScriptRequest,
  targets: readonly Target[],
  engine: string,
): Pick<ModelRequest, "latencyMs" | "errorRate" | "capacity"> {
  if (engine === "model") {
    const { latencyMs, errorRate, capacity } = targetOf(request.resource, targets);
    return { latencyMs, errorRate, capacity };
  }
  const took = request.firstReceivedMs ?? requestMs(request);
  return { latencyMs: { p50: took, p99: took }, errorRate: 0, capacity: null };
}

function customMetrics({ metrics }: ScriptRun): readonly ModelMetric[] {
  const counted = new Map<string, ModelMetric>();
  for (const { metricType, namespace, name, key, value, units } of metrics.filter(({ phase }) => phase === "main")) {
    const id = JSON.stringify([metricType, namespace, name, key, value]);
    const times = (counted.get(id)?.times ?? 0) + 1;
    counted.set(id, { metricType, namespace, name, key, value, units: units ?? "", times });
  }
  return [...counted.values()];
}
