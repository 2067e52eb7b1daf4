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
  /** Whether names hold only characters that can be read; a live service may hold any. */
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
  /** Largest request body in bytes; more is 413. */
  readonly bodyLimit: number;
  /** Answers of GET /ai-models. */
  readonly aiModels: readonly { readonly id: number; readonly name: string; readonly default: boolean }[];
}

/** What holds when nothing is set. */
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
  bodyLimit: 64 * 1024 * 1024,
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
};

/** Settings that belong to the life of executions, which is not built yet; taken and not read. */
const later = ["allocation", "engine", "targets", "unrunnable", "refs", "allowedHosts"];

/** Complete settings; an unknown name or value is an error that names what is known. */
export function settingsOf(given: Readonly<Record<string, unknown>>): Settings {
  const settings: Record<string, unknown> = { ...defaultSettings };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || later.includes(name)) continue;
    const problem = problemOf(name, value);
    if (problem) throw new Error(problem);
    settings[name] = value;
  }
  return settings as unknown as Settings;
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!(name in defaultSettings))
    return `found setting "${name}"; expected one of ${Object.keys(defaultSettings).join(", ")}`;
  const allowed = choices[name as keyof Settings];
  if (allowed)
    return allowed.includes(String(value))
      ? undefined
      : `found ${name}: ${String(value)}; expected ${allowed.join(" or ")}`;
  const expected = typeof defaultSettings[name as keyof Settings];
  return typeof value === expected ? undefined : `found ${name}: ${String(value)}; expected a ${expected}`;
}
