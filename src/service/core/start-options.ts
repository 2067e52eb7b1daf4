import type { Scope } from "./scope.ts";

/** A key performance indicator of a run (API 2, KPIs). */
export interface StartKpi {
  readonly expr: string;
  /** The run stops as soon as it fails. */
  readonly breakOnFail: boolean;
}

/** A browser or device that a run uses, with its relative weight (API 2, Browser/device list). */
export interface StartDevice {
  readonly browser: string;
  readonly version: string;
  /** Name of a device, or JSON text that describes one. */
  readonly device: string;
  readonly weight: number;
}

/** Options that only the start of a run has, not its configuration (API 2, Common parameters). */
export interface StartOptions {
  readonly testType: "Load" | "Functional" | "Monitor";
  readonly kpis: readonly StartKpi[];
  readonly percentiles: readonly number[];
  readonly manualStart: boolean;
  readonly maxDurationSecs: number | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly onlyCaptureFailure: boolean;
  readonly devices: readonly StartDevice[];
  readonly platform?: string;
  readonly reassignOnFail?: boolean;
  /** Assertions whose names match one of these do not count. */
  readonly assertionsExclusionPatterns?: readonly string[];
  readonly assertionsExcludeSkips?: boolean;
  /** Where the scenario's source is kept: recorded, not cloned. */
  readonly source?: { readonly url: string | null; readonly branch: string | null; readonly commit: string | null };
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
  devices: [],
};

/** The same in one organization (API 2, Common parameters: only_capture_failure, reassign_on_fail: default from organization settings). */
export function standardStart(organizationId: number | undefined, { store }: Pick<Scope, "store">): StartOptions {
  const settings = store.get("organization", organizationId ?? -1)?.settings ?? {};
  const reassignOnFail = flagOf(settings["reassignOnFail"]);
  const onlyCaptureFailure = flagOf(settings["onlyCaptureFailure"]) ?? standard.onlyCaptureFailure;
  return { ...standard, onlyCaptureFailure, ...(reassignOnFail === undefined ? {} : { reassignOnFail }) };
}

function flagOf(setting: string | undefined): boolean | undefined {
  return setting === undefined ? undefined : setting === "true";
}
