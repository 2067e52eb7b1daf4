/** The answers of a target in a simulated run; the first target whose `match` fits is used. */
export interface Target {
  /** `METHOD url`, each with `*` for anything: `GET http://shop.test/*`. */
  readonly match: string;
  /** Median and 99th percentile in milliseconds. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  /** Share of requests that fail, 0 to 1. */
  readonly errorRate: number;
  /** Beyond `users` concurrent ones latency and failures grow by `slope` for each share of users above. */
  readonly capacity: { readonly users: number; readonly slope: number } | null;
}

/** When the runners of an execution are there: at once, after a time on the service's clock, or once the execution was read so often. */
type Allocation = "immediate" | { readonly afterMs: number } | { readonly afterReads: number };

/** The other answers to the assumptions that loadform makes about a live service (docs/engine.md, Assumptions). */
export interface Settings {
  /** A1: what `down` nests in test case lists. */
  readonly nested: "full" | "summary";
  /** A2: whether a child's write moves its parents' updatedAt. */
  readonly touch: "self" | "parent";
  /** A3: whether PUT keeps omitted fields. */
  readonly put: "merge" | "replace";
  /** A4: whether schedules sent with their id keep it. */
  readonly scheduleIds: "keep" | "new";
  /** A5: deleting what a configuration uses. */
  readonly inUse: "refuse" | "allow";
  /** A6: whether ids of deleted objects come back. */
  readonly ids: "fresh" | "reuse";
  /** A8: deleting an object with children. */
  readonly cascade: "delete" | "refuse";
  /** A9: whether siblings may share a name. */
  readonly names: "shared" | "unique";
  /** A11: the form of an error body. */
  readonly errors: "json" | "plain";
  /** A12: POST of contents under a taken name. */
  readonly contents: "update" | "duplicate";
  /** A14: whether names that differ in case are the same. */
  readonly nameCase: "exact" | "fold";
  /** Characters that names may have; a live service may allow any. */
  readonly nameCharacters: "readable" | "any";
  /** A15: lists end after so many entries; 0 is complete. */
  readonly pageSize: number;
  /** A16: POST of an existing test case without description. */
  readonly upsert: "keep" | "clear";
  /** Header that carries the key. */
  readonly authHeader: string;
  /** Most concurrent clients of a test (API 1, Limits: value not shown). */
  readonly accountMaximum: number;
  /** Bytes after which a recording stops. */
  readonly recordingCap: number;
  /** Credentials and cookies of recorded traffic, as snapshots and data files have them. */
  readonly recordedSecrets: "mask" | "keep";
  /** Largest request body in bytes; more is 413. */
  readonly bodyLimit: number;
  /** When runners are allocated. */
  readonly allocation: Allocation;
  /** The engine of a run, unless the starting call names another. */
  readonly engine: "model" | "script" | "live";
  /** Targets of simulated runs; a request that none matches takes 50 ms and never fails. */
  readonly targets: readonly Target[];
  /** Where requests of a scenario's script go: to `targets`, to loopback and `allowedHosts`, or nowhere. */
  readonly network: "simulated" | "loopback" | "deny";
  /** Result of the validation of a scenario whose type cannot be run here. */
  readonly unrunnable: "fail" | "pass";
  /** Answers of connection tests of repositories that are not reached, by URL. */
  readonly refs: Readonly<Record<string, readonly string[]>>;
  /** Host names beside loopback that scripts, recordings and connection tests may reach. */
  readonly allowedHosts: readonly string[];
  /** Answers of GET /ai-models. */
  readonly aiModels: readonly { readonly id: number; readonly name: string; readonly default: boolean }[];
}

/** The key of a service of which nothing is said; its pages may tell it. */
export const defaultKey = "local";

const defaultSettings: Settings = {
  nested: "full",
  touch: "self",
  put: "merge",
  scheduleIds: "keep",
  inUse: "refuse",
  ids: "fresh",
  cascade: "delete",
  names: "shared",
  errors: "json",
  contents: "update",
  nameCase: "exact",
  nameCharacters: "readable",
  pageSize: 0,
  upsert: "keep",
  authHeader: "X-Api-Key",
  accountMaximum: 1_000,
  recordingCap: 50 * 1024 * 1024,
  recordedSecrets: "mask",
  bodyLimit: 64 * 1024 * 1024,
  allocation: "immediate",
  engine: "model",
  targets: [],
  network: "simulated",
  unrunnable: "fail",
  refs: {},
  allowedHosts: [],
  aiModels: [{ id: 1, name: "default", default: true }],
};

const choices: Readonly<Partial<Record<keyof Settings, readonly string[]>>> = {
  nested: ["full", "summary"],
  touch: ["self", "parent"],
  put: ["merge", "replace"],
  scheduleIds: ["keep", "new"],
  inUse: ["refuse", "allow"],
  ids: ["fresh", "reuse"],
  cascade: ["delete", "refuse"],
  names: ["shared", "unique"],
  errors: ["json", "plain"],
  contents: ["update", "duplicate"],
  nameCase: ["exact", "fold"],
  nameCharacters: ["readable", "any"],
  upsert: ["keep", "clear"],
  recordedSecrets: ["mask", "keep"],
  engine: ["model", "script", "live"],
  network: ["simulated", "loopback", "deny"],
  unrunnable: ["fail", "pass"],
};

/** Settings that are no plain values: a test of the value, and the expectation in words. */
const shapes: Readonly<
  Partial<Record<keyof Settings, { readonly is: (value: unknown) => boolean; readonly expected: string }>>
> = {
  allocation: { is: isAllocation, expected: '"immediate", {afterMs} or {afterReads}' },
  targets: {
    is: (value) => listOf(isTarget)(value),
    expected: "a list of {match, latencyMs: {p50, p99}, errorRate, capacity}",
  },
  refs: {
    is: (value) => isObject(value) && Object.values(value).every(listOf(isText)),
    expected: "lists of ref names by URL",
  },
  allowedHosts: { is: (value) => listOf(isText)(value), expected: "a list of host names" },
  aiModels: { is: (value) => listOf(isModel)(value), expected: "a list of {id, name, default}" },
};

/** The smallest numbers; 0 for all others. */
const leastOf: Readonly<Partial<Record<keyof Settings, number>>> = { accountMaximum: 1, bodyLimit: 1 };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isCount = (value: unknown): boolean => typeof value === "number" && value >= 0;
const listOf = (is: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(is);

function isAllocation(value: unknown): boolean {
  if (value === "immediate") return true;
  return isObject(value) && Object.keys(value).length === 1 && isCount(value["afterMs"] ?? value["afterReads"]);
}

function isModel(value: unknown): boolean {
  return isObject(value) && isCount(value["id"]) && isText(value["name"]) && typeof value["default"] === "boolean";
}

function isTarget(value: unknown): boolean {
  if (!isObject(value) || !isText(value["match"])) return false;
  const { latencyMs = standardTarget.latencyMs, errorRate = 0, capacity = null } = value;
  const hasLatency = isObject(latencyMs) && isCount(latencyMs["p50"]) && isCount(latencyMs["p99"]);
  const hasCapacity =
    capacity === null || (isObject(capacity) && isCount(capacity["users"]) && isCount(capacity["slope"]));
  return hasLatency && isCount(errorRate) && hasCapacity;
}

/** The target of a request that none of the settings matches. */
const standardTarget: Target = {
  match: "*",
  latencyMs: { p50: 50, p99: 200 },
  errorRate: 0,
  capacity: null,
};

/** The first of these targets that fits `METHOD url`, in any case of letters; else the standard one. */
export function targetOf(resource: string, targets: readonly Target[]): Target {
  return targets.find(({ match }) => patternOf(match).test(resource)) ?? standardTarget;
}

/** A pattern in which `*` is anything. */
function patternOf(match: string): RegExp {
  const parts = match.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "i");
}

/** A setting as it is kept: what a target leaves out is as in the standard one. */
function normal(name: string, value: unknown): unknown {
  return name === "targets" ? (value as readonly Target[]).map((each) => ({ ...standardTarget, ...each })) : value;
}

/** Settings that a service cannot be made with; the message says all that is wrong with them. */
export class WrongSettings extends Error {
  override readonly name = "WrongSettings";
  /** One problem for each setting, by its name; of all together, by "". */
  readonly problems: ReadonlyMap<string, string>;

  constructor(problems: ReadonlyMap<string, string>) {
    super([...problems.values()].join("; "));
    this.problems = problems;
  }
}

/** Complete settings; throws WrongSettings for unknown names and values, with what is known. */
export function settingsOf(given: Readonly<Record<string, unknown>>): Settings {
  if (!isObject(given))
    throw new WrongSettings(new Map([["", `found ${JSON.stringify(given)}; expected settings by name`]]));
  const settings: Record<string, unknown> = { ...defaultSettings };
  const problems = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const problem = settingProblem(name, value);
    if (problem) problems.set(name, problem);
    else settings[name] = normal(name, value);
  }
  if (problems.size > 0) throw new WrongSettings(problems);
  return settings as unknown as Settings;
}

function settingProblem(name: string, value: unknown): string | undefined {
  if (!(name in defaultSettings))
    return `found setting "${name}"; expected one of ${Object.keys(defaultSettings).join(", ")}`;
  const allowed = choices[name as keyof Settings];
  if (allowed)
    return allowed.includes(value as string)
      ? undefined
      : `found ${name}: ${JSON.stringify(value)}; expected ${allowed.join(" or ")}`;
  const shape = shapes[name as keyof Settings];
  if (shape) return shape.is(value) ? undefined : `found ${name}: ${JSON.stringify(value)}; expected ${shape.expected}`;
  if (typeof defaultSettings[name as keyof Settings] === "string")
    return isText(value) && value !== "" ? undefined : `found ${name}: ${JSON.stringify(value)}; expected a text`;
  const least = leastOf[name as keyof Settings] ?? 0;
  const isEnough = Number.isSafeInteger(value) && Number(value) >= least;
  return isEnough ? undefined : `found ${name}: ${JSON.stringify(value)}; expected a whole number, at least ${least}`;
}
