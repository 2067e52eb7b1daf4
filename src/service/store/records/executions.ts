import type { CountsData } from "../../runs/run-counts.ts";
import type { PlannedKpi, RunControls, RunPlan } from "../../runs/run-plan.ts";
import type { Shape } from "../shape.ts";
import { flag, id, listOf, number, oneOf, orNull, record, shape, text, time } from "../shape.ts";
import type { Members, Stored } from "./stored.ts";
import { jsonText, stored } from "./stored.ts";

/** Users of a region that one runner makes. */
export interface ChunkRecord {
  readonly id: number;
  readonly agent: string | null;
  readonly concurrentClients: number;
}

export interface ExecutionRegionRecord {
  readonly id: number;
  readonly regionId: number | null;
  readonly regionName: string;
  readonly concurrentClients: number;
  readonly chunks: readonly ChunkRecord[];
}

/** A line of a run's log; its time is milliseconds from the start. */
interface RunLogRecord {
  readonly level: string;
  readonly message: string;
  readonly atMs: number;
}

/** One test of a suite in the probe iteration; times are milliseconds from its start. */
export interface RunTestRecord {
  readonly suiteUuid: string;
  readonly suiteName: string;
  readonly uuid: string;
  readonly name: string;
  readonly state: string;
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly errorType: string | null;
  readonly error: string | null;
  readonly errorTrace: string | null;
}

/** A file that the probe iteration wrote. */
export interface RunFileRecord {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** Base64. */
  readonly contents: string;
  readonly size: number;
  readonly atMs: number;
}

/** What the probe iteration left beside its requests, which the plan repeats. */
export interface ProbeRecord {
  readonly logs: readonly RunLogRecord[];
  readonly tests: readonly RunTestRecord[];
  readonly files: readonly RunFileRecord[];
  readonly durationMs: number;
  readonly failure: string | null;
}

/** What was counted in a region of a completed run. */
export interface RegionResults {
  readonly id: number;
  readonly counts: CountsData;
  readonly maxUsers: number;
  readonly iterations: readonly number[];
}

/** What was counted in a completed run. */
export interface RunResults {
  readonly regions: readonly RegionResults[];
  readonly maxUsers: number;
  /** Users when a trigger fired, or when a BreakingPoint run reached its end. */
  readonly breakingPoint: number | null;
  readonly stoppedBy: string | null;
}

/** queued: no runners yet; waiting: for its manual start; then running; then completed. */
type ExecutionPhase = "queued" | "waiting" | "running" | "completed";

export interface ExecutionRecord extends Stored {
  readonly configurationId: number;
  readonly phase: ExecutionPhase;
  readonly engine: "model" | "script" | "live";
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly cancelledByUser: boolean;
  readonly limitBreached: boolean;
  readonly success: boolean | null;
  readonly manualStart: boolean;
  /** How often it was read while it was queued. */
  readonly reads: number;
  readonly iterations: number | null;
  readonly iterationSleepSecs: number;
  readonly rampupSecs: number | null;
  readonly concurrentClients: number;
  readonly scriptParams: string;
  readonly tags: readonly string[];
  readonly percentiles: readonly number[];
  readonly note: string | null;
  readonly testType: string;
  readonly regions: readonly ExecutionRegionRecord[];
  readonly kpis: readonly PlannedKpi[];
  readonly maxDurationSecs: number | null;
  /** Null until its probe iteration has ended. */
  readonly plan: RunPlan | null;
  readonly probe: ProbeRecord | null;
  readonly controls: RunControls;
  readonly results: RunResults | null;
}

const share = shape("a number, at least 0", (value) => typeof value === "number" && value >= 0);
const timings = record({
  count: id,
  micros: number,
  squares: number,
  min: number,
  max: number,
  first: id,
  counts: listOf(id),
});
const counts = record({ iterations: id, resources: listOf(record({ timings, failures: id })) });
const request = record({
  resource: text,
  url: text,
  status: number,
  contentType: text,
  bytesSent: number,
  bytesReceived: number,
  pauseMs: share,
  dnsShare: share,
  openShare: share,
  closeShare: share,
  latencyMs: record({ p50: share, p99: share }),
  errorRate: share,
  capacity: orNull(record({ users: share, slope: share })),
});
const metric = record({ metricType: text, namespace: text, name: text, value: number, units: text, times: number });
const check = record({ metric: text, operator: text, threshold: number, timePeriod: text, valueType: text });
const flat = record({ rampupMs: share, durationMs: orNull(share), iterations: orNull(id) });
const stepped = record({ durationMs: share, startUsers: id, step: shape("at least 1", (value) => Number(value) >= 1) });
const profiles: Readonly<Record<string, Shape>> = {
  Flat: flat,
  Step: stepped,
  BreakingPoint: record({ durationMs: share }),
};
const profile: Shape = (value, at) => {
  const type = record({ type: oneOf(...Object.keys(profiles)) });
  return type(value, at) ?? profiles[String(Reflect.get(value as object, "type"))]?.(value, at);
};
const plan = record({
  seed: text,
  profile,
  sleepMs: shape("milliseconds, at least 1", (value) => typeof value === "number" && value >= 1),
  maxDurationMs: orNull(share),
  regions: listOf(record({ id, users: id, chunks: listOf(record({ id, users: id })) })),
  iteration: record({ requests: listOf(request), restMs: share, metrics: listOf(metric) }),
  checks: listOf(check),
  kpis: listOf(record({ expr: text, breakOnFail: flag })),
});
const test = record({
  suiteUuid: text,
  suiteName: text,
  uuid: text,
  name: text,
  state: text,
  startedMs: number,
  finishedMs: number,
  errorType: orNull(text),
  error: orNull(text),
  errorTrace: orNull(text),
});

const execution: Members<ExecutionRecord> = {
  ...stored,
  configurationId: id,
  phase: oneOf("queued", "waiting", "running", "completed"),
  engine: oneOf("model", "script", "live"),
  startedAt: orNull(time),
  finishedAt: orNull(time),
  cancelledByUser: flag,
  limitBreached: flag,
  success: orNull(flag),
  manualStart: flag,
  reads: id,
  iterations: orNull(number),
  iterationSleepSecs: number,
  rampupSecs: orNull(number),
  concurrentClients: number,
  scriptParams: jsonText,
  tags: listOf(text),
  percentiles: listOf(number),
  note: orNull(text),
  testType: text,
  regions: listOf(
    record({
      id,
      regionId: orNull(id),
      regionName: text,
      concurrentClients: number,
      chunks: listOf(record({ id, agent: orNull(text), concurrentClients: number })),
    }),
  ),
  kpis: listOf(record({ expr: text, breakOnFail: flag })),
  maxDurationSecs: orNull(number),
  plan: orNull(plan),
  probe: orNull(
    record({
      logs: listOf(record({ level: text, message: text, atMs: number })),
      tests: listOf(test),
      files: listOf(record({ id, name: text, type: text, contents: text, size: id, atMs: number })),
      durationMs: number,
      failure: orNull(text),
    }),
  ),
  controls: record({
    stoppedAtMs: orNull(number),
    extendedMs: number,
    added: listOf(record({ atMs: number, regionId: id, users: id })),
  }),
  results: orNull(
    record({
      regions: listOf(record({ id, counts, maxUsers: id, iterations: listOf(id) })),
      maxUsers: id,
      breakingPoint: orNull(id),
      stoppedBy: orNull(text),
    }),
  ),
};

/** API 1, Metric definition: a metric that scripts of a test case have reported by themselves. */
export interface MetricDefRecord extends Stored {
  readonly testCaseId: number;
  readonly namespace: string;
  readonly name: string;
  readonly metricType: string;
  readonly metricUnits: string;
}

const metricDef: Members<MetricDefRecord> = {
  ...stored,
  testCaseId: id,
  namespace: text,
  name: text,
  metricType: text,
  metricUnits: text,
};

/** What each record of these tables has. API 2, Executions. */
export const executionMembers = { execution, metricDef };
