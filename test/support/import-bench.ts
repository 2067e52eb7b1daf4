import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Api } from "../../src/api/routes.ts";
import { createClient } from "../../src/client/index.ts";
import { loadTypeScript } from "../../src/config/load-typescript.ts";
import type { Wanted } from "../../src/import/select-nodes.ts";
import type { Connection } from "../../src/project/connect.ts";
import { loadImported, openBase } from "../../src/project/import-base.ts";
import type { ImportOutcome } from "../../src/project/import-outcome.ts";
import { importConnected } from "../../src/project/import-project.ts";
import type { PlanOutcome } from "../../src/project/plan-project.ts";
import { freshState, optionsOf, planWith } from "../../src/project/plan-project.ts";
import { serviceTransport } from "../../src/project/service-transport.ts";
import { memoryStore } from "../../src/state/memory-store.ts";
import type { StateStore } from "../../src/state/store.ts";
import { diskWorkspace } from "../../src/workspace/disk-workspace.ts";
import type { Rig } from "./rig.ts";
import { repository } from "./source-files.ts";

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
  /** Plans what stands in the folder now. */
  readonly plan: (env?: Readonly<Record<string, string>>) => Promise<PlanOutcome>;
  /** Every file of the folder but what loadform keeps for itself, by path. */
  readonly files: () => Readonly<Record<string, string>>;
  readonly remove: () => void;
}

const entry = join(repository, "test/fixtures/typescript/loadform-entry.ts");

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
  const loading = { env: base, loadModule: (path: string) => loadTypeScript(path, entry) };
  const world = { ...rig.world, env: base, cwd: root };
  return {
    root,
    store,
    async import({ wanted = "all", format = "yaml" } = {}) {
      const flags = { dir: root, wanted, format };
      return importConnected({
        flags,
        world,
        base: await openBase(root, loading),
        connection: connectionTo(rig, options),
        store,
        loading,
      });
    },
    async plan(env = {}) {
      const project = { ...(await loadImported(diskWorkspace(root), { ...loading, env: { ...base, ...env } })), root };
      const stored = (await store.read()) ?? freshState(project);
      return planWith({ connection: connectionTo(rig, options), project, stored, options: optionsOf({}), world });
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
    clock: rig.world,
    random: () => 0.5,
  });
  const api: Api = see
    ? { call: async (route, ...rest) => see(route, await client.call(route, ...rest)) as never }
    : client;
  return {
    api,
    client,
    target: { url: "memory:", organization: 1 },
    filtered: true,
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
