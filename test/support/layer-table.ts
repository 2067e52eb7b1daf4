/** What one room may import. A name is a folder under src or a file in it; `types` are for `import type` only. */
export interface Layer {
  readonly values: readonly string[];
  readonly types?: readonly string[];
  /** Further rooms for single files. */
  readonly exceptions?: Readonly<Record<string, readonly string[]>>;
}

const stages = ["api", "model", "kinds", "schema", "workspace", "config", "constructs", "live", "state", "plan"];
const rooms = [...stages, "rehearse", "apply", "import", "report", "client", "service"];

/** The layer table (architecture, section 2) as data. Folders and the files directly under src. */
export const layers: Readonly<Record<string, Layer>> = {
  api: { values: [] },
  model: { values: [], types: ["api"] },
  kinds: { values: ["model", "api"] },
  schema: { values: ["model"] },
  workspace: { values: ["model"] },
  client: {
    values: ["api", "model/diagnostic.ts", "model/service-error.ts", "model/redact.ts"],
    types: ["model/json.ts"],
  },
  service: { values: ["api", "model/diagnostic.ts", "model/recurrence.ts"], types: ["model/json.ts"] },
  config: { values: ["model", "schema", "workspace"] },
  constructs: { values: ["model", "kinds"] },
  live: { values: ["model", "api"] },
  state: { values: ["model"] },
  plan: { values: ["model"], types: ["state"] },
  apply: { values: ["model", "live", "state", "plan", "api"] },
  rehearse: { values: ["model", "api", "live", "state", "plan", "apply"] },
  import: { values: ["model", "live", "state"] },
  report: { values: ["model", "plan"], types: ["apply"] },
  terraform: { values: ["model", "kinds", "schema", "live", "client", "api"] },
  cdktf: { values: ["model", "schema"] },
  cli: {
    values: ["project.ts", "report", "schema", "workspace"],
    types: rooms,
    exceptions: { "cli/commands/serve.ts": ["service"], "cli/commands/terraform.ts": ["terraform"] },
  },
  project: { values: rooms },
  "project.ts": { values: ["project"] },
  "index.ts": { values: [...rooms, "project.ts"] },
  "bin.ts": { values: ["cli"] },
  "provider-bin.ts": { values: ["terraform"] },
};

/** Rooms that may reach the disk. */
export const roomsWithDisk = ["workspace", "state", "service", "cli"];

/** Rooms that are pure: no module of Node at all. */
export const roomsWithoutNode = ["api", "model", "kinds", "schema", "plan", "report"];

/** Rooms that are synchronous. */
export const roomsWithoutAwait = ["api", "model", "schema", "plan", "report"];
