import { type Diagnostic, hasErrors, type Locate, type Position } from "../model/diagnostic.ts";
import type { Gate } from "../model/gates/gate.ts";
import { type Json, type JsonObject, objectOf } from "../model/json.ts";
import { emptyTree, type Tree } from "../model/tree.ts";
import { projectShape } from "../schema/project-shape.ts";
import { buildTree } from "./build-tree.ts";
import { checkDocument, type Validate } from "./check-document.ts";
import {
  addressLocator,
  certainProblems,
  collectProblems,
  type DocumentProblem,
  placeFinder,
  type Report,
  readable,
} from "./collect-problems.ts";
import { inputsOf } from "./declared-object.ts";
import type { EntryDocument, EntryInput, EntryLanguage } from "./entry-document.ts";
import { chosenEnvironment, doubtAdditions, inEnvironment, refuseYamlOnly } from "./merge-documents.ts";
import { type Moved, type Removed, readMoved, readRemoved } from "./moves.ts";
import { readEntry } from "./read-entry.ts";
import { contentHashes, type FileContents, type InputFiles, readContents } from "./read-files.ts";
import { readGates } from "./read-gates.ts";
import { secretValues } from "./secret-values.ts";
import { isLive, type ProjectSettings, readLimits, readName, readService } from "./settings/settings.ts";
import { readState } from "./settings/state-settings.ts";
import { resolveVariables, shownVariables, type Variables } from "./variables.ts";

/** Where a project is, and everything outside its files that it depends on. */
export interface ProjectInput extends EntryInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var name=value`. */
  readonly vars: Readonly<Record<string, string>>;
  /** An error to plan and apply, a warning to validate. */
  readonly unsetEnv: "error" | "warning";
  /** No service is asked, so that none need be named. */
  readonly isOffline?: boolean;
  /** Default: the validator that is compiled at build time. */
  readonly validate?: Validate;
}

/** A project as its files declare it. With errors among its diagnostics, the rest is as good as could be made of it. */
export interface Project extends ProjectSettings {
  readonly language: EntryLanguage;
  readonly tree: Tree;
  /** Its document before anything is replaced, and the values to replace; undefined where it cannot be read. */
  readonly parts?: ProjectParts;
  /** The files that it was read from; undefined for programs, which may read anything, and where a file is missing or wrong. */
  readonly inputs?: () => InputFiles | undefined;
  readonly moved: readonly Moved[];
  readonly removed: readonly Removed[];
  readonly gates: readonly Gate[];
  /** The place of a KPI in the files. */
  readonly locateKpi?: (gate: string, index: number) => Position | undefined;
  /** Values of the variables; those from `${env:…}` are masked. */
  readonly variables?: Readonly<Record<string, Json>>;
  readonly locate: Locate;
  readonly locateVariable?: (name: string) => Position | undefined;
  /** The instances of modules that declare test cases, by keys of these. */
  readonly instances?: ReadonlyMap<string, string>;
  /** Where values of modules' objects come from. */
  readonly findOrigin?: NonNullable<EntryDocument["modules"]>["findOrigin"];
  /** An object's text in the files by its address, with nothing replaced. */
  readonly written?: (address: string) => JsonObject | undefined;
  /** Values from `${env:…}`: they are hidden in whatever a service repeats. */
  readonly secrets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A project's document in its environment, with the test cases of its modules, and the values to replace in it. */
export interface ProjectParts {
  readonly document: JsonObject;
  readonly variables: Variables;
  readonly files: FileContents;
}

/** Reads a project folder into the desired tree; every problem is a diagnostic, all of them at once. */
export async function loadProject(given: ProjectInput): Promise<Project> {
  const entry = await readEntry(given);
  const input = { ...given, ...entry.given };
  if (!entry.complete && entry.sources.length === 0) return unusable(input, entry, entry.diagnostics);
  const files = await readContents(input.workspace, entry);
  const validate = input.validate ?? (await import("../../gen/validate-project.js")).validateProject;
  const project = loadEntry({ ...input, validate }, { entry, files });
  if (!entry.complete) return unusable(input, entry, certainProblems(project.diagnostics, entry.diagnostics));
  if (entry.parsed && !hasErrors(project.diagnostics)) await input.cache?.write(entry.parsed);
  return { ...project, inputs: inputFilesOf(entry, files, input.hash) };
}

/** The files that were read, when somebody asks: until then only hashes of the documents remain, not their texts. */
function inputFilesOf(
  { hashes: documents, sources, modules, include = [] }: EntryDocument,
  files: FileContents,
  hash: ProjectInput["hash"],
): () => InputFiles | undefined {
  const ofModules = modules && { modules: modules.hashes };
  if (documents === undefined || sources.length !== Object.keys(documents).length) return () => undefined;
  return () => {
    const contents = contentHashes(files, hash);
    return contents && { include, documents, contents, ...ofModules };
  };
}

/** Where a project acts, and with which document, in its environment, and variables. */
function readSettings(
  input: ProjectInput,
  entry: Pick<EntryDocument, "document" | "language" | "modules"> & {
    readonly files: FileContents;
    readonly report: Report;
  },
) {
  const { document: written, language, modules, files, report } = entry;
  const { env, vars, unsetEnv, isOffline = false } = input;
  const environment = chosenEnvironment(input.environment, written);
  const named = environment === undefined ? {} : { environment };
  const patched = inEnvironment(written, { environment, asked: input.environment, language }, report);
  const document = withTestCases(patched, modules);
  const base = { env, files, unsetEnv };
  const sources = { env, vars, environment: environment ?? "" };
  const variables = resolveVariables(document.variables, sources, { scope: base, report });
  const scope = { ...base, variable: variables.get, variableNames: variables.names };
  const context = { scope, report, ...named, isOffline };
  const service = readService(document, context);
  const state = readState(document, service, context);
  const limits = readLimits(document, context);
  const name = readName(document, context);
  const settings = { name, ...named, service, state, live: isLive(service.url), ...(limits && { limits }) };
  return { settings, document, variables, scope };
}

function withTestCases(document: JsonObject, modules: EntryDocument["modules"]): JsonObject {
  if (modules === undefined) return document;
  return { ...document, testCases: { ...objectOf(document.testCases), ...modules.testCases } };
}

function loadEntry(
  input: ProjectInput & { readonly validate: Validate },
  { entry, files }: { readonly entry: EntryDocument; readonly files: FileContents },
): Project {
  const { kinds, env, validate, hash } = input;
  const problems: DocumentProblem[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const { settings, document, variables, scope } = readSettings(input, { ...entry, files, report });
  const { environment, live } = settings;
  const named = environment === undefined ? {} : { environment };
  const shape = projectShape(kinds);
  const check = { live, names: shape.names };
  const hasGaps = entry.modules !== undefined && hasErrors(entry.diagnostics);
  checkDocument(document, { ...check, report, kinds, shape, validate, hasGaps });
  doubtAdditions(entry.document, kinds, report);
  if (entry.language !== "yaml") refuseYamlOnly(entry.document, report);
  const making = { variables, language: entry.language, inModule: entry.modules?.inModule };
  const tree = buildTree(document, { kinds, scope, report, check, hash, ...making });
  const moves = { kinds, declared: () => tree.nodes, report };
  const [moved, removed] = [readMoved(document, moves), readRemoved(document, moves)];
  const gates = readGates(document, { scope, report, declared: tree.nodes });
  const { modules } = entry;
  const secrets = secretValues([...entry.texts, modules?.text ?? ""], env);
  const inModules = modules && { findInModules: modules.find };
  const find = placeFinder({ sources: entry.sources, kinds, ...named, ...inModules });
  const known = { known: entry.diagnostics, isProgram: entry.language !== "yaml" };
  return {
    ...settings,
    language: entry.language,
    tree,
    moved,
    removed,
    gates,
    variables: shownVariables(variables),
    locate: addressLocator(kinds, find),
    locateKpi: (gate, index) => find({ path: ["gates", gate, "kpis", index], at: "value" }),
    locateVariable: (name) =>
      variables.names.includes(name) ? find({ path: ["variables", name], at: "key" }) : undefined,
    written: inputsOf(document, kinds),
    ...(modules && { instances: modules.instances, findOrigin: modules.findOrigin }),
    parts: { document, variables, files },
    secrets,
    diagnostics: collectProblems(problems, { ...known, kinds, find, secrets }).map(withConstruct(entry)),
  };
}

/** A problem without a line in a file names the construct that made its object. */
function withConstruct({ madeAt }: EntryDocument): (each: Diagnostic) => Diagnostic {
  return (each) => {
    const construct = each.address === undefined || each.line !== undefined ? undefined : madeAt?.(each.address);
    const isTold = construct === undefined || each.detail.includes(construct);
    return isTold ? each : { ...each, detail: `${each.detail} (construct ${construct})` };
  };
}

function unusable(
  { environment: asked }: ProjectInput,
  { language, document }: EntryDocument,
  diagnostics: readonly Diagnostic[],
): Project {
  const environment = chosenEnvironment(asked, document);
  return {
    name: "",
    ...(environment === undefined ? {} : { environment }),
    language,
    service: { url: "memory:", auth: { header: "X-Api-Key" } },
    state: { backend: "memory" },
    live: false,
    tree: emptyTree,
    moved: [],
    removed: [],
    gates: [],
    variables: {},
    locate: () => undefined,
    secrets: [],
    diagnostics: readable(diagnostics),
  };
}
