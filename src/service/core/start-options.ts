import type { Scope } from "./scope.ts";

/** A key performance indicator of a run (API 2, KPIs). */
export interface StartKpi {
  readonly expr: string;
  /** The run stops as soon as it fails. */
  readonly breakOnFail: boolean;
}

/**
 * Options that only the start of a run has, not its configuration (API 2, Common parameters). DECISION (API 2, Common parameters:
 * platform, reassign_on_fail, assertions_*, devices, source_repo_*): they are checked and not kept, for the runs of this service have no
 * browsers, platforms and assertions.
 */
export interface StartOptions {
  readonly testType: "Load" | "Functional" | "Monitor";
  readonly kpis: readonly StartKpi[];
  readonly percentiles: readonly number[];
  readonly manualStart: boolean;
  readonly maxDurationSecs: number | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly onlyCaptureFailure: boolean;
}

/** A run of which nothing else is said: what a start by schedule or by a configuration's route takes. */
const standard: StartOptions = {
  testType: "Load",
  kpis: [],
  percentiles: [50, 95, 99],
  manualStart: false,
  maxDurationSecs: null,
  note: null,
  tags: [],
  onlyCaptureFailure: false,
};

/** Options of a start in this organization of which nothing else is said (API 2, Common parameters: only_capture_failure). */
export function standardStart(organizationId: number | undefined, { store }: Pick<Scope, "store">): StartOptions {
  const settings = store.get("organization", organizationId ?? -1)?.settings ?? {};
  return { ...standard, onlyCaptureFailure: flagOf(settings["onlyCaptureFailure"]) ?? standard.onlyCaptureFailure };
}

function flagOf(setting: string | undefined): boolean | undefined {
  return setting === undefined ? undefined : setting === "true";
}
