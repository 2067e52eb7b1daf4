import type { Api } from "../api/routes.ts";
import { type TerraformFiles, terraformFiles } from "../bridge/hcl/files.ts";
import { type Diagnostic, errorOf, problem } from "../model/diagnostic.ts";
import { isObject, itemsOf, type JsonObject, sameJson, valueAt } from "../model/json.ts";
import type { Target } from "../model/target.ts";
import { emptyTree } from "../model/tree.ts";
import { fillContents } from "../remote/fill-contents.ts";
import type { TerraformSchema } from "../terraform-schema/schema.ts";
import { pathsInTheWay } from "../workspace/add-files.ts";
import { sha256 } from "../workspace/hash.ts";
import { withTemporaryFolder } from "../workspace/temporary-folder.ts";
import { writeFolder } from "../workspace/write-files.ts";
import { type ImportOutcome, noImport } from "./import-files.ts";
import { checkPlace, type ExistingFiles, existingFiles, type Staging, withStaging } from "./import-folder.ts";
import { leftOutProblems, openPasswordProblems, unmatchedProblems } from "./import-problems.ts";
import type { ImportLoading, ImportTarget } from "./import-target.ts";
import { type Imported, importTree } from "./import-tree.ts";
import { readOrganization } from "./read-organization.ts";
import { type OneObject, selectNodes, type Wanted } from "./select-nodes.ts";

/** Terraform's plan of a configuration. */
export type TerraformPlan =
  | { readonly is: "planned"; readonly plan: JsonObject }
  /** It refused the configuration, in its own words. */
  | { readonly is: "refused"; readonly words: string }
  /** There is no Terraform to ask. */
  | { readonly is: "absent"; readonly why: string };

/** Plans the configuration in a folder; `env` is set beside what the process has. */
export type PlanTerraform = (folder: string, env: Readonly<Record<string, string>>) => Promise<TerraformPlan>;

/** An import into files for Terraform, with everything open. */
export interface TerraformImport {
  readonly api: Api;
  readonly service: Target;
  readonly target: ImportTarget;
  readonly loading: ImportLoading;
  readonly chosen: Exclude<Wanted, OneObject>;
  /** Nothing is written, only said what would be. */
  readonly dryRun?: boolean | undefined;
  readonly schema: TerraformSchema;
  readonly version: string;
  /** Absent where Terraform could not reach the service: it lives in this process. */
  readonly plan: PlanTerraform | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes live objects as a Terraform configuration with an `import` block each, proved by a plan of Terraform that imports
 * all of them and changes nothing. The state of loadform is neither read nor written: Terraform's own will own them.
 */
export async function importTerraform(work: TerraformImport): Promise<ImportOutcome> {
  const { target, loading, chosen, api, service, signal } = work;
  const { kinds } = loading;
  const { tree, notices } = await readOrganization(work.api, work);
  if (signal?.aborted) return noImport("interrupted", []);
  const selection = selectNodes(tree, kinds, chosen);
  if (selection.unmatched.length > 0) return noImport("failed", unmatchedProblems(selection.unmatched));
  const known = (handle: string) => (selection.handles.has(handle) ? {} : undefined);
  const live = await fillContents(tree, { api, organization: service.organization, kinds, hash: sha256, known });
  const existing = await existingFiles(target);
  const imported = importTree(kinds, {
    live,
    wanted: selection.handles,
    declared: emptyTree,
    bound: new Map(),
    known: new Set(),
    defaults: {},
    isLive: target.project.live,
    dropped: new Map(),
    isTaken: existing.isTaken,
    language: "terraform",
  });
  const problems = [...notices(selection.handles), ...leftOutProblems(imported.leftOut)];
  const outcome = await placeFiles({ ...work, existing, problems }, imported);
  return { ...outcome, diagnostics: [...outcome.diagnostics, ...openPasswordProblems(outcome.objects, live)] };
}

/** A state has the values of all attributes, sensitive ones too: what Terraform makes beside the files is not for git. */
const ignoreFile = ".gitignore";
const ignored = ".terraform/\n*.tfstate\n*.tfstate.*\n";

interface Placing extends TerraformImport {
  readonly existing: ExistingFiles;
  readonly problems: readonly Diagnostic[];
}

async function placeFiles(work: Placing, imported: Imported): Promise<ImportOutcome> {
  const { target, existing, problems, signal, dryRun } = work;
  const { bindings, contents } = imported;
  if (Object.keys(bindings).length === 0) return noImport("nothing", problems);
  const made = await layOut(work, imported, await isConfigured(target));
  const proof = await prove(work, made, await layOut(work, imported, false), bindings);
  // Terraform, which a signal ends as well, refused nothing.
  if (signal?.aborted) return noImport("interrupted", problems);
  if (proof.some(({ severity }) => severity === "error")) return noImport("failed", [...problems, ...proof]);
  const isReady = (path: string) => contents.has(path) && existing.isThere(path);
  const files = new Map([...made.files].filter(([path]) => !isReady(path)));
  if ((await pathsInTheWay(target.root, [ignoreFile])).length === 0) files.set(ignoreFile, ignored);
  const placed = { files, changed: new Map<string, string>() };
  const place = async ({ write, written, putInPlace }: Staging) => {
    write(files);
    await written();
    if (signal?.aborted) return false;
    await putInPlace(placed);
    return true;
  };
  if (dryRun) await checkPlace(target, placed);
  const isDone = dryRun || (await withStaging(target, place));
  if (!isDone) return noImport("interrupted", problems);
  return {
    status: "imported",
    files: [...files.keys()].sort(),
    ...(dryRun && { dryRun }),
    objects: Object.entries(bindings).map(([address, { kind, id }]) => ({ address, kind, id })),
    environment: made.variables.map(({ name, address, attribute }) => ({
      name: `TF_VAR_${name}`,
      address,
      path: attribute,
    })),
    requests: 0,
    diagnostics: [...problems, ...proof],
  };
}

async function layOut({ target, schema, loading, version }: Placing, imported: Imported, isConfigured: boolean) {
  const { service, live } = target.project;
  if ("query" in service.auth) {
    const detail =
      "service.auth.query is set, but Terraform's provider sends the key in a header. Import with another service.auth";
    throw problem("LF3012", "the key would be sent in another way", detail);
  }
  return terraformFiles(imported, { schema, kinds: loading.kinds, service, live, version, isConfigured });
}

/** True where a file of the folder names the provider's source. */
async function isConfigured({ workspace }: ImportTarget): Promise<boolean> {
  const all = await Promise.all((await workspace.glob(["*.tf", "*.tf.json"])).map((path) => workspace.readText(path)));
  return all.some((text) => text.includes("loadform/loadform"));
}

/** Terraform plans the files by themselves: whatever else is in the folder is none of this import. */
async function prove(
  { target, plan }: Placing,
  { variables, names }: TerraformFiles,
  { files }: TerraformFiles,
  bindings: Imported["bindings"],
): Promise<readonly Diagnostic[]> {
  if (plan === undefined)
    return [
      notProved(
        "the service runs in this process, where Terraform cannot reach it. Start it with loadform serve --data FILE and set $LOADFORM_URL",
      ),
    ];
  const values = variables.map(({ name }) => [`TF_VAR_${name}`, `value of ${name} during import`]);
  const env = { LOADFORM_URL: target.project.service.url, ...Object.fromEntries(values) };
  const made = await withTemporaryFolder(async (folder) => {
    await writeFolder(folder, files);
    return plan(folder, env);
  }, target.root);
  if (made.is === "absent") return [notProved(made.why)];
  if (made.is === "refused") {
    const words = made.words.trim().replaceAll(/^/gm, "  ");
    const detail = `It makes no plan that imports every object. It says:\n${words}\nNothing was written`;
    return [errorOf("LF3013", "Terraform refuses the import", detail)];
  }
  return changesOf(made.plan, new Map(Object.keys(bindings).map((address) => [names.get(address) ?? "", address])));
}

function notProved(why: string): Diagnostic {
  const detail = `No plan of Terraform shows that it imports every object and changes nothing: ${why}. The files were written all the same: look at \`loadform terraform -- plan\` before you apply them`;
  return { severity: "warning", code: "LF3013", summary: "the import is not proved", detail };
}

/** Everything in a plan of Terraform that is not the import of an object without a change. */
function changesOf(plan: JsonObject, addresses: ReadonlyMap<string, string>): readonly Diagnostic[] {
  const changes = itemsOf(plan["resource_changes"]).filter(isObject);
  const pure = new Set(changes.filter(isPureImport).map(({ address }) => String(address)));
  return [...addresses].flatMap(([name, address]): Diagnostic[] => {
    if (pure.has(name)) return [];
    const found = changes.find((change) => change["address"] === name);
    const detail = `Terraform's plan has ${changeWords(found)} where it must import ${name} without a change. Nothing was written`;
    return [{ severity: "error", code: "LF3013", summary: `${name} differs`, detail, address }];
  });
}

function isPureImport({ change }: JsonObject): boolean {
  if (!isObject(change) || !isObject(change["importing"])) return false;
  return sameJson(change["actions"] ?? null, ["no-op"]);
}

function changeWords(found: JsonObject | undefined): string {
  const change = found?.["change"];
  if (!isObject(change)) return "nothing";
  const [before, after] = [change["before"], change["after"]];
  const names = isObject(before) && isObject(after) ? Object.keys({ ...before, ...after }) : [];
  const changed = names.filter((name) => !sameJson(valueAt(before, [name]) ?? null, valueAt(after, [name]) ?? null));
  const actions = Array.isArray(change["actions"]) ? change["actions"].join(" and ") : "a change";
  return `${actions} of ${changed.length === 0 ? "it" : changed.join(", ")}`;
}
