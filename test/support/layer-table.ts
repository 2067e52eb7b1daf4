/** What one room may import. A name is a folder under src or a file in it; `types` are for `import type` only. */
export interface Layer {
  readonly values: readonly string[];
  readonly types?: readonly string[];
  /** Further rooms for single files. */
  readonly exceptions?: Readonly<Record<string, readonly string[]>>;
}

const stages = ["api", "model", "kinds", "schema", "workspace", "yaml", "config", "authoring", "constructs", "remote"];
const rooms = [...stages, "state", "stores", "plan", "apply", "import", "drift", "report", "client", "service"].concat(
  "run",
  "policy",
  "pictures",
  "snapshot",
  "watch",
  "conformance",
  "rehearse",
  "lsp",
);

/** What a command may run: one use case each. */
const useCases = ["apply-project", "drift-project", "modules/yaml-project", "format-project", "graph-project"]
  .concat(
    "import-for-terraform",
    "import-project",
    "known-secrets",
    "open-project",
    "plan-digest",
    "plan-opened",
    "plan-project",
    "seed-service",
  )
  .concat("state-commands", "system")
  .concat("runs/choose-runs", "runs/report-project", "runs/run-project")
  .concat("several/choose-projects", "several/plan-projects", "several/validate-projects", "several/secrets-of-all")
  .concat("several/drift-projects", "several/apply-projects")
  .concat(
    "saved/apply-saved",
    "saved/save-plan",
    "saved/saved-plan",
    "snapshots/plan-against",
    "snapshots/take-snapshot",
  )
  .concat("conformance/conformance-project")
  .concat("watch/check-project", "watch/read-watch-file", "watch/watch-projects")
  .concat("lsp/serve-editor")
  .map((name) => `project/${name}.ts`);

/** Who may import whom, as data. Folders and the files directly under src. */
export const layers: Readonly<Record<string, Layer>> = {
  api: { values: [] },
  model: { values: [], types: ["api"] },
  kinds: { values: ["model", "api"] },
  schema: { values: ["model"] },
  workspace: { values: ["model"] },
  client: {
    values: ["api", "model/diagnostic.ts", "model/service-error.ts", "model/redact.ts", "model/sleep-unless.ts"],
    types: ["model/json.ts"],
  },
  service: { values: ["api", "pictures", "model/diagnostic.ts", "model/recurrence.ts"], types: ["model/json.ts"] },
  yaml: { values: ["model"] },
  "terraform-schema": { values: ["model"] },
  authoring: { values: ["model", "schema", "yaml"] },
  bridge: { values: ["model", "terraform-schema", "workspace", "yaml", "authoring/write-text.ts"] },
  config: { values: ["model", "schema", "workspace", "yaml", "bridge"], types: ["watch"] },
  constructs: { values: ["model", "kinds"] },
  remote: { values: ["model", "api"] },
  state: { values: ["model"] },
  stores: { values: ["model", "state"] },
  plan: { values: ["model"], types: ["state"] },
  apply: { values: ["model", "remote", "state", "plan", "api"] },
  rehearse: { values: ["model", "api", "remote", "state", "plan", "apply"] },
  import: {
    values: ["model", "workspace", "yaml", "bridge", "config", "authoring", "remote", "state", "plan"],
    types: ["api", "terraform-schema"],
    exceptions: { "import/read-organization.ts": ["api"] },
  },
  drift: { values: ["model", "workspace", "yaml", "config", "authoring", "remote", "state", "plan"] },
  run: { values: ["model"], types: ["api"] },
  policy: { values: ["model"] },
  pictures: { values: ["model"] },
  snapshot: { values: ["model", "state"] },
  conformance: { values: ["model", "api"] },
  lsp: { values: ["model", "schema", "workspace", "yaml", "config"] },
  watch: {
    values: ["model", "policy", "report", "pictures"],
    types: ["state", "plan"],
    exceptions: { "watch/queue/queue-session.ts": ["stores/postgres/postgres-connection.ts"] },
  },
  report: { values: ["model", "plan", "pictures", "policy"], types: ["apply", "drift", "run", "conformance"] },
  terraform: {
    values: ["model", "kinds", "terraform-schema", "remote", "client", "api", "workspace/hash.ts"],
    // What writes of one list are kept apart with, among processes.
    exceptions: {
      "terraform/provider.ts": ["state/lock-holder.ts", "stores/local/lock-file.ts", "stores/local/state-files.ts"],
    },
  },
  cli: {
    values: [...useCases, "model/diagnostic.ts", "report", "schema", "workspace"],
    types: [...rooms, "project"],
    exceptions: {
      // Moments without a zone are UTC there, too.
      "cli/commands/report.ts": ["model/recurrence.ts"],
      "cli/commands/serve.ts": ["service"],
      "cli/commands/terraform.ts": ["terraform"],
      "cli/plan-with-terraform.ts": ["terraform"],
      "cli/commands/watch.ts": ["watch/status/status-document.ts", "watch/queue/check-queue.ts"],
      "cli/commands/whoami.ts": ["project/whoami.ts"],
    },
  },
  project: {
    values: [
      ...["api", "model", "kinds", "schema", "terraform-schema", "workspace", "yaml", "config", "remote"],
      ...["state", "stores", "plan", "apply", "import", "drift", "authoring", "client", "service", "run", "policy"],
      ...["conformance", "snapshot", "rehearse", "lsp"],
      // What messages of import, drift and commands are written with.
      ...["report/readable-value.ts", "report/terminal-text.ts"],
      // What a watcher tells of a plan.
      ...["report/plan-text.ts", "watch"],
    ],
  },
  "index.ts": { values: [...rooms, "project"] },
  "bin.ts": { values: ["cli"] },
  "check-bin.ts": { values: ["cli"] },
  "provider-bin.ts": { values: ["terraform"] },
};

/** Rooms that may reach the disk. */
export const roomsWithDisk = ["workspace", "state", "stores", "service", "terraform", "watch", "cli"];

/** Rooms that are pure: no module of Node at all. */
export const roomsWithoutNode = [
  "api",
  "model",
  "kinds",
  "schema",
  "terraform-schema",
  "yaml",
  "plan",
  "report",
].concat("run", "policy", "pictures", "conformance", "snapshot");

/** Rooms that are synchronous. */
export const roomsWithoutAwait = [
  "api",
  "model",
  "schema",
  "terraform-schema",
  "yaml",
  "authoring",
  "plan",
  "report",
].concat("policy", "pictures", "conformance");

/** The folders and files of src/service, the lowest first: each may import those before it. */
const serviceOrder = [
  "settings.ts",
  "allowed-hosts.ts",
  "refusal.ts",
  "clock.ts",
  "agenda.ts",
  "runs",
  "store",
  "scripts",
  "core",
  "git",
  "thumbnails",
  "views",
  "rules",
  "executions",
  "start",
  "recordings",
  "reports",
  "downloads",
  "routes",
  "openapi",
  "describe-routes.ts",
  "pages",
  "faults",
  "request-log.ts",
  "instance.ts",
  "requests",
  "proxy",
  "http",
  "create-service.ts",
  "index.ts",
];

/** The same as rows. */
export const serviceLayers: Readonly<Record<string, Layer>> = Object.fromEntries(
  serviceOrder.map((room, index) => [room, { values: serviceOrder.slice(0, index) }]),
);
