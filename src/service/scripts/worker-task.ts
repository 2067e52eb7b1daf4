import type { Target } from "../settings.ts";
import type {
  CustomMetric,
  ScriptFile,
  ScriptInput,
  ScriptLog,
  ScriptNetwork,
  ScriptPhase,
  ScriptRequest,
  ScriptTest,
} from "./script-run.ts";

/** A scenario that is run, JavaScript by now, and what it may reach. */
export interface ScenarioTask {
  readonly input: ScriptInput;
  readonly network: ScriptNetwork;
  readonly targets: readonly Target[];
  readonly allowedHosts: readonly string[];
}

/** Runs the texts of a scenario once each. */
export interface RunTask extends ScenarioTask {
  readonly kind: "run";
}

/** A user of a run whose load is really made. */
export interface LoadUser {
  readonly regionId: number;
  /** Its number in the region. */
  readonly user: number;
  /** When it starts, in milliseconds from the start of the run. */
  readonly startMs: number;
  /** `info` of its script, whole but for `iteration` and `outputDir`. */
  readonly info: ScriptInput["info"];
}

/** Makes the load of some users of a run: each repeats `main`. */
export interface LoadTask extends ScenarioTask {
  readonly kind: "load";
  readonly users: readonly LoadUser[];
  /** When the run began, as `performance.timeOrigin + performance.now()`. */
  readonly baseMs: number;
  readonly iterations: number | null;
  readonly sleepMs: number;
  /** From this moment on no iteration begins, in milliseconds from the start of the run. */
  readonly endMs: number;
}

/** An order to a worker that is making load. */
export type LoadOrder =
  | { readonly kind: "end"; readonly endMs: number }
  | { readonly kind: "users"; readonly users: readonly LoadUser[] };

/** A report of a worker that makes load; times are milliseconds from the start of the run, those of `reports` from that of the iteration. */
export type LoadReport =
  | { readonly kind: "alive" }
  | { readonly kind: "begins" | "leaves"; readonly regionId: number; readonly user: number; readonly atMs: number }
  | {
      readonly kind: "iteration";
      readonly phase: ScriptPhase;
      readonly regionId: number;
      readonly user: number;
      readonly iteration: number;
      readonly startMs: number;
      readonly endedMs: number;
      readonly reports: readonly WorkerReport[];
    }
  | { readonly kind: "ended" };

/** Makes JavaScript of TypeScript, or of a script with `import` and `export`. */
export interface StripTask {
  readonly kind: "strip";
  /** Where the transpiler lies. */
  readonly jiti: string;
  readonly sources: readonly ScriptSource[];
}

/** One of the three texts, under the name that its errors are located by. */
export interface ScriptSource {
  readonly name: string;
  readonly text: string;
  readonly isTyped: boolean;
}

/** The task of a worker, which it is given as its data. */
export type WorkerTask = RunTask | LoadTask | StripTask;

/** A report of a worker while it runs; times are milliseconds since the run began. */
export type WorkerReport =
  | { readonly kind: "log"; readonly value: ScriptLog }
  | { readonly kind: "request"; readonly value: ScriptRequest; readonly order: number }
  | { readonly kind: "metric"; readonly value: CustomMetric }
  | { readonly kind: "test"; readonly value: ScriptTest }
  | { readonly kind: "file"; readonly value: ScriptFile }
  | { readonly kind: "failure"; readonly value: string }
  | { readonly kind: "phase"; readonly value: { readonly name: ScriptPhase | "end"; readonly atMs: number } }
  | { readonly kind: "stripped"; readonly value: readonly string[] };
