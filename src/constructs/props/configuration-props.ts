// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Declared } from "../declared.ts";
import type { Expression } from "../expressions.ts";

/** Where to run: a provider and its regions. */
interface ConfigurationProvidersItem {
  /** The provider of test runners. A key under `providers`, `{ id }` or `{ name }`. */
  readonly provider: Declared<"provider"> | string | { readonly id: number } | { readonly name: string };
  /** Regions to run in. */
  readonly regions?: readonly (Declared<"region"> | string)[] | null;
  /** How many regions. Default: as many as are named. */
  readonly numRegions?: number | Expression | null;
  /** Users per region. Default: the configuration's. */
  readonly concurrentClients?: number | Expression | null;
  /** How users are split: a number for each region. Or one number for all. */
  readonly weight?: number | Expression | readonly (number | Expression)[] | null;
  /** Further parameters, passed through. */
  readonly params?: Readonly<Record<string, string | number | boolean>> | null;
}

/** One condition; any satisfied one fires the trigger. */
interface ConfigurationTriggersItemConditionsItem {
  /** Metric to watch. */
  readonly metric: string;
  /** Part of the metric: a percentile, a bucket. */
  readonly metricKey?: string | null;
  /** How to compare. */
  readonly operator: "GT" | "GTE" | "LT" | "LTE" | "EQ" | "NEQ" | Expression;
  /** Value to compare with. */
  readonly threshold: number | Expression;
  /** The period to watch. */
  readonly timePeriod?: "LastMinute" | "Execution" | Expression | null;
  /** The value itself, or its change. */
  readonly valueType?: "Absolute" | "ChangeFromLastMinute" | "ChangeFromHistory" | Expression | null;
  /** A bucket's share, or a relative change. Default: false. */
  readonly isPercentage?: boolean | Expression | null;
}

/** What to do. */
interface ConfigurationTriggersItemActionsItem {
  /** Only StopExecution is supported. */
  readonly actionType: string;
}

/** Any one satisfied condition fires the trigger. */
interface ConfigurationTriggersItem {
  /** What fires the trigger: any one of these that is satisfied. */
  readonly conditions: readonly ConfigurationTriggersItemConditionsItem[];
  /** What to do when a condition holds. */
  readonly actions: readonly ConfigurationTriggersItemActionsItem[];
}

/** A test configuration: how many virtual users run a scenario, how long, from where, and what stops it. */
export interface ConfigurationProps {
  /** Name of the configuration. Default: the key. */
  readonly name?: string | null;
  /** The scenario to run. A key in the same test case, or `otherCase/key`. */
  readonly scenario: Declared<"scenario"> | string | { readonly id: number } | { readonly name: string };
  /** Load profile. Flat keeps a number of users, Step adds users in steps, BreakingPoint raises them until a trigger fires. Default: "Flat". */
  readonly profileType?: "Flat" | "Step" | "BreakingPoint" | Expression | null;
  /** Users per region; the final count for Step. */
  readonly concurrentClients?: number | Expression | null;
  /** How long to run. Either this or iterations. In seconds. */
  readonly durationSecs?: number | Expression | null;
  /** Iterations per user; Flat only. Either this or durationSecs. */
  readonly iterations?: number | Expression | null;
  /** Pause between iterations. In seconds. Default: 10. */
  readonly iterationSleepSecs?: number | Expression | null;
  /** Time to reach all users; Flat only. In seconds. Default: 60. */
  readonly rampupSecs?: number | Expression | null;
  /** Users at the start; Step only. */
  readonly startConcurrentClients?: number | Expression | null;
  /** Users added per step; Step only, at most 50 steps. */
  readonly step?: number | Expression | null;
  /** Test runners: providers and their regions. */
  readonly providers: readonly ConfigurationProvidersItem[];
  /** Parameters for the script. A mapping, or JSON text. Default: {}. */
  readonly scriptParams?: Readonly<Record<string, string | number | boolean>> | string | null;
  /** What screenshots are compared with. Default: "None". */
  readonly imageDiffMode?: "None" | "PreviousExecution" | "ScenarioBaseline" | Expression | null;
  /** Breaking points: when to stop a run. Required for BreakingPoint. */
  readonly triggers?: readonly ConfigurationTriggersItem[] | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?:
    | readonly (
        | "name"
        | "scenario"
        | "profileType"
        | "concurrentClients"
        | "durationSecs"
        | "iterations"
        | "iterationSleepSecs"
        | "rampupSecs"
        | "startConcurrentClients"
        | "step"
        | "providers"
        | "scriptParams"
        | "imageDiffMode"
        | "triggers"
      )[]
    | null;
}
