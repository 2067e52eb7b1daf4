import { posix } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type JsonObject, objectOf } from "../model/json.ts";
import { cdktfFile, mainFile, programFile, type Workspace } from "../workspace/workspace.ts";
import { type EntryDocument, type EntryInput, emptyEntry } from "./entry-document.ts";
import { expandText, isUnset } from "./expand.ts";
import { includesIn, loadDocuments } from "./load-documents.ts";
import { chosenEnvironment, mergeDocuments, withEnvironment } from "./merge-documents.ts";
import { needsModules } from "./modules/outside-modules.ts";
import { rebaseUses } from "./modules/read-uses.ts";

/** Reads loadform.config.ts, or else loadform.yaml with the files it includes, or else a program for Terraform. */
export async function readEntry(input: EntryInput): Promise<EntryDocument> {
  const { workspace } = input;
  if (await workspace.exists(programFile)) {
    const { readTypeScript } = await import("./read-typescript.ts");
    return readTypeScript(programFile, input);
  }
  if (await workspace.exists(mainFile)) return readYaml(input);
  return (await readProgram(input)) ?? emptyEntry(await noEntry(workspace));
}

/** The program of cdktf.json, or files in Terraform's JSON syntax. */
async function readProgram(input: EntryInput): Promise<EntryDocument | undefined> {
  const { workspace } = input;
  const isCdktf = await workspace.exists(cdktfFile);
  const files = isCdktf ? [] : await workspace.glob(["*.tf.json"]).catch(() => []);
  if (!isCdktf && files.length === 0) return undefined;
  const { readCdktf, readTerraformFiles } = await import("../bridge/program/read-terraform.ts");
  return isCdktf ? readCdktf(cdktfFile, input) : readTerraformFiles(files, input);
}

async function readYaml(input: EntryInput): Promise<EntryDocument> {
  const { loaded, known, ...documents } = await loadDocuments(mainFile, input, includesIn(input.environment));
  // Modules are named by paths from the project's folder.
  const sources = documents.sources.map((source) => {
    const isUsing = source.value["use"] !== undefined || source.value["environments"] !== undefined;
    return isUsing ? { ...source, value: rebaseUses(source.value, posix.dirname(source.file)) } : source;
  });
  const merged = mergeDocuments(sources, input.kinds);
  const diagnostics = [...documents.diagnostics, ...merged.diagnostics];
  const entry = { language: "yaml" as const, document: merged.document, ...documents, sources, diagnostics };
  const isUsing = needsModules({ sources, texts: documents.texts });
  const read = { ...input, known, loaded };
  const whole = isUsing ? await (await import("./modules/module-document.ts")).withModules(entry, read) : entry;
  return { ...whole, parsed: merged.diagnostics.length === 0 ? whole.parsed : undefined };
}

/** Entries under endings that are not looked for. */
const misnamed = ["loadform.yml", ...["js", "mjs", "cjs", "mts", "cts"].map((ending) => `loadform.config.${ending}`)];

async function noEntry(workspace: Workspace): Promise<Diagnostic> {
  const usual = [...misnamed, "*.loadform.yaml", "*/loadform.yaml", "*/loadform.config.ts"];
  // Only a hint: a folder that may not be read must not hide the real problem.
  const near: readonly string[] = await workspace.glob(usual).catch(() => []);
  const there = near.length > 0 ? ` There is ${near.slice(0, 3).join(", ")}.` : "";
  const lack = `${workspace.root} has no ${mainFile}, no ${programFile} and no ${cdktfFile}`;
  const found = misnamed.find((each) => near.includes(each));
  const detail = found
    ? `${lack}. There is ${found}: rename ${found} to ${found === misnamed[0] ? mainFile : programFile}`
    : `${lack}. Name another folder, or run loadform init.${there}`;
  return { severity: "error", code: "LF1001", summary: "no project here", detail };
}

/** A project, and the environment that a command names. */
interface ServiceQuery extends EntryInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly environment?: string;
}

/** The service that a project names now, as far as its YAML says so without variables. */
interface DeclaredService {
  readonly source: "$LOADFORM_URL" | "service.url";
  readonly url?: string;
  readonly organization?: string | number;
}

/** The service that commands on a project act on; $LOADFORM_URL wins. A folder without a project declares none. */
export async function declaredService(query: ServiceQuery): Promise<DeclaredService> {
  const override = query.env["LOADFORM_URL"];
  const { url, organization } = await serviceIn(query).catch(() => ({}) as JsonObject);
  const text = (value: unknown) => knownText(value, query.env);
  const named = typeof organization === "number" ? organization : text(organization);
  const found = override !== undefined && override !== "" ? override : text(url);
  return {
    source: found === override ? "$LOADFORM_URL" : "service.url",
    ...(found !== undefined && { url: found }),
    ...(named !== undefined && { organization: named }),
  };
}

/** A program is not run for it. */
async function serviceIn(query: ServiceQuery): Promise<JsonObject> {
  const { workspace, environment } = query;
  if ((await workspace.exists(programFile)) || !(await workspace.exists(mainFile))) return {};
  const { document, complete } = await readEntry(query);
  const { service } = withEnvironment(document, chosenEnvironment(environment, document));
  return complete ? objectOf(service) : {};
}

/** A text that is known without variables: what `--var` set is not. */
function knownText(value: unknown, env: ServiceQuery["env"]): string | undefined {
  if (typeof value !== "string" || value === "" || /\$\{(?:var|file):/.test(value)) return undefined;
  const scope = { env, files: new Map(), variable: () => undefined, variableNames: [], unsetEnv: "warning" as const };
  const expanded = expandText(value, scope).value;
  return isUnset(expanded) || typeof expanded !== "string" ? undefined : expanded;
}
