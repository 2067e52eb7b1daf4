import type { FlagName } from "./flag-table.ts";

/** One command as data: its help, arguments and flags. */
export interface CommandSpec {
  /** As typed: "plan", "state list". */
  readonly name: string;
  readonly summary: string;
  /** In commander's spelling: `[dir]` is optional, `<code>` is not. */
  readonly args?: string;
  readonly flags: readonly FlagName[];
  /** Flags that are taken and do nothing, for lines written for another command; help does not list them. */
  readonly ignored?: readonly FlagName[];
  readonly examples: readonly string[];
  /** Advice after an unknown flag. */
  readonly hint?: string;
}

const place: readonly FlagName[] = ["env", "var"];
const owned: readonly FlagName[] = [...place, "target", "allowDestroy", "rehearsal"];
const choice: readonly FlagName[] = [...owned, "replace", "adopt", "forceThreshold"];
const carrying: readonly FlagName[] = ["autoApprove", "digest", "json", "parallelism", "lockTimeout"];
const reading: readonly FlagName[] = [...place, "json"];
const mending: readonly FlagName[] = [...reading, "lockTimeout"];

const asking: ReadonlySet<string> = new Set(
  ["plan", "apply", "destroy", "import", "drift", "run", "report", "watch", "whoami", "conformance"].concat(
    "state retarget",
    "snapshot",
  ),
);

/** Commands without the flags that several have. */
const described: readonly CommandSpec[] = [
  {
    name: "init",
    summary: "write a small working project to start from",
    args: "[dir]",
    flags: ["initFormat"],
    examples: ["loadform init my-tests", "loadform init my-tests --format ts"],
  },
  {
    name: "validate",
    summary: "check projects offline, without credentials",
    args: "[dir...]",
    flags: reading,
    examples: ["loadform validate", "loadform validate examples/webshop --env staging", "loadform validate 'tests/*'"],
  },
  {
    name: "plan",
    summary: "show what apply would do, field by field",
    args: "[dir...]",
    flags: [
      ...choice,
      ...(["out", "json", "html", "markdown", "detailedExitcode", "destroy", "against", "showUnmanaged"] as const),
    ],
    examples: [
      "loadform plan",
      "loadform plan --out plan.json --detailed-exitcode",
      "loadform plan --target 'testCase.checkout/**'",
      "loadform plan --markdown plan.md",
      "loadform plan 'tests/*' --detailed-exitcode",
    ],
  },
  {
    name: "apply",
    summary: "plan, ask, and carry the plan out; or carry out a saved one",
    args: "[dir-or-planfile...]",
    flags: [...choice, ...carrying, "failFast"],
    examples: ["loadform apply examples/webshop", "loadform apply plan.json", "loadform apply 'tests/*'"],
  },
  {
    name: "destroy",
    summary: "delete everything that the project owns",
    args: "[dir]",
    flags: [...owned, ...carrying],
    ignored: ["replace", "adopt", "forceThreshold"],
    examples: ["loadform destroy", "loadform destroy --allow-destroy 'testCase.checkout/**'"],
  },
  {
    name: "run",
    summary: "start load tests, follow them, and pass or fail by their KPIs",
    args: "[dir]",
    flags: [
      ...place,
      ...(["gate", "configuration", "execution", "kpi", "param", "tag"] as const),
      ...(["atOnce", "waitTimeout", "waitRunning"] as const),
      ...(["wait", "runLive", "staleOk", "junit", "runHtml", "markdown", "json"] as const),
    ],
    examples: [
      "loadform run",
      "loadform run --gate release --junit results.xml --html results.html",
      "loadform run --configuration checkout/smoke --kpi 'count > 1000'",
      "loadform run --execution 42",
    ],
  },
  {
    name: "report",
    summary: "show runs that have ended, judged by today's gates",
    args: "[dir]",
    flags: [
      ...place,
      ...(["gate", "configuration", "execution", "last", "since", "baseline", "kpi"] as const),
      ...(["junit", "runHtml", "markdown", "csv", "json"] as const),
    ],
    examples: ["loadform report --gate release --last 10", "loadform report --since 24h --html night.html"],
  },
  {
    name: "show",
    summary: "show a saved plan",
    args: "<planfile>",
    flags: ["json", "html", "markdown"],
    examples: ["loadform show plan.json", "loadform show plan.json --markdown plan.md"],
  },
  {
    name: "import",
    summary: "write live objects into the project and bind them",
    args: "[dir]",
    flags: [...place, "all", "testCase", "object", "dryRun", "importFormat", "json", "lockTimeout"],
    examples: [
      "loadform import --test-case Checkout --dry-run",
      "loadform import --object configuration/15 --env staging",
      "loadform import --all my-tests",
      "loadform import --all --format ts",
      "loadform import --all --format terraform infra",
    ],
  },
  {
    name: "drift",
    summary: "show what was changed outside since the last apply",
    args: "[dir...]",
    flags: [...place, "json", "html", "markdown", "showUnmanaged", "failOnUnmanaged", "accept"],
    examples: [
      "loadform drift",
      "loadform drift --fail-on-unmanaged",
      "loadform drift --markdown drift.md",
      "loadform drift 'tests/*'",
      "loadform drift --accept 'testCase.checkout/**'",
    ],
  },
  {
    name: "snapshot",
    summary: "save the live tree for plan --against",
    args: "[dir]",
    flags: [...place, "out", "withContents"],
    examples: ["loadform snapshot --out snapshot.json", "loadform plan --against snapshot.json"],
  },
  {
    name: "whoami",
    summary: "show the service, the key's user and organizations",
    args: "[dir]",
    flags: reading,
    examples: ["loadform whoami"],
  },
  { name: "state", summary: "show the state and repair it", flags: [], examples: ["loadform state list"] },
  {
    name: "state list",
    summary: "list the bound addresses",
    args: "[dir]",
    flags: reading,
    examples: ["loadform state list"],
  },
  {
    name: "state show",
    summary: "show what an address is bound to",
    args: "<address> [dir]",
    flags: reading,
    examples: ["loadform state show testCase.checkout"],
  },
  {
    name: "state mv",
    summary: "rename an address, and everything below it",
    args: "<from> <to> [dir]",
    flags: mending,
    examples: ["loadform state mv testCase.shop testCase.checkout"],
  },
  {
    name: "state rm",
    summary: "forget an address, and everything below it; nothing is deleted",
    args: "<address> [dir]",
    flags: mending,
    examples: ["loadform state rm testCase.old"],
  },
  {
    name: "state pull",
    summary: "print the state",
    args: "[dir]",
    flags: reading,
    examples: ["loadform state pull > state.json"],
  },
  {
    name: "state push",
    summary: "replace the state with the one on stdin",
    args: "[dir]",
    flags: mending,
    examples: ["loadform state push < state.json"],
  },
  {
    name: "state unlock",
    summary: "break a lock that nobody holds any more",
    args: "[id] [dir]",
    flags: reading,
    examples: ["loadform state unlock", "loadform state unlock 5f1c"],
  },
  {
    name: "state retarget",
    summary: "bind the state to the project's present service and organization",
    args: "[dir]",
    flags: mending,
    examples: ["LOADFORM_URL=https://load.example.com/api loadform state retarget"],
  },
  {
    name: "graph",
    summary: "draw the declared objects and their references, offline",
    args: "[dir]",
    flags: [...place, "graphFormat"],
    examples: ["loadform graph", "loadform graph --format svg > graph.svg"],
  },
  {
    name: "expand",
    summary: "print the project as one document, without modules, defaults and variables",
    args: "[dir]",
    flags: [...place],
    examples: ["loadform expand", "loadform expand --env staging > /tmp/expanded.yaml"],
  },
  {
    name: "conformance",
    summary: "compare a service with the API's documents, by reads without effect",
    args: "[dir]",
    flags: reading,
    examples: ["loadform conformance", "loadform conformance examples/webshop --json"],
  },
  {
    name: "schema",
    summary: "print the JSON Schema that editors use",
    args: "[kind]",
    flags: ["project"],
    examples: ["loadform schema configuration", "loadform schema --project . > loadform.schema.json"],
  },
  {
    name: "fmt",
    summary: "format YAML and keep comments",
    args: "[dir...]",
    flags: ["check"],
    examples: ["loadform fmt", "loadform fmt --check 'tests/**'"],
  },
  { name: "lsp", summary: "serve editors over stdin and stdout", flags: ["env", "stdio"], examples: ["loadform lsp"] },
  {
    name: "serve",
    summary: "run the bundled service over HTTP",
    flags: ["port", "host", "apiKey", "data", "seed", "clock", "strict", "allowScripts", "live", "json"],
    examples: ["loadform serve", "loadform serve --port 0 --json --seed loadform.yaml"],
  },
  {
    name: "terraform",
    summary: "run Terraform or OpenTofu with the loadform provider built in",
    args: "[args...]",
    flags: ["bin"],
    hint: "Arguments for Terraform come after --, as in: loadform terraform -- plan -out=plan.bin",
    examples: ["loadform terraform -- plan", "loadform terraform --bin tofu -- apply -auto-approve"],
  },
  {
    name: "explain",
    summary: "explain a diagnostic code or an exit code",
    args: "<code>",
    flags: [],
    examples: ["loadform explain LF3001", "loadform explain 6"],
  },
  {
    name: "completion",
    summary: "print completions for a shell",
    args: "<shell>",
    flags: [],
    examples: ["loadform completion bash", "source <(loadform completion bash)"],
  },
  {
    name: "watch",
    summary: "check projects continuously, and keep their services as declared",
    args: "[dirs...]",
    flags: [...place, "config", "interval", "once", "heal", "prune", "listen", "queue", "json"],
    examples: [
      "loadform watch examples/webshop --interval 300",
      "loadform watch --config watch.yaml",
      "loadform watch --once --heal drift --json",
    ],
  },
];

/** Every command, in the order in which help lists them. */
export const commandTable: readonly CommandSpec[] = described.map((spec) =>
  described.some(({ name }) => name.startsWith(`${spec.name} `))
    ? spec
    : { ...spec, flags: [...spec.flags, ...(asking.has(spec.name) ? ["timeout" as const] : []), "quiet", "color"] },
);
