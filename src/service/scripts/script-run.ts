import type { JsonValue } from "../../api/routes.ts";

/** Which of the three texts of a scenario did something. */
export type ScriptPhase = "init" | "main" | "teardown";

/** The network of a script: requests are answered by the targets given, by real hosts that are allowed, or not at all. */
export type ScriptNetwork = "simulated" | "loopback" | "deny";

/** A request that an iteration of a script made, as it was measured by itself (http, https, fetch, WebSocket, net, tls). */
export interface ScriptRequest {
  /** `METHOD url` without query: the resource of its results. */
  readonly resource: string;
  readonly url: string;
  readonly method: string;
  readonly connectionId: string;
  readonly threadId: string;
  readonly phase: ScriptPhase;
  /** Milliseconds since `main` began; negative in `init`. */
  readonly startMs: number;
  /** Milliseconds from the start of the request; null where it did not come so far. */
  readonly connectionOpenMs: number | null;
  readonly firstSentMs: number | null;
  readonly lastSentMs: number | null;
  readonly firstReceivedMs: number | null;
  readonly lastReceivedMs: number | null;
  readonly connectionCloseMs: number | null;
  readonly status: number | null;
  readonly contentType: string | null;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  /** Connected without error and, for HTTP, a status below 400, unless the script marked it otherwise. */
  readonly success: boolean;
  /** Result set by `markAsSuccess` or `markAsFailure`; null where neither was called. */
  readonly marked: boolean | null;
  readonly error: string | null;
  /** Text set by `setTraceStatus`. */
  readonly traceStatus: string | null;
}

/** A value that a script reported by itself: `results().counter(…)` and its like. */
export interface CustomMetric {
  readonly metricType: "Counter" | "Timing" | "Histogram" | "Metered";
  readonly namespace: string;
  readonly name: string;
  /** Bucket of a histogram, key of a metered value. */
  readonly key: string | null;
  readonly value: number;
  readonly units: string | null;
  readonly phase: ScriptPhase;
  /** Milliseconds since `main` began. */
  readonly atMs: number;
  readonly resource: string | null;
  readonly url: string | null;
}

/** A line of a script's log. */
export interface ScriptLog {
  readonly level: "Trace" | "Debug" | "Info" | "Error" | "Fatal";
  readonly message: string;
  /** Milliseconds since `main` began. */
  readonly atMs: number;
}

/** One `it` of a script. */
export interface ScriptTest {
  readonly suiteUuid: string;
  readonly suiteName: string;
  readonly uuid: string;
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly startedMs: number;
  readonly finishedMs: number;
  readonly errorType: string | null;
  readonly error: string | null;
  readonly errorTrace: string | null;
}

/** A file that a script wrote to `info.outputDir`. */
export interface ScriptFile {
  /** Path below the folder, with `/`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly atMs: number;
}

/** The record of one iteration of a script. */
export interface ScriptRun {
  /** Nothing was thrown, no request and no test failed, and nothing was logged as fatal. */
  readonly success: boolean;
  /** Milliseconds of `init`, of `main` (what an iteration takes) and of all that was run. */
  readonly initMs: number;
  readonly durationMs: number;
  readonly totalMs: number;
  readonly requests: readonly ScriptRequest[];
  readonly metrics: readonly CustomMetric[];
  readonly tests: readonly ScriptTest[];
  readonly logs: readonly ScriptLog[];
  readonly files: readonly ScriptFile[];
  /** Why the iteration ended before its end: what was thrown, a time or memory limit; null when it ended by itself. */
  readonly failure: string | null;
}

/** The texts of a script, and the data that it is run with. */
export interface ScriptInput {
  readonly main: string;
  readonly init: string | null;
  readonly teardown: string | null;
  readonly language: "javascript" | "typescript";
  readonly params: Readonly<Record<string, string>>;
  /** CSV files that `dataTable.open` finds, by name: the text. */
  readonly dataTables: Readonly<Record<string, string>>;
  /** Answers `info`, whole but for `outputDir`. */
  readonly info: { readonly [name: string]: JsonValue };
  /** Epoch milliseconds at which the run begins, with `init`. */
  readonly startedAt: number;
  /** Makes draws and uuids. */
  readonly seed: string;
}
