import { flag, id, number, oneOf, orNull, record, type Shape, shape, text } from "../store/shape.ts";
import type { CustomMetric, ScriptFile, ScriptLog, ScriptPhase, ScriptRequest, ScriptTest } from "./script-run.ts";
import type { WorkerReport } from "./worker-task.ts";

const ms = orNull(number);
const phase = oneOf("init", "main", "teardown");
const bytes = shape("bytes", (value) => value instanceof Uint8Array);

/** Shapes of reports: a script that got hold of its worker could send anything. */
const shapes: Readonly<Record<WorkerReport["kind"], Shape>> = {
  log: record({ level: oneOf("Trace", "Debug", "Info", "Error", "Fatal"), message: text, atMs: number }),
  request: record({
    ...{ resource: text, url: text, method: text, connectionId: text, threadId: text, phase, startMs: number },
    ...{ connectionOpenMs: ms, firstSentMs: ms, lastSentMs: ms, firstReceivedMs: ms, lastReceivedMs: ms },
    ...{ connectionCloseMs: ms, status: orNull(id), contentType: orNull(text), bytesSent: id, bytesReceived: id },
    ...{ packetsSent: id, packetsReceived: id, error: orNull(text), traceStatus: orNull(text) },
    success: flag,
    marked: orNull(flag),
  }),
  metric: record({
    metricType: oneOf("Counter", "Timing", "Histogram", "Metered"),
    ...{ namespace: text, name: text, key: orNull(text), value: number, units: orNull(text), phase, atMs: number },
    ...{ resource: orNull(text), url: orNull(text) },
  }),
  test: record({
    ...{ suiteUuid: text, suiteName: text, uuid: text, name: text, state: oneOf("passed", "failed", "skipped") },
    ...{ startedMs: number, finishedMs: number, errorType: orNull(text), error: orNull(text) },
    errorTrace: orNull(text),
  }),
  file: record({ name: text, bytes, atMs: number }),
  failure: text,
  phase: record({ name: oneOf("init", "main", "teardown", "end"), atMs: number }),
  stripped: shape("texts", (value) => Array.isArray(value)),
};

const most = { logs: 1_200, requests: 10_000, metrics: 10_000, tests: 2_000, files: 100 };

/** The reports of a run's worker so far, in the order in which they came. */
export class Reports {
  readonly logs: ScriptLog[] = [];
  readonly metrics: CustomMetric[] = [];
  readonly tests: ScriptTest[] = [];
  readonly files: ScriptFile[] = [];
  readonly phases = new Map<ScriptPhase | "end", number>();
  readonly #requests = new Map<string, { readonly value: ScriptRequest; readonly order: number }>();
  failure: string | null = null;
  stripped: readonly string[] | undefined;

  /** Requests in the order of their start. */
  get requests(): readonly ScriptRequest[] {
    const all = [...this.#requests.values()].sort((left, right) => left.order - right.order);
    return all.map(({ value }) => value);
  }

  /** The latest moment that was heard of. */
  get lastMs(): number {
    const logs = this.logs.map(({ atMs }) => atMs);
    return Math.max(0, ...this.phases.values(), ...logs.slice(-1));
  }

  add(report: unknown): void {
    if (!isReport(report)) return;
    const { kind, value } = report;
    if (kind === "log") push(this.logs, value, most.logs);
    else if (kind === "metric") push(this.metrics, value, most.metrics);
    else if (kind === "test") push(this.tests, value, most.tests);
    else if (kind === "file") push(this.files, value, most.files);
    else if (kind === "phase") this.phases.set(value.name, value.atMs);
    else if (kind === "failure") this.failure ??= value;
    else if (kind === "stripped") this.stripped = value.map(String);
    else if (this.#requests.size < most.requests)
      this.#requests.set(value.connectionId, { value, order: Number(report.order) });
  }
}

function isReport(report: unknown): report is WorkerReport {
  if (typeof report !== "object" || report === null || !("kind" in report) || !("value" in report)) return false;
  const { kind } = report;
  return (
    typeof kind === "string" && Object.hasOwn(shapes, kind) && !shapes[kind as WorkerReport["kind"]](report.value, kind)
  );
}

function push<T>(list: T[], value: T, most: number): void {
  if (list.length < most) list.push(value);
}
