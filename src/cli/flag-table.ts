import { type Diagnostic, errorOf } from "../model/diagnostic.ts";

/** One flag as data: how it is written, what it does, and which values it takes. */
export interface Flag {
  readonly usage: string;
  readonly about: string;
  /** May be given several times; the values are collected. */
  readonly repeated?: true;
  readonly choices?: readonly string[];
  readonly integer?: { readonly minimum: number; readonly maximum: number };
  /** NAME=VALUE. */
  readonly assignment?: "variable" | "parameter";
  readonly mayBeEmpty?: true;
}

const several = <const U extends string>(usage: U, about: string) =>
  ({ usage, about: `${about} (repeat for more)`, repeated: true }) as const;

/** A flag with a whole number from one to the other of two. */
const count = <const U extends string>(usage: U, about: string, [minimum, maximum]: readonly [number, number]) =>
  ({ usage, about, integer: { minimum, maximum } }) as const;

/** Every flag of every command, by the name of its value. */
export const flagTable = {
  env: { usage: "--env <name>", about: "environment of the project to use; '' for none", mayBeEmpty: true },
  var: { ...several("--var <name=value>", "set a variable"), assignment: "variable" },
  json: { usage: "--json", about: "print JSON on stdout" },
  out: {
    usage: "--out <file>",
    about: "save it to this file, for a later apply of exactly this plan or for plan --against",
  },
  html: { usage: "--html <file>", about: "write it as a page with the graph and a calendar" },
  markdown: { usage: "--markdown <file>", about: "write the report as Markdown, for a pull request" },
  detailedExitcode: { usage: "--detailed-exitcode", about: "exit 2 when there are changes" },
  target: several("--target <glob>", "only these addresses; plan and apply add what they need"),
  replace: several("--replace <address>", "create this object again and delete the old one"),
  stdio: { usage: "--stdio", about: "for editors that pass it: stdin and stdout are used in any case" },
  project: { usage: "--project <dir>", about: "the schema of one project, with the parameters of its modules" },
  destroy: { usage: "--destroy", about: "plan to delete everything that the project owns" },
  adopt: {
    usage: "--adopt <how>",
    about: "take over existing objects of the same name: exact (equal ones only) or name",
    choices: ["exact", "name"],
  },
  against: { usage: "--against <snapshot>", about: "plan against a saved snapshot, without a key" },
  withContents: { usage: "--with-contents", about: "save scripts and data files as text, too" },
  rehearsal: { usage: "--no-rehearsal", about: "do not try the plan on a copy of the service" },
  showUnmanaged: { usage: "--show-unmanaged", about: "also list undeclared objects" },
  failOnUnmanaged: {
    usage: "--fail-on-unmanaged",
    about: "treat undeclared objects, in the whole organization, as drift",
  },
  allowDestroy: several("--allow-destroy <glob>", "delete these even though their history is lost"),
  forceThreshold: { usage: "--force-threshold", about: "continue even if a large share of the objects changes" },
  autoApprove: { usage: "--auto-approve", about: "do not ask" },
  digest: {
    usage: "--digest <digest>",
    about: "apply only the plan that has this digest, without asking: it was reviewed",
  },
  failFast: { usage: "--fail-fast", about: "of several projects, stop at the first that fails" },
  parallelism: count("--parallelism <n>", "maximum number of simultaneous requests", [1, 256]),
  lockTimeout: count("--lock-timeout <secs>", "wait this long if the state is locked (default 0)", [0, 86_400]),
  timeout: count("--timeout <secs>", "wait this long for the answer to one request (default 30)", [1, 3_600]),
  quiet: { usage: "--quiet", about: "print no progress: stderr has only warnings and errors" },
  color: { usage: "--no-color", about: "print without colours" },
  all: { usage: "--all", about: "import everything that the key can see" },
  testCase: several("--test-case <name|id|glob>", "import only these test cases"),
  object: { usage: "--object <kind/id>", about: "one object without its children: configuration/15", repeated: true },
  dryRun: { usage: "--dry-run", about: "write nothing, only show what would be written" },
  importFormat: {
    usage: "--format <format>",
    about: "yaml (default), ts, or terraform",
    choices: ["yaml", "ts", "terraform"],
  },
  initFormat: { usage: "--format <format>", about: "yaml (default) or ts", choices: ["yaml", "ts"] },
  graphFormat: {
    usage: "--format <format>",
    about: "mermaid (default), svg or dot",
    choices: ["svg", "mermaid", "dot"],
  },
  accept: several("--accept <address>", "write the live values into the YAML"),
  check: { usage: "--check", about: "only say which files would change" },
  bin: { usage: "--bin <program>", about: "program to run (default terraform)" },
  port: count("--port <port>", "port to listen on; 0 picks a free one (default 8080)", [0, 65_535]),
  host: { usage: "--host <host>", about: "address to listen on (default 127.0.0.1)" },
  apiKey: { usage: "--api-key <key>", about: "key that clients must send (default local)" },
  data: { usage: "--data <file>", about: "store everything in this file" },
  seed: { usage: "--seed <file>", about: "loadform file with the initial objects" },
  clock: { usage: "--clock <mode>", about: "real or frozen (default real)", choices: ["real", "frozen"] },
  strict: { usage: "--strict", about: "refuse fields and parameters that have no effect" },
  allowScripts: { usage: "--allow-scripts", about: "run scripts of scenarios even when it listens beyond loopback" },
  live: {
    usage: "--live",
    about: "make the load of every run for real: at most 50 users, 60 seconds; loopback and allowedHosts only",
  },
  config: { usage: "--config <file>", about: "file with the projects to watch" },
  interval: count("--interval <secs>", "time between two checks of a project, ±10 % (default 120)", [1, 86_400]),
  once: { usage: "--once", about: "check every project once, and exit by what was found" },
  heal: {
    usage: "--heal <what>",
    about: "apply what git changed, what changed outside (drift), or all; default nothing",
    choices: ["drift", "git", "all"],
  },
  prune: { usage: "--prune", about: "healing may delete and replace objects, too" },
  listen: { usage: "--listen <host:port>", about: "serve the status page, its API and metrics" },
  queue: { usage: "--queue", about: "share the projects with other workers, by the database of $LOADFORM_QUEUE" },
  gate: several("--gate <glob>", "only these gates; '*' is all"),
  configuration: several("--configuration <address>", "this configuration, or a glob, without a gate: checkout/*"),
  execution: {
    usage: "--execution <id>",
    about: "a run that is there, by its id (report: repeat for more)",
    repeated: true,
  },
  kpi: several("--kpi <expr>", "a further KPI, as in 'Outcome[success] > 95%'"),
  param: {
    ...several("--param <name=value>", "give the script a parameter; what comes from the environment is masked"),
    assignment: "parameter",
  },
  tag: several("--tag <name>", "put this tag on the run"),
  atOnce: count("--at-once <n>", "run so many different configurations at once (default 4)", [1, 64]),
  waitTimeout: count(
    "--wait-timeout <secs>",
    "wait this long for the end of a run (default: its planned time + 900)",
    [1, 604_800],
  ),
  waitRunning: count(
    "--wait-running <secs>",
    "wait this long for an earlier run of the configuration to end (default 0)",
    [0, 604_800],
  ),
  wait: { usage: "--no-wait", about: "start the runs, print their ids, and do not wait for their ends" },
  runLive: { usage: "--live", about: "really make the load, in real time; only with memory:FILE" },
  staleOk: { usage: "--stale-ok", about: "run what is at the service, even if it is not as declared" },
  junit: { usage: "--junit <file>", about: "write the verdicts as JUnit XML" },
  runHtml: { usage: "--html <file>", about: "write the results as one page with charts" },
  csv: { usage: "--csv <file>", about: "write what was measured over time as CSV" },
  last: count("--last <n>", "the last n runs of each, beside each other (default 1)", [1, 1_000]),
  since: { usage: "--since <time>", about: "all runs since then: 24h, 7d, or a date such as 2026-11-24" },
  baseline: { usage: "--baseline <run>", about: "compare with this run: previous, none, tag:NAME or an id" },
} as const satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flagTable;

type ValueOf<F> = F extends { assignment: string }
  ? Readonly<Record<string, string>>
  : F extends { repeated: true }
    ? readonly string[]
    : F extends { integer: object }
      ? number
      : F extends { choices: readonly (infer C)[] }
        ? C
        : F extends { usage: `${string} <${string}>` }
          ? string
          : boolean;

/** Values of the flags that were given. */
export type FlagValues = { readonly [N in FlagName]?: ValueOf<(typeof flagTable)[N]> };

/** The values of flags in their types, and everything that is wrong with them at once. */
export function checkFlags(given: ReadonlyMap<FlagName, unknown>): {
  readonly flags: FlagValues;
  readonly diagnostics: readonly Diagnostic[];
} {
  const flags: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  for (const [name, value] of given) {
    const checked = checkFlag(flagTable[name], value);
    if (checked.problems.length > 0) diagnostics.push(...checked.problems);
    else flags[name] = checked.value;
  }
  const files = [...given].filter(([name]) => flagTable[name].usage.endsWith(" <file>"));
  const again = files.find(([, file], at) => files.findIndex(([, other]) => other === file) < at);
  if (again) diagnostics.push(usageProblem(`two flags name the file ${again[1]}`, "Name a file of its own for each"));
  return { flags, diagnostics };
}

interface Checked {
  readonly value?: unknown;
  readonly problems: readonly Diagnostic[];
}

function checkFlag(flag: Flag, value: unknown): Checked {
  const word = flag.usage.split(" ")[0] ?? flag.usage;
  if (flag.assignment) return checkAssignments(word, flag.assignment, Array.isArray(value) ? value.map(String) : []);
  const empty = !flag.mayBeEmpty && (Array.isArray(value) ? value : [value]).some((each) => each === "");
  if (empty) return wrong(`${word} has an empty value`, `Write ${flag.usage}`);
  if (flag.integer) {
    const { minimum, maximum } = flag.integer;
    const number = /^\d{1,9}$/.test(String(value)) ? Number(value) : Number.NaN;
    if (number >= minimum && number <= maximum) return { value: number, problems: [] };
    const detail = `It takes a number from ${minimum} to ${maximum}, not ${JSON.stringify(String(value))}`;
    return wrong(`${word} takes a whole number`, detail);
  }
  if (flag.choices === undefined || flag.choices.includes(String(value))) return { value, problems: [] };
  const detail = `It takes ${flag.choices.join(" or ")}, not ${JSON.stringify(value)}`;
  return wrong(`${word} does not take this value`, detail);
}

function wrong(summary: string, detail: string): Checked {
  return { problems: [usageProblem(summary, detail)] };
}

/** The value of a malformed assignment is not repeated: it may be a secret. */
function checkAssignments(word: string, named: "variable" | "parameter", texts: readonly string[]): Checked {
  // A script's parameter may be called as one likes.
  const begin = named === "variable" ? /^[A-Za-z_][\w.-]*=/ : /^[^=]+=/;
  const problems = texts
    .filter((text) => !begin.test(text))
    .map((text) => {
      const detail = `${describe(text, named)}. Write a ${named}'s name, = and its value, as in: ${word} users=20`;
      return usageProblem(`${word} is not NAME=VALUE`, detail);
    });
  const entries = texts.map((text) => {
    const end = text.indexOf("=");
    return [text.slice(0, end), text.slice(end + 1)] as const;
  });
  return { value: Object.fromEntries(entries), problems };
}

function describe(text: string, named: string): string {
  if (text.includes("=")) return `${JSON.stringify(text.slice(0, text.indexOf("=")))} is not the name of a ${named}`;
  return text === "" ? "It is empty" : `${JSON.stringify(text)} has no =`;
}

/** Something wrong with the command line. */
export function usageProblem(summary: string, detail: string): Diagnostic {
  return errorOf("LF9001", summary, detail);
}
