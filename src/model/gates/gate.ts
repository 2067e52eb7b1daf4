import type { FigureName, Kpi } from "./kpi.ts";
import { amountIn } from "./metric.ts";

/** A KPI of a gate, read. */
export interface GateKpi {
  /** As it was written. */
  readonly expr: string;
  readonly kpi: Kpi;
  readonly breakOnFail: boolean;
  /** It is the command line's, not the gate's: no run is chosen as a baseline by it. */
  readonly isAsked?: true;
  /** Glob of `METHOD URL`; absent: the whole run. */
  readonly resource?: string;
}

/** How much worse a figure may be: `+10%`. All conditions of a figure must be exceeded. */
export interface Allowance {
  /** 1: greater is worse. */
  readonly sign: 1 | -1;
  readonly amount: number;
  /** `%` of the baseline, `pp` percentage points; absent: the unit of the metric. */
  readonly unit?: "%" | "pp" | "ms" | "s" | "bytes";
}

/** A figure that may not be worse than the baseline's. */
export interface NoWorse {
  /** As it was written. */
  readonly metric: string;
  readonly figure: FigureName;
  readonly allowances: readonly Allowance[];
}

/** The run, or runs, that a run is compared with. */
export type Baseline =
  | { readonly is: "previous" | "none" }
  | { readonly is: "last"; readonly count: number }
  | { readonly is: "tag"; readonly tag: string }
  | { readonly is: "execution"; readonly id: number };

/** All that is asked of a run of one configuration. */
export interface Gate {
  readonly name: string;
  /** Address of the configuration. */
  readonly address: string;
  readonly kpis: readonly GateKpi[];
  readonly noWorse: readonly NoWorse[];
  readonly baseline: Baseline;
  readonly minimumRequests: number;
  readonly tags: readonly string[];
  /** Wait for the end of the run, in seconds. */
  readonly waitSecs?: number;
  /** The run may end before 90 % of its planned time. */
  readonly mayEndEarly: boolean;
  /** A variable of the environment that it uses is not set: nobody knows what it asks, so nothing is judged by it. */
  readonly isUnset?: true;
}

/** What is asked of a run without a gate. */
export function plainGate(address: string): Omit<Gate, "name"> {
  const baseline = { is: "previous" } as const;
  return { address, kpis: [], noWorse: [], baseline, minimumRequests: 1, tags: [], mayEndEarly: false };
}

/** Reads an allowance such as `+10%`, `-0.5pp`, `+20ms`, `5`; undefined for anything else. A bare number is greater: YAML reads `+5` as 5. */
export function readAllowance(text: string): Allowance | undefined {
  const match = /^\s*([-+]?)(\d+(?:\.\d+)?|\.\d+)\s*(%|pp|ms|s|bytes)?\s*$/.exec(text);
  if (match === null) return undefined;
  const [, sign, amount, unit] = match;
  if ((sign === "" && unit !== undefined) || !Number.isFinite(Number(amount))) return undefined;
  return { sign: sign === "-" ? -1 : 1, amount: Number(amount), ...(unit !== undefined && { unit: unit as "%" }) };
}

/** Why the unit of an allowance does not fit a figure of this unit; undefined where it does. */
export function misfit({ amount, unit }: Allowance, figure: string | null): string | undefined {
  if (unit === "%" || amountIn(amount, unit === "pp" ? "%" : unit, figure) !== undefined) return undefined;
  const own: Readonly<Record<string, string>> = { "%": "pp", ms: "ms or s", s: "ms or s", bytes: "bytes" };
  const expected = figure === null ? "none" : (own[figure] ?? "none");
  return `found the unit ${unit}; expected ${expected} for this figure, or % of the baseline's`;
}
