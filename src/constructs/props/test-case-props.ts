// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { Declared, FieldOf } from "../declared.ts";
import type { Expression } from "../expressions.ts";

/** A test case: the scenarios, configurations, gateways and data of one load test. */
export interface TestCaseProps {
  /** Name of the test case, unique within the account. Default: the key. */
  readonly name?: string | null;
  /** What the test case is for, in Markdown. */
  readonly description?: string | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** What happens to objects under this one that the project does not declare. Default: "keep". */
  readonly unmanaged?: "keep" | "delete" | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<TestCaseProps>[] | null;
}

/** A gateway: the proxy in front of a site through which traffic is recorded into a scenario. */
export interface GatewayProps {
  /** Name of the gateway. Default: the key. */
  readonly name?: string | null;
  /** Base URL of the site behind the gateway. Cannot change in place: a change replaces the gateway and its recordings. */
  readonly url: string;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<GatewayProps>[] | null;
}

/** One parameter that the script takes. */
interface ScenarioParamsConfigItem {
  /** Name of the parameter. */
  readonly name: string;
  /** Whether a run must set it. Default: false. */
  readonly required?: boolean | Expression | null;
  /** Value when a run sets none; write-only when encrypted. */
  readonly defaultValue?: string | number | boolean | null;
  /** Whether its values are secret. Default: false. */
  readonly encrypted?: boolean | Expression | null;
}

/** A scenario: the script that each virtual user runs. */
export interface ScenarioProps {
  /** Name of the scenario. Default: the key. */
  readonly name?: string | null;
  /** The script's text, run once per iteration. Usually a file. */
  readonly script: string;
  /** Script run once at the start. */
  readonly init?: string | null;
  /** Script run once at the end. */
  readonly teardown?: string | null;
  /** Type of the script; Code is a Node.js script. Default: "Code". */
  readonly scriptType?: string | null;
  /** Language of a Code script. Default: "javascript". */
  readonly language?: "javascript" | "typescript" | Expression | null;
  /** Node.js version of a Code script. Default: "latest". */
  readonly nodeVersion?: "14" | "18" | "22" | "latest" | Expression | null;
  /** Parameters that the script takes. */
  readonly paramsConfig?: readonly ScenarioParamsConfigItem[] | null;
  /** Tags that label the results of runs. */
  readonly tags?: readonly (Declared<"tag"> | string)[] | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<ScenarioProps>[] | null;
}

/** A data store: a file, mostly CSV, whose rows a scenario reads. Bytes are kept exactly. */
export interface DataStoreProps {
  /** File name; its extension decides the type. Unique within the scenario. Default: the key. */
  readonly name?: string | null;
  /** The file's contents. Usually a file of the project, read as bytes. */
  readonly contents: string;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<DataStoreProps>[] | null;
}

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
  readonly ignore?: readonly FieldOf<ConfigurationProps>[] | null;
}

/** A window in which scheduled runs are skipped. */
interface ScheduleExclusionsItem {
  /** How often the window comes. */
  readonly recurringInterval: "Month" | "Week" | "WeekDay" | "Day" | "Hour" | Expression;
  /** First day of the month. */
  readonly startDay?: number | Expression | null;
  /** Last day of the month. */
  readonly endDay?: number | Expression | null;
  /** First day of the week; 1 is Monday. */
  readonly startDayOfWeek?: number | Expression | null;
  /** Last day of the week; 1 is Monday. */
  readonly endDayOfWeek?: number | Expression | null;
  /** Hour at which it starts, UTC. Default: 0. */
  readonly startHour?: number | Expression | null;
  /** Hour at which it ends, UTC. Default: 0. */
  readonly endHour?: number | Expression | null;
  /** Minute at which it starts. Default: 0. */
  readonly startMinute?: number | Expression | null;
  /** Minute at which it ends. Default: 0. */
  readonly endMinute?: number | Expression | null;
}

/** A schedule: when a configuration runs by itself, once or again and again. All times are UTC. */
export interface ScheduleProps {
  /** Once, or again and again. */
  readonly scheduleType: "Single" | "Recurring" | Expression;
  /** When a Single schedule runs: ISO 8601, or epoch milliseconds. Once it has run it is spent and never sent again. */
  readonly nextScheduled?: string | number | Date | null;
  /** How often a Recurring schedule runs. */
  readonly recurringInterval?: "Minute" | "Hour" | "WeekDay" | "Day" | "Week" | "Month" | Expression | null;
  /** Minute of the hour; for Minute, the period in minutes. Default: 0. */
  readonly minute?: number | Expression | null;
  /** Hour of the day, UTC; for Hour, the period in hours. */
  readonly hour?: number | Expression | null;
  /** Period in weeks. Default: 1. */
  readonly week?: number | Expression | null;
  /** Day of the week; 1 is Monday. */
  readonly dayOfWeek?: number | Expression | null;
  /** Period in months. Default: 1. */
  readonly month?: number | Expression | null;
  /** Day of the month; past its end means its last day. Default: 1. */
  readonly day?: number | Expression | null;
  /** Windows in which runs are skipped. */
  readonly exclusions?: readonly ScheduleExclusionsItem[] | null;
  /** false pauses a Recurring schedule. Default: true. */
  readonly active?: boolean | Expression | null;
  /** Never destroy this object. Default: false. */
  readonly protect?: boolean | Expression | null;
  /** Fields of which drift is left alone. */
  readonly ignore?: readonly FieldOf<ScheduleProps>[] | null;
}
