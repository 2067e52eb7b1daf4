import { basename, dirname, resolve } from "node:path";
import { loadProject } from "../config/load-project.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, errorOf, hasErrors, problem, thrownWords } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { Settings, WrongSettings } from "../service/index.ts";
import { memoryStore } from "../state/store.ts";
import { diskWorkspace, readTextFile } from "../workspace/disk-workspace.ts";
import { sha256 } from "../workspace/hash.ts";
import { mainFile, type Workspace } from "../workspace/workspace.ts";
import { type ApplyUi, applyConnected } from "./apply-project.ts";
import { connectionOf } from "./connect.ts";
import { orExplained } from "./explain-failure.ts";
import { type BundledService, clientOf, serviceTransport } from "./open-client.ts";
import type { LoadedProject } from "./open-project.ts";
import type { System } from "./system.ts";

/** Fills a fresh bundled service from a project file, as an apply would. */
export async function seedService(
  service: BundledService,
  file: string,
  system: System,
): Promise<{ readonly diagnostics: readonly Diagnostic[] }> {
  return orExplained(
    async () => {
      const project = await loadSeed(resolve(system.cwd, file), system);
      if (hasErrors(project.diagnostics)) return { diagnostics: project.diagnostics };
      const way = { apiKey: service.apiKey, transport: serviceTransport(service), close: async () => undefined };
      const { authHeader } = await seedSettings(file, system);
      const auth = authHeader === undefined ? project.service.auth : { header: authHeader };
      const owner = { ...project, service: { ...project.service, organization: 1, auth } };
      const client = clientOf(way, owner, { root: project.root, system });
      const { diagnostics } = await applyConnected({
        flags: { dir: ".", vars: {}, lockTimeoutSecs: 0, autoApprove: true, forceThreshold: true },
        system,
        ui: silentUi(),
        project,
        connection: await connectionOf(owner, client, client.client),
        store: memoryStore(),
      });
      return { diagnostics: diagnostics.map(inSeed(basename(file))) };
    },
    (diagnostics) => ({ diagnostics }),
  );
}

function silentUi(): ApplyUi {
  const { signal } = new AbortController();
  return { confirm: async () => true, show: () => undefined, emit: () => undefined, signal };
}

/** The `settings` at the top of a seed file, which the service is made with, as they are; none when there are none, or no file. */
export async function seedSettings(file: string | undefined, system: System): Promise<Partial<Settings>> {
  const text = file === undefined ? "" : await readTextFile(resolve(system.cwd, file)).catch(() => "");
  return (await splitSettings(text)).settings as Partial<Settings>;
}

/** The problems of a seed's settings, at their lines. */
export async function settingProblems(
  file: string,
  { problems }: WrongSettings,
  system: System,
): Promise<readonly Diagnostic[]> {
  const { yamlLocator } = await import("../yaml/locate-yaml.ts");
  const locate = yamlLocator(basename(file), await readTextFile(resolve(system.cwd, file)));
  return [...problems].map(([name, detail]) => {
    const at = locate({ path: name === "" ? ["settings"] : ["settings", name], at: "value" });
    return { ...errorOf("LF1104", "a setting that the service does not take", detail), ...at };
  });
}

async function loadSeed(path: string, system: System): Promise<LoadedProject> {
  const [root, name] = [dirname(path), basename(path)];
  const folder = diskWorkspace(root);
  await folder.readText(name).catch(async (cause: unknown) => {
    const isThere = await folder.exists(name).catch(() => true);
    const said = thrownWords(cause);
    const words = isThere || / is a folder: /.test(said) ? said : `There is no file ${path}`;
    throw problem("LF1001", "the seed cannot be read", `${words}. Name another loadform file with --seed`);
  });
  const workspace = asMainFile(diskWorkspace(root), name);
  const env = { ...system.env, LOADFORM_URL: "memory:" };
  const project = await loadProject({ workspace, kinds, env, vars: {}, unsetEnv: "error", hash: sha256 });
  return { ...project, root, diagnostics: project.diagnostics.map(inSeed(name)) };
}

/** Diagnostics of the usual file, in a seed of this name. */
function inSeed(name: string): (each: Diagnostic) => Diagnostic {
  const named = (text: string) => text.replaceAll(mainFile, name);
  return (each) =>
    each.file === mainFile ? { ...each, file: name, summary: named(each.summary), detail: named(each.detail) } : each;
}

/** The YAML library is loaded only for a seed that has settings. */
async function splitSettings(text: string): Promise<{ readonly text: string; readonly settings: Json }> {
  if (!/^settings\s*:/m.test(text)) return { text, settings: {} };
  const { withoutMember } = await import("../yaml/yaml-places.ts");
  const { text: rest, value } = withoutMember(text, "settings");
  return { text: rest, settings: value ?? {} };
}

/** A seed may have any name; the loader looks for the usual one. */
function asMainFile(workspace: Workspace, name: string): Workspace {
  const real = (path: string) => (path === mainFile ? name : path);
  return {
    ...workspace,
    async readText(path) {
      const text = await workspace.readText(real(path));
      return path === mainFile ? (await splitSettings(text)).text : text;
    },
    readBytes: (path) => workspace.readBytes(real(path)),
    exists: async (path) => (path === mainFile || !path.startsWith("loadform.config.")) && workspace.exists(real(path)),
  };
}
