// Generated from src/kinds by scripts/generate.js; a test compares it.
import type { JsonObject } from "../../model/json.ts";
import type { Expression } from "../expressions.ts";
import type { ProviderProps, RegionProps, TagProps, VcsRootProps } from "./organization-props.ts";
import type {
  ConfigurationProps,
  DataStoreProps,
  GatewayProps,
  ScenarioProps,
  ScheduleProps,
  TestCaseProps,
} from "./test-case-props.ts";

/** How the key ($LOADFORM_API_KEY) is sent. Default: `header: X-Api-Key`. */
interface AppServiceAuth {
  /** Header that carries the key. */
  readonly header?: string | null;
  /** Query parameter that carries the key. */
  readonly query?: string | null;
}

/** Time to the first byte. Default: `{ p50: 50, p99: 200 }`. */
interface AppServiceTargetsItemLatencyMs {
  /** Median. In milliseconds. */
  readonly p50: number | Expression;
  /** 99th percentile. In milliseconds. */
  readonly p99: number | Expression;
}

/** Load beyond which it gets slower. Default: none. */
interface AppServiceTargetsItemCapacity {
  /** Users at once that it serves without delay. */
  readonly users: number | Expression;
  /** Growth of latency and failures for each share of users above. */
  readonly slope: number | Expression;
}

/** One target. */
interface AppServiceTargetsItem {
  /** Requests that it answers: `METHOD url`, each with `*` for anything, in any case of letters. */
  readonly match: string;
  /** Time to the first byte. Default: `{ p50: 50, p99: 200 }`. */
  readonly latencyMs?: AppServiceTargetsItemLatencyMs | null;
  /** Share of requests that fail. Default: 0. */
  readonly errorRate?: number | Expression | null;
  /** Load beyond which it gets slower. Default: none. */
  readonly capacity?: AppServiceTargetsItemCapacity | null;
}

/** The service that this project is applied to. */
interface AppService {
  /** Where the service is. `memory:FILE` is the bundled service, stored in that file; `memory:` alone stores nothing; http(s) is a live one. $LOADFORM_URL overrides it. */
  readonly url?: string | null;
  /** Id or name of the organization. Default: the only one of the key. */
  readonly organization?: string | number | boolean | null;
  /** How the key ($LOADFORM_API_KEY) is sent. Default: `header: X-Api-Key`. */
  readonly auth?: AppServiceAuth | null;
  /** The environment variable with the key. Default: $LOADFORM_API_KEY. From `${env:…}` only. */
  readonly apiKey?: Expression | null;
  /** Answers to the requests of runs that the bundled service simulates; only with a `memory:` url. The first target whose `match` fits counts. Default: 50 ms, and nothing fails. */
  readonly targets?: readonly AppServiceTargetsItem[] | null;
}

/** Where the state is stored: a path, or a backend. Default: .loadform/state.json. */
interface AppState {
  /** Where the state is stored. */
  readonly backend: "local" | "http" | "postgres" | "git" | "s3" | Expression;
  /** local: the file. git: the file on the branch. Default there: <project>[.ENV].json. */
  readonly path?: string | null;
  /** http: URL of the state. */
  readonly address?: string | null;
  /** http: URL of the lock. */
  readonly lockAddress?: string | null;
  /** http: URL that unlocks. */
  readonly unlockAddress?: string | null;
  /** http: how to lock. Default: LOCK, or POST where the URL ends in /lock. */
  readonly lockMethod?: string | null;
  /** http: how to unlock. Default: UNLOCK, or DELETE where the URL ends in /lock. */
  readonly unlockMethod?: string | null;
  /** http: user name. */
  readonly username?: string | null;
  /** postgres: connection string, from `${env:…}`. */
  readonly url?: string | null;
  /** postgres: schema with the state. */
  readonly schema?: string | null;
  /** git: name of a remote, or an address. Default: origin. */
  readonly remote?: string | null;
  /** git: the branch with the state. Default: loadform-state. */
  readonly branch?: string | null;
  /** s3: the bucket. */
  readonly bucket?: string | null;
  /** s3: key of the state in the bucket. */
  readonly key?: string | null;
  /** s3: region of the bucket. Default: that of the AWS settings. */
  readonly region?: string | null;
  /** s3: URL of another S3-compatible service with conditional writes. */
  readonly endpoint?: string | null;
}

/** A variable. */
interface AppVariablesItem {
  /** Type of the value. Default: that of `default`, else string. */
  readonly type?: "string" | "number" | "boolean" | Expression | null;
  /** Value when neither --var nor $LOADFORM_VAR_<name> sets one. */
  readonly default?: string | number | boolean | null;
  /** What it is for. */
  readonly description?: string | null;
}

/** A KPI in the API's language; an object to stop the run early, or for some resources only. */
interface AppGatesItemKpisItem {
  /** A metric, one of its figures, a comparison and a number. */
  readonly expr: string;
  /** Stop the run as soon as it does not hold. Default: false. */
  readonly breakOnFail?: boolean | Expression | null;
  /** Resources that it must hold for, one by one: a glob of method and URL. */
  readonly resource?: string | null;
}

/** The run that this one is compared with. Default: `previous`. `none` compares with nothing. */
interface AppGatesItemBaseline {
  /** The median of so many earlier runs. */
  readonly last?: number | Expression | null;
  /** The newest earlier run that carries this tag. */
  readonly tag?: string | null;
  /** Id of a run. */
  readonly execution?: number | Expression | null;
}

/** The least that must have been measured. */
interface AppGatesItemMinimum {
  /** Fewer requests fail the run. Default: 1. */
  readonly requests?: number | Expression | null;
}

/** A gate: what a pipeline asks of a run of one configuration. */
interface AppGatesItem {
  /** The configuration that is run: key of its test case / its key, or its whole address. */
  readonly configuration: string;
  /** Each must hold for the whole run. */
  readonly kpis?: readonly (AppGatesItemKpisItem | string)[] | null;
  /** Figures that may not be worse than the baseline's. The sign is the worse direction, the rest is how much at most. */
  readonly noWorse?: Readonly<
    Record<string, string | number | boolean | readonly (string | number | boolean)[]>
  > | null;
  /** The run that this one is compared with. Default: `previous`. `none` compares with nothing. */
  readonly baseline?: AppGatesItemBaseline | string | null;
  /** The least that must have been measured. */
  readonly minimum?: AppGatesItemMinimum | null;
  /** `allow`: the run may end before 90 % of its planned time. */
  readonly endedEarly?: "allow" | Expression | null;
  /** Tags that the run gets. */
  readonly tags?: readonly string[] | null;
  /** The wait for the end of the run, in seconds. Default: its planned time + 900. In seconds. */
  readonly waitSecs?: number | Expression | null;
}

/** Virtual users at the same time. */
interface AppLimitsUsers {
  /** Users at any minute of a week, of all scheduled runs and gates together. */
  readonly atPeak?: number | Expression | null;
  /** The same in any single region. */
  readonly perRegion?: number | Expression | null;
  /** Users that a BreakingPoint run counts, in all its regions together: the maximum of the account. Without it a BreakingPoint breaks every limit of users and user-hours. */
  readonly breakingPoint?: number | Expression | null;
}

/** Users times hours. */
interface AppLimitsUserHours {
  /** User-hours of one run, as a plan shows them. */
  readonly perRun?: number | Expression | null;
  /** User-hours of all scheduled runs of seven days. */
  readonly perWeek?: number | Expression | null;
}

/** Hours in which nothing may run. */
interface AppLimitsHoursItem {
  /** Days and times, end not included; an end not after its start is that of the next day. */
  readonly deny: string;
  /** Time zone of the hours. Default: UTC. */
  readonly timeZone?: string | null;
}

/** Where load may come from. */
interface AppLimitsRegions {
  /** Regions to run in. A test runner that names none is not allowed. */
  readonly allow?: readonly string[] | null;
}

/** Bounds of the load that this project may declare. In the main file only. */
interface AppLimits {
  /** Virtual users at the same time. */
  readonly users?: AppLimitsUsers | null;
  /** Users times hours. */
  readonly userHours?: AppLimitsUserHours | null;
  /** Hours of the week in which nothing may run. */
  readonly hours?: readonly AppLimitsHoursItem[] | null;
  /** Where load may come from. */
  readonly regions?: AppLimitsRegions | null;
  /** error: a broken limit stops `validate`, `plan`, `apply` and `run`; warn: it is a warning. Default: "error". */
  readonly enforce?: "error" | "warn" | Expression | null;
}

/** One address that changed. */
interface AppMovedItem {
  /** Address that the object had. */
  readonly from: string;
  /** Address that it has now. */
  readonly to: string;
}

/** One object that is no longer declared. */
interface AppRemovedItem {
  /** Address that the object had. */
  readonly address: string;
  /** false forgets the object and leaves it at the service. Default: true. */
  readonly destroy?: boolean | Expression | null;
}

/** What a whole project says beside its objects. */
export interface AppProps {
  /** Name of the project in state and output. Required in loadform.yaml. */
  readonly project: string;
  /** The service that this project is applied to. */
  readonly service?: AppService | null;
  /** Where the state is stored: a path, or a backend. Default: .loadform/state.json. */
  readonly state?: AppState | string | null;
  /** Values used as `${var:NAME}`, set by --var, $LOADFORM_VAR_<name>, an environment or a default. */
  readonly variables?: Readonly<Record<string, AppVariablesItem>> | null;
  /** What `loadform run` asks of a run: KPIs, and no worse than the run before. By name. */
  readonly gates?: Readonly<Record<string, AppGatesItem>> | null;
  /** The environment when neither --env nor $LOADFORM_ENV names one. */
  readonly defaultEnvironment?: string | null;
  /** Bounds of the load that this project may declare. In the main file only. */
  readonly limits?: AppLimits | null;
  /** Objects whose key changed: they keep their id and history. */
  readonly moved?: readonly AppMovedItem[] | null;
  /** Objects to forget instead of deleting them. */
  readonly removed?: readonly AppRemovedItem[] | null;
  /** Environments for --env NAME: each is merged over the whole project (JSON merge patch). */
  readonly environments?: Readonly<Record<string, JsonObject>> | null;
  /** Fields under every object of a kind, by kind. */
  readonly defaults?: {
    readonly tag?: Partial<TagProps>;
    readonly vcsRoot?: Partial<VcsRootProps>;
    readonly provider?: Partial<ProviderProps>;
    readonly region?: Partial<RegionProps>;
    readonly testCase?: Partial<TestCaseProps>;
    readonly gateway?: Partial<GatewayProps>;
    readonly scenario?: Partial<ScenarioProps>;
    readonly dataStore?: Partial<DataStoreProps>;
    readonly configuration?: Partial<ConfigurationProps>;
    readonly schedule?: Partial<ScheduleProps>;
  } | null;
}
