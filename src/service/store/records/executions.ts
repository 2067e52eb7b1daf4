import type { MeasuredData } from "../../runs/measured-data.ts";
import type { CountsData } from "../../runs/run-counts.ts";
import type { PlannedKpi, RunControls, RunPlan } from "../../runs/run-plan.ts";
import { flag, id, listOf, oneOf, optional, orNull, record, shape, text, time } from "../shape.ts";
import { controls, counts, kpis, measured, plan, probe, share, users } from "./run-shapes.ts";
import { jsonText, type Members, type Stored, stored } from "./stored.ts";

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
export interface RunLogRecord {
  readonly level: string;
  readonly message: string;
  readonly atMs: number;
  readonly of?: IterationPlace;
}

/** Which iteration something is of, where it is not the probe iteration: that of client 0 in the first region. */
export interface IterationPlace {
  readonly regionId: number;
  readonly user: number;
  readonly iteration: number;
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
  readonly of?: IterationPlace;
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
  readonly of?: IterationPlace;
}

/** Logs, tests and files of the probe iteration, whose requests are in the plan; or those of all iterations of a run that was really made. */
export interface ProbeRecord {
  readonly logs: readonly RunLogRecord[];
  readonly tests: readonly RunTestRecord[];
  readonly files: readonly RunFileRecord[];
  readonly durationMs: number;
  readonly failure: string | null;
}

/** Counts of a region of a completed run. */
export interface RegionResults {
  readonly id: number;
  readonly counts: CountsData;
  readonly maxUsers: number;
  readonly iterations: readonly number[];
}

/** Counts of a completed run. */
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
  /** Number of times that it was read while it was queued. */
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
  /** API 2, Common parameters: traces of failed requests only. Absent in older states: no. */
  readonly onlyCaptureFailure?: boolean;
  /** The moment up to which it was carried through on a clock of its own; absent: it has none. */
  readonly ownClock?: string;
  /** Measurements of a completed run whose load was really made; absent elsewhere. */
  readonly measured?: MeasuredData;
}

const percentile = shape("a number from 0 to 100", (value) => typeof value === "number" && value >= 0 && value <= 100);

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
  iterations: orNull(id),
  iterationSleepSecs: share,
  rampupSecs: orNull(share),
  concurrentClients: users,
  scriptParams: jsonText,
  tags: listOf(text),
  percentiles: listOf(percentile),
  note: orNull(text),
  testType: text,
  regions: listOf(
    record({
      id,
      regionId: orNull(id),
      regionName: text,
      concurrentClients: users,
      chunks: listOf(record({ id, agent: orNull(text), concurrentClients: users })),
    }),
  ),
  kpis,
  maxDurationSecs: orNull(share),
  plan: orNull(plan),
  probe: orNull(probe),
  controls,
  results: orNull(
    record({
      regions: listOf(record({ id, counts, maxUsers: id, iterations: listOf(id) })),
      maxUsers: id,
      breakingPoint: orNull(id),
      stoppedBy: orNull(text),
    }),
  ),
  onlyCaptureFailure: optional(flag),
  measured: optional(measured),
  ownClock: optional(time),
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

/** Members of the records of these tables. API 2, Executions. */
export const executionMembers = { execution, metricDef };
