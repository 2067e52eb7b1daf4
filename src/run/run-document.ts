import type { Redact } from "../model/redact.ts";

/** The end of a run as loadform judges it: `unknown` was not seen to its end, `error` could not be started or read. */
export type Verdict = "passed" | "failed" | "stopped" | "error" | "unknown";

/** One KPI of a gate, judged over the whole run. */
export interface KpiVerdict {
  /** As it was written. */
  readonly expr: string;
  /** The resources that it is about, where it names any. */
  readonly resource?: string;
  /** In the unit of the metric; the worst of several resources; null where it was not measured. */
  readonly value: number | null;
  /** `ms`, `%`, `bytes`, or null for a plain number. */
  readonly unit: string | null;
  readonly ok: boolean;
}

/** One metric that may not be worse than in the baseline. */
export interface NoWorseVerdict {
  readonly metric: string;
  readonly value: number | null;
  readonly baseline: number | null;
  /** Value less baseline, in the unit of the metric; of a bucket in percentage points. */
  readonly change: number | null;
  /** Null without a baseline. */
  readonly ok: boolean | null;
}

/** The figures of a run; null where they were not measured. */
export interface RunSummary {
  readonly requests: number | null;
  readonly failures: number | null;
  readonly failedPercent: number | null;
  readonly requestsPerSec: number | null;
  readonly usersPlanned: number | null;
  readonly usersPeak: number | null;
  readonly durationSecs: number | null;
  readonly responseTimeMs: ResponseTimes;
}

/** Figures of `firstReceivedMs`, in milliseconds. */
type ResponseTimes = Readonly<Record<"mean" | "min" | "max" | "p50" | "p95" | "p99", number | null>>;

/** One run with its verdict; it is one entry of `run --json`. */
export interface JudgedRun {
  /** Absent for a configuration without a gate. */
  readonly gate?: string;
  /** Address of the configuration. */
  readonly address: string;
  /** Id of the execution; null where none was started. */
  readonly execution: number | null;
  /** No request was sent: the figures are modelled. */
  readonly simulated: boolean;
  /** What ran is not what is declared (`--stale-ok`). */
  readonly stale?: true;
  readonly warnings: readonly string[];
  /** ISO 8601. */
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly verdict: Verdict;
  /** Sentences that say why it did not pass. */
  readonly reasons: readonly string[];
  readonly kpis: readonly KpiVerdict[];
  readonly noWorse: readonly NoWorseVerdict[];
  readonly summary: RunSummary;
  /** Ids of the executions that it was compared with. */
  readonly baseline?: readonly number[];
}

/** The document of `run --json` and `report --json` (schemas/run.schema.json). */
export interface RunDocument {
  readonly warnings: readonly string[];
  readonly runs: readonly JudgedRun[];
  readonly summary: Readonly<Record<Verdict, number>>;
}

/** All that the outputs beside `--json` are made of: the warnings of the whole command, and its runs with their details. */
export interface RunResults {
  readonly warnings: readonly string[];
  readonly runs: readonly RunDetails[];
}

/** A span of a run that the service measured; null where nothing was. */
export interface RunInterval {
  /** Its begin, in milliseconds since the start of the run. */
  readonly at: number;
  readonly seconds: number;
  readonly users: number | null;
  readonly requests: number | null;
  readonly requestsPerSec: number | null;
  readonly failures: number | null;
  readonly failedPercent: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** All that a page about one run shows beside its verdict; a list is empty where it could not be read. */
export interface RunDetails {
  readonly run: JudgedRun;
  readonly intervals: readonly RunInterval[];
  readonly regions: readonly { readonly name: string; readonly intervals: readonly RunInterval[] }[];
  readonly resources: readonly ResourceFigures[];
  /** Response codes of 400 and more, with how often they were answered. */
  readonly responseCodes: readonly { readonly code: string; readonly count: number }[];
  /** Log lines of level Error or Fatal, with how often they were written. */
  readonly logLines: readonly { readonly level: string; readonly message: string; readonly count: number }[];
  /** The reasons among those of `run` that no check has: it failed by itself, or ended early. */
  readonly ownReasons?: readonly string[];
  /** The fewest requests that a run must have measured to be judged by its figures, by its gate. */
  readonly minimum: number;
  /** The unit of each entry of `run.noWorse`, in their order, as `KpiVerdict.unit`. */
  readonly noWorseUnits: readonly (string | null)[];
  /** Figures of the baseline, where the run was compared with one. */
  readonly baseline?: RunSummary;
  /** Hash of the script that ran, and the commit of the project; for runs that this command started. */
  readonly origin?: { readonly scriptSha256?: string; readonly commit?: string };
  /** The line of each KPI of the gate in the project's files, in the order of `run.kpis`; undefined where it came from a flag. */
  readonly places?: readonly ({ readonly file: string; readonly line: number; readonly column: number } | undefined)[];
}

/** One resource of a run. */
export interface ResourceFigures {
  /** `GET https://shop.example.com/`. */
  readonly name: string;
  readonly requests: number | null;
  readonly failedPercent: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/** A value with secrets taken out of every text in it. */
export function redactTexts<T>(value: T, redact: Redact): T {
  if (typeof value === "string") return redact(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => redactTexts(each, redact)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactTexts(each, redact)])) as T;
}
