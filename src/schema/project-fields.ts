import { choice, flag, group, integer, list, map, number, oneOrMore, scalar, text } from "../model/field.ts";
import { kpiPattern } from "../model/gates/kpi.ts";
import type { AnyKind } from "../model/kind.ts";
import { useField } from "./module-fields.ts";

const kpiField = group(
  {
    expr: text({
      description: "A metric, one of its figures, a comparison and a number.",
      required: true,
      examples: ["Outcome[success] > 95%"],
      language: kpiPattern,
    }),
    breakOnFail: flag({ description: "Stop the run as soon as it does not hold.", default: false }),
    resource: text({
      description: "Resources that it must hold for, one by one: a glob of method and URL.",
      examples: ["GET */checkout*"],
    }),
  },
  {
    description: "A KPI in the API's language; an object to stop the run early, or for some resources only.",
    alsoText: true,
    language: kpiPattern,
  },
);

/** A gate (docs/gates.md). */
const gateField = group(
  {
    configuration: text({
      description: "The configuration that is run: key of its test case / its key, or its whole address.",
      required: true,
      examples: ["checkout/smoke"],
    }),
    kpis: list(kpiField, { description: "Each must hold for the whole run.", examples: [["Outcome[success] > 95%"]] }),
    noWorse: map(
      oneOrMore(scalar({ description: "`+10%`, `+20ms`, `-0.5pp`, or a number in the unit of the metric." }), {
        description: "How much worse it may be; of a list all must be exceeded.",
      }),
      {
        description:
          "Figures that may not be worse than the baseline's. The sign is the worse direction, the rest is how much at most.",
        examples: [{ "firstReceivedMs[p95]": ["+10%", "+20ms"] }],
      },
    ),
    baseline: group(
      {
        last: integer({ description: "The median of so many earlier runs.", minimum: 1, maximum: 100 }),
        tag: text({ description: "The newest earlier run that carries this tag." }),
        execution: integer({ description: "Id of a run.", minimum: 1 }),
      },
      {
        description: "The run that this one is compared with. Default: `previous`. `none` compares with nothing.",
        alsoText: true,
      },
    ),
    minimum: group(
      { requests: number({ description: "Fewer requests fail the run. Default: 1.", minimum: 0 }) },
      { description: "The least that must have been measured." },
    ),
    endedEarly: choice(["allow"], { description: "`allow`: the run may end before 90 % of its planned time." }),
    tags: list(text({ description: "A tag." }), { description: "Tags that the run gets." }),
    waitSecs: integer({
      description: "The wait for the end of the run, in seconds. Default: its planned time + 900.",
      minimum: 1,
      unit: "seconds",
    }),
  },
  { description: "A gate: what a pipeline asks of a run of one configuration." },
);

/** The answers of one target in runs that the bundled service simulates. */
const target = group(
  {
    match: text({
      description: "Requests that it answers: `METHOD url`, each with `*` for anything, in any case of letters.",
      required: true,
      examples: ["GET https://shop.example.com/*"],
    }),
    latencyMs: group(
      {
        p50: number({ description: "Median.", unit: "milliseconds", required: true, minimum: 0 }),
        p99: number({ description: "99th percentile.", unit: "milliseconds", required: true, minimum: 0 }),
      },
      { description: "Time to the first byte. Default: `{ p50: 50, p99: 200 }`." },
    ),
    errorRate: number({ description: "Share of requests that fail. Default: 0.", minimum: 0, maximum: 1 }),
    capacity: group(
      {
        users: number({ description: "Users at once that it serves without delay.", required: true, minimum: 0 }),
        slope: number({
          description: "Growth of latency and failures for each share of users above.",
          required: true,
          minimum: 0,
        }),
      },
      { description: "Load beyond which it gets slower. Default: none." },
    ),
  },
  { description: "One target." },
);

/** Bounds of the load, which may also come from outside the project. */
export const limitFields = {
  users: group(
    {
      atPeak: integer({
        description: "Users at any minute of a week, of all scheduled runs and gates together.",
        minimum: 0,
      }),
      perRegion: integer({ description: "The same in any single region.", minimum: 0 }),
      breakingPoint: integer({
        description:
          "Users that a BreakingPoint run counts, in all its regions together: the maximum of the account. Without it a BreakingPoint breaks every limit of users and user-hours.",
        minimum: 1,
      }),
    },
    { description: "Virtual users at the same time." },
  ),
  userHours: group(
    {
      perRun: number({ description: "User-hours of one run, as a plan shows them.", minimum: 0 }),
      perWeek: number({ description: "User-hours of all scheduled runs of seven days.", minimum: 0 }),
    },
    { description: "Users times hours." },
  ),
  hours: list(
    group(
      {
        deny: text({
          description: "Days and times, end not included; an end not after its start is that of the next day.",
          required: true,
          examples: ["Mon-Fri 08:00-18:00", "Sat,Sun 22:00-06:00"],
        }),
        timeZone: text({ description: "Time zone of the hours. Default: UTC.", examples: ["Europe/Berlin"] }),
      },
      { description: "Hours in which nothing may run." },
    ),
    { description: "Hours of the week in which nothing may run." },
  ),
  regions: group(
    {
      allow: list(text({ description: "Name of a region at the service, or a glob.", examples: ["cloud-eu-*"] }), {
        description: "Regions to run in. A test runner that names none is not allowed.",
        examples: [["cloud-eu-*"]],
      }),
    },
    { description: "Where load may come from." },
  ),
} as const;

/** The keys of a project file beside its objects. */
export const projectFields = {
  project: text({
    description: "Name of the project in state and output. Required in loadform.yaml.",
    examples: ["webshop"],
    trim: true,
    maxLength: 255,
  }),
  service: group(
    {
      url: text({
        description:
          "Where the service is. `memory:FILE` is the bundled service, stored in that file; `memory:` alone stores nothing; http(s) is a live one. $LOADFORM_URL overrides it.",
        examples: ["memory:.loadform/service.json", "https://load.example.com/api"],
      }),
      organization: scalar({ description: "Id or name of the organization. Default: the only one of the key." }),
      auth: group(
        {
          header: text({ description: "Header that carries the key.", examples: ["X-Api-Key"] }),
          query: text({ description: "Query parameter that carries the key.", examples: ["key"] }),
        },
        { description: "How the key ($LOADFORM_API_KEY) is sent. Default: `header: X-Api-Key`." },
      ),
      apiKey: text({
        description: "The environment variable with the key. Default: $LOADFORM_API_KEY.",
        secret: "env",
        examples: [`\${env:SHOP_API_KEY}`],
      }),
      targets: list(target, {
        description:
          "Answers to the requests of runs that the bundled service simulates; only with a `memory:` url. The first target whose `match` fits counts. Default: 50 ms, and nothing fails.",
      }),
    },
    { description: "The service that this project is applied to." },
  ),
  state: group(
    {
      backend: choice(["local", "http", "postgres", "git", "s3"], {
        description: "Where the state is stored.",
        required: true,
      }),
      path: text({
        description: "local: the file. git: the file on the branch. Default there: <project>[.ENV].json.",
        examples: [".loadform/state.json"],
      }),
      address: text({ description: "http: URL of the state." }),
      lockAddress: text({ description: "http: URL of the lock." }),
      unlockAddress: text({ description: "http: URL that unlocks." }),
      lockMethod: text({ description: "http: how to lock. Default: LOCK, or POST where the URL ends in /lock." }),
      unlockMethod: text({
        description: "http: how to unlock. Default: UNLOCK, or DELETE where the URL ends in /lock.",
      }),
      username: text({ description: "http: user name." }),
      url: text({ description: "postgres: connection string, from `${env:…}`.", examples: [`\${env:STATE_URL}`] }),
      schema: text({ description: "postgres: schema with the state." }),
      remote: text({ description: "git: name of a remote, or an address. Default: origin.", examples: ["origin"] }),
      branch: text({ description: "git: the branch with the state. Default: loadform-state." }),
      bucket: text({ description: "s3: the bucket." }),
      key: text({ description: "s3: key of the state in the bucket.", examples: ["loadform/webshop.json"] }),
      region: text({ description: "s3: region of the bucket. Default: that of the AWS settings." }),
      endpoint: text({ description: "s3: URL of another S3-compatible service with conditional writes." }),
    },
    { description: "Where the state is stored: a path, or a backend. Default: .loadform/state.json.", alsoText: true },
  ),
  include: list(text({ description: "A glob, relative to the project folder." }), {
    description: "Further files with the same keys. A glob that matches nothing is an error.",
    examples: [["load/**/*.yaml"]],
  }),
  use: useField,
  variables: map(
    group(
      {
        type: choice(["string", "number", "boolean"], {
          description: "Type of the value. Default: that of `default`, else string.",
        }),
        default: scalar({ description: "Value when neither --var nor $LOADFORM_VAR_<name> sets one." }),
        description: text({ description: "What it is for." }),
      },
      { description: "A variable." },
    ),
    {
      description: `Values used as \`\${var:NAME}\`, set by --var, $LOADFORM_VAR_<name>, an environment or a default.`,
      keyed: true,
    },
  ),
  gates: map(gateField, {
    description: "What `loadform run` asks of a run: KPIs, and no worse than the run before. By name.",
    keyed: true,
  }),
  defaultEnvironment: text({
    description: "The environment when neither --env nor $LOADFORM_ENV names one.",
    examples: ["staging"],
  }),
  limits: group(
    {
      ...limitFields,
      enforce: choice(["error", "warn"], {
        description: "error: a broken limit stops `validate`, `plan`, `apply` and `run`; warn: it is a warning.",
        default: "error",
      }),
    },
    { description: "Bounds of the load that this project may declare. In the main file only." },
  ),
  moved: list(
    group(
      {
        from: text({ description: "Address that the object had.", required: true, examples: ["testCase.shop"] }),
        to: text({ description: "Address that it has now.", required: true, examples: ["testCase.checkout"] }),
      },
      { description: "One address that changed." },
    ),
    { description: "Objects whose key changed: they keep their id and history." },
  ),
  removed: list(
    group(
      {
        address: text({
          description: "Address that the object had, or a glob for several; what is below them counts, too.",
          required: true,
          examples: ["testCase.old"],
        }),
        destroy: flag({ description: "false forgets the object and leaves it at the service.", default: true }),
      },
      { description: "What is no longer declared." },
    ),
    { description: "Objects to forget instead of deleting them." },
  ),
} as const;

/** Lifecycle options that every object takes besides its own fields. */
export const lifecycleFields = {
  protect: flag({ description: "Never destroy this object.", default: false }),
  unmanaged: choice(["keep", "delete"], {
    description: "What happens to objects under this one that the project does not declare.",
    default: "keep",
  }),
} as const;

/** Lifecycle options of the objects of a kind: those of every object, and `ignore`. */
export function lifecycleOf({ fields }: AnyKind) {
  const field = choice(Object.keys(fields), { description: "A field." });
  return { ...lifecycleFields, ignore: list(field, { description: "Fields of which drift is left alone." }) };
}
