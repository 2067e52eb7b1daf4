import type { IterationModel, ModelMetric, ModelRequest } from "../runs/run-plan.ts";
import type { ScriptRequest, ScriptRun } from "../scripts/script-run.ts";
import type { Settings, Target } from "../settings.ts";
import { standardTarget } from "../settings.ts";

/** What the run of an execution repeats for every user: what its probe iteration did. */
export function modelIteration(
  probe: ScriptRun,
  { targets }: Settings,
  engine: "model" | "script" | "live",
): IterationModel {
  const requests = probe.requests
    .filter(({ phase }) => phase === "main")
    .sort((left, right) => left.startMs - right.startMs);
  let ended = 0;
  const modelled = requests.map((request): ModelRequest => {
    const pauseMs = Math.max(0, request.startMs - ended);
    ended = Math.max(ended, request.startMs + durationOf(request));
    return { ...figuresOf(request), ...answersOf(request, targets, engine), pauseMs };
  });
  return { requests: modelled, restMs: Math.max(0, probe.durationMs - ended), metrics: customMetrics(probe) };
}

/** What the run of a scenario repeats whose type cannot be run here: one request of an iteration. */
export function unrunnableIteration(scriptType: string, { targets }: Settings): IterationModel {
  const resource = `GET http://${scriptType.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.test/`;
  const { latencyMs, errorRate, capacity } = targetOf(resource, targets);
  const request = { ...plain, resource, url: resource.slice(4), latencyMs, errorRate, capacity, pauseMs: 0 };
  return { requests: [request], restMs: 0, metrics: [] };
}

/** What a run repeats whose probe iteration failed: that failure. */
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

function durationOf({ connectionCloseMs, firstReceivedMs }: ScriptRequest): number {
  return Math.max(connectionCloseMs ?? 0, firstReceivedMs ?? 0);
}

function figuresOf(request: ScriptRequest): Omit<ModelRequest, "pauseMs" | "latencyMs" | "errorRate" | "capacity"> {
  const first = request.firstReceivedMs ?? durationOf(request);
  const openShare = first > 0 ? Math.min(1, (request.connectionOpenMs ?? 0) / first) : 0;
  return {
    resource: request.resource,
    url: request.url,
    status: request.success ? (request.status ?? 200) : 200,
    contentType: request.contentType ?? "unknown",
    bytesSent: request.bytesSent,
    bytesReceived: request.bytesReceived,
    dnsShare: openShare / 5,
    openShare,
    closeShare: first > 0 ? Math.max(1, durationOf(request) / first) : 1,
  };
}

/** In a simulated run the target says how it answers; what was measured is repeated as it was. */
function answersOf(
  request: ScriptRequest,
  targets: readonly Target[],
  engine: string,
): Pick<ModelRequest, "latencyMs" | "errorRate" | "capacity"> {
  if (engine === "model") return targetOf(request.resource, targets);
  const took = request.firstReceivedMs ?? durationOf(request);
  return { latencyMs: { p50: took, p99: took }, errorRate: request.success ? 0 : 1, capacity: null };
}

function targetOf(
  resource: string,
  targets: readonly Target[],
): Pick<ModelRequest, "latencyMs" | "errorRate" | "capacity"> {
  const { latencyMs, errorRate, capacity } = targets.find(({ match }) => matches(match, resource)) ?? standardTarget;
  return { latencyMs, errorRate, capacity };
}

/** Whether `METHOD url` is as a pattern says in which `*` is anything. */
function matches(pattern: string, resource: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i").test(resource);
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
