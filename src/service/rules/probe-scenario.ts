import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ScriptRun } from "../scripts/script-run.ts";
import type { ConfigurationRecord } from "../store/records/configurations.ts";

/** What became of the probe iteration; a scenario whose type cannot be run here has none. */
export interface ProbeOutcome {
  readonly run: ScriptRun | undefined;
}

/** The probe iteration of a run: what became of it, or the work that it takes. */
export function probeScenario(
  _configuration: ConfigurationRecord,
  _given: Readonly<Record<string, JsonValue>>,
  _scope: Scope,
): ProbeOutcome | (() => Promise<ScriptRun>) {
  return { run: undefined };
}
