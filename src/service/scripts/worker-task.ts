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

/** Runs the texts of a scenario, JavaScript by now. */
export interface RunTask {
  readonly kind: "run";
  readonly input: ScriptInput;
  readonly network: ScriptNetwork;
  readonly targets: readonly Target[];
  readonly allowedHosts: readonly string[];
}

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

/** What a worker is given as its data. */
export type WorkerTask = RunTask | StripTask;

/** What a worker reports as it goes; times are milliseconds since the run began. */
export type WorkerReport =
  | { readonly kind: "log"; readonly value: ScriptLog }
  | { readonly kind: "request"; readonly value: ScriptRequest; readonly order: number }
  | { readonly kind: "metric"; readonly value: CustomMetric }
  | { readonly kind: "test"; readonly value: ScriptTest }
  | { readonly kind: "file"; readonly value: ScriptFile }
  | { readonly kind: "failure"; readonly value: string }
  | { readonly kind: "phase"; readonly value: { readonly name: ScriptPhase | "end"; readonly atMs: number } }
  | { readonly kind: "stripped"; readonly value: readonly string[] };
