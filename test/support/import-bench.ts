import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Api } from "../../src/api/routes.ts";
import { createClient } from "../../src/client/index.ts";
import type { ImportOutcome } from "../../src/import/import-files.ts";
import { loadImported, openTarget } from "../../src/import/import-target.ts";
import type { Wanted } from "../../src/import/select-nodes.ts";
import { kinds } from "../../src/kinds/index.ts";
import type { Connection } from "../../src/project/connect.ts";
import { importConnected } from "../../src/project/import-project.ts";
import { serviceTransport } from "../../src/project/open-client.ts";
import { freshState } from "../../src/project/open-state.ts";
import { type PlanOutcome, planOpened } from "../../src/project/plan-opened.ts";
import { optionsOf } from "../../src/project/plan-project.ts";
import { memoryStore, type StateStore, type StoredState } from "../../src/state/store.ts";
import { diskWorkspace } from "../../src/workspace/disk-workspace.ts";
import { loadProgram } from "./load-program.ts";
import type { Rig } from "./rig.ts";

/** What is asked of one import. */
interface AskedImport {
  readonly wanted?: Wanted;
  readonly format?: "yaml" | "ts";
}

/** A project folder that imports from the service of a rig. */
export interface ImportBench {
  readonly root: string;
  readonly store: StateStore;
  readonly import: (asked?: AskedImport) => Promise<ImportOutcome>;
  /** Plans the files of the folder; default: with the state in the store. */
  readonly plan: (env?: Readonly<Record<string, string>>, given?: StoredState) => Promise<PlanOutcome>;
  /** Every file of the folder but what loadform keeps for itself, by path. */
  readonly files: () => Readonly<Record<string, string>>;
  readonly remove: () => void;
}

/** How a bench looks at the service. */
export interface BenchOptions {
  readonly name?: string;
  /** Default: the bundled service. */
  readonly url?: string;
  /** Changes what the service answers, to look like one that does things its own way. */
  readonly see?: (route: string, answer: unknown) => unknown;
}

/** A fresh folder beside the service of a rig. */
export function importBench(rig: Rig, options: BenchOptions = {}): ImportBench {
  const { name = "shop", url = "memory:service.json" } = options;
  const parent = mkdtempSync(join(tmpdir(), "loadform-import-"));
  const root = join(parent, name);
  const store = memoryStore();
  const base = { LOADFORM_URL: url };
  const loading = { kinds, env: base, loadModule: loadProgram };
  const system = { ...rig.system, env: base, cwd: root };
  return {
    root,
    store,
    async import({ wanted = "all", format = "yaml" } = {}) {
      const flags = { dir: root, wanted, format };
      const target = await openTarget(root, loading);
      const project = { ...target.project, root };
      const connection = connectionTo(rig, options);
      return importConnected({ flags, system, target, project, connection, store, loading });
    },
    async plan(env = {}, given) {
      const project = { ...(await loadImported(diskWorkspace(root), { ...loading, env: { ...base, ...env } })), root };
      const stored = given ?? (await store.read()) ?? freshState(project);
      return planOpened({ connection: connectionTo(rig, options), project, stored, options: optionsOf({}), system });
    },
    files: () => filesBelow(root),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

function connectionTo(rig: Rig, { see }: BenchOptions): Connection {
  const client = createClient({
    url: "http://bundled",
    apiKey: "local",
    transport: serviceTransport(rig.service),
    clock: rig.system,
    random: () => 0.5,
  });
  const api: Api = see
    ? { call: async (route, ...rest) => see(route, await client.call(route, ...rest)) as never }
    : client;
  return {
    api,
    client,
    target: { url: "memory:", organization: 1 },
    embedded: true,
    openingRequests: 0,
    close: async () => undefined,
  };
}

function filesBelow(root: string): Readonly<Record<string, string>> {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => !path.startsWith(".loadform/") && statSync(join(root, path)).isFile(),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), "latin1")]));
}
