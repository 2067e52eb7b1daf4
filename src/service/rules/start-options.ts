/** A browser or device of a run, with its share of the users. */
export interface RunDevice {
  readonly browser: string;
  readonly version: string;
  readonly device: string;
  readonly weight: number;
}

/** What only the call that starts a run says (API 2, Starting a run). */
export interface StartOptions {
  readonly kpis: readonly { readonly expr: string; readonly breakOnFail: boolean }[];
  readonly percentiles: readonly number[];
  readonly manualStart: boolean;
  readonly maxDurationSecs: number | null;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly onlyCaptureFailure: boolean;
  readonly devices: readonly RunDevice[];
  readonly testType: "Load" | "Functional" | "Monitor";
}

/** A run of which nothing else is said. */
export const standardStart: StartOptions = {
  kpis: [],
  percentiles: [50, 95, 99],
  manualStart: false,
  maxDurationSecs: null,
  note: null,
  tags: [],
  onlyCaptureFailure: false,
  devices: [],
  testType: "Load",
};
