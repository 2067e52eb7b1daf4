import type { Diagnostic, Locate, Position } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { Tree } from "../model/tree.ts";
import { emptyTree, lazyTree } from "../model/tree.ts";
import { projectShape } from "../schema/project-shape.ts";
import { buildTree } from "./build-tree.ts";
import type { Validate } from "./check-document.ts";
import { checkDocument } from "./check-document.ts";
import type { DocumentProblem, Report } from "./collect-problems.ts";
import { certainProblems, collectProblems, readable } from "./collect-problems.ts";
import { declaredObjects } from "./declared-object.ts";
import type { EntryDocument, EntryInput } from "./entry-document.ts";
import type { InputHashes } from "./input-digest.ts";
import { changedTestCases, inputDigest, inputHashes, withPart } from "./input-digest.ts";
import { addressLocator, placeFinder } from "./locate-project.ts";
import { chosenEnvironment, doubtAdditions, inEnvironment } from "./merge-documents.ts";
import type { Moved, Removed } from "./moves.ts";
import { readMoved, readRemoved } from "./moves.ts";
import { readEntry } from "./read-entry.ts";
import type { FileContents } from "./read-files.ts";
import { readFiles } from "./read-files.ts";
import { secretValues } from "./secret-values.ts";
import type { ServiceSettings } from "./settings/settings.ts";
import { isLive, readName, readService } from "./settings/settings.ts";
import type { StateSettings } from "./settings/state-settings.ts";
import { readState } from "./settings/state-settings.ts";
import { resolveVariables, shownVariables } from "./variables.ts";

export type { StateSettings } from "./settings/state-settings.ts";

/** Where a project is, and everything outside its files that it depends on. */
export interface ProjectInput extends EntryInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--var name=value`. */
  readonly vars: Readonly<Record<string, string>>;
  /** An error to plan and apply, a warning to validate. */
  readonly unsetEnv: "error" | "warning";
  /** Default: the validator that is compiled at build time. */
  readonly validate?: Validate;
  /**
   * Given where plans are remembered, with the inputs of the last one: if they are equal, nothing is wrong with the project, so
   * it is not checked and its tree is built when it is looked into; if a few test cases differ, those alone are loaded.
   */
  readonly last?: { readonly inputs: InputHashes | undefined };
  /**
   * Called with what the main file says of where the project acts, and awaited, before the other files are read; not if the file
   * has problems or takes from `${env:…}`. Other files may change it: it is to be compared with the project once that is loaded.
   */
  readonly onSettings?: (settings: ProjectSettings) => Promise<void>;
}

/** Where a project acts. */
export interface ProjectSettings {
  readonly name: string;
  readonly environment?: string;
  readonly service: ServiceSettings;
  readonly state: StateSettings;
  /** The service is not the bundled one. */
  readonly live: boolean;
}

/** A project as its files declare it. With errors among its diagnostics, the rest is as good as could be made of it. */
export interface Project extends ProjectSettings {
  readonly entry: EntryDocument["kind"];
  readonly tree: Tree;
  /** Hashes of what the tree is made from; undefined where it was not asked for, or cannot be told. */
  readonly inputs?: InputHashes;
  /** Given where the tree holds only these of its test cases, and nothing was found wrong with them. */
  readonly part?: ProjectPart;
  readonly moved: readonly Moved[];
  readonly removed: readonly Removed[];
  /** Values of the variables; those from `${env:…}` are masked. */
  readonly variables?: Readonly<Record<string, Json>>;
  readonly locate: Locate;
  /** Where a variable is declared. */
  readonly locateVariable?: (name: string) => Position | undefined;
  /** What the files say of the object at an address, with nothing replaced. */
  readonly written?: (address: string) => JsonObject | undefined;
  /** Values from `${env:…}`: what a service repeats of them is not shown. */
  readonly secrets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A project of which only some test cases are looked at. */
export interface ProjectPart {
  readonly testCases: ReadonlySet<string>;
  readonly whole: () => Project;
}

/** Reads a project folder into the desired tree; every problem is a diagnostic, all of them at once. */
export async function loadProject(given: ProjectInput): Promise<Project> {
  const entry = await readEntry({ ...given, onMainFile: (document, text) => tellSettings(given, document, text) });
  const input = { ...given, ...entry.given };
  if (!entry.complete && entry.sources.length === 0) return unusable(input, entry, entry.diagnostics);
  const files = await readFiles(input.workspace, entry.texts, entry.files);
  const digest = input.last && inputDigest({ ...input, entry, files }, input.hash);
  const inputs = digest && inputHashes(digest, { entry });
  const last = input.last?.inputs;
  const isSound = inputs !== undefined && inputs.digest.all === last?.digest.all;
  const part = inputs && last && entry.complete && !isSound ? changedTestCases(inputs, last, entry.texts) : undefined;
  const validate = input.validate ?? (isSound ? undefined : await compiledValidator());
  const load = (only?: ReadonlySet<string>): Project => {
    const loaded = loadEntry({ ...input, ...(validate && { validate }), isSound }, { entry, files, only });
    return inputs === undefined ? loaded : { ...loaded, inputs };
  };
  const project = (part && soundPart(load, part)) ?? load();
  if (!entry.complete) return unusable(input, entry, certainProblems(project.diagnostics, entry.diagnostics));
  if (entry.parsed && !hasErrors(project.diagnostics)) await input.cache?.write(entry.parsed);
  return project;
}

/** Part of a project with which nothing is wrong. */
function soundPart(load: (only?: ReadonlySet<string>) => Project, testCases: ReadonlySet<string>): Project | undefined {
  const project = load(testCases);
  return project.diagnostics.length === 0 ? { ...project, part: { testCases, whole: () => load() } } : undefined;
}

async function compiledValidator(): Promise<Validate> {
  return (await import("../../gen/validate-project.js")).validateProject;
}

/** What a project is made from. */
interface Loadable {
  readonly entry: EntryDocument;
  readonly files: FileContents;
  /** Default: all test cases. */
  readonly only?: ReadonlySet<string> | undefined;
}

/** What a main file says by itself, told to whoever asked for it. */
async function tellSettings(input: ProjectInput, main: JsonObject, text: string): Promise<void> {
  const { onSettings } = input;
  if (onSettings === undefined || secretValues([text], input.env).length > 0) return;
  let isWrong = false;
  const report: Report = () => {
    isWrong = true;
  };
  const { settings } = readSettings(input, { document: main, kind: "yaml", files: new Map(), report });
  if (!isWrong) await onSettings(settings);
}

/** What settings are read from. */
interface SettingsSource extends Pick<EntryDocument, "document" | "kind"> {
  readonly files: FileContents;
  readonly report: Report;
}

/** Where a project acts, and with which document, in its environment, and variables. */
function readSettings(input: ProjectInput, { document: written, kind, files, report }: SettingsSource) {
  const { env, unsetEnv } = input;
  const environment = chosenEnvironment(input.environment, written);
  const named = environment === undefined ? {} : { environment };
  const document = inEnvironment(written, { environment, asked: input.environment, kind }, report);
  const base = { env, files, unsetEnv };
  const sources = { ...input, environment: environment ?? "" };
  const variables = resolveVariables(document.variables, sources, { scope: base, report });
  const scope = { ...base, variable: variables.get, variableNames: variables.names };
  const context = { scope, report, ...named };
  const service = readService(document, context);
  const state = readState(document, service, context);
  const settings = { name: readName(document, report), ...named, service, state, live: isLive(service.url) };
  return { settings, document, variables, scope };
}

function loadEntry(input: ProjectInput & { readonly isSound: boolean }, { entry, files, only }: Loadable): Project {
  const { kinds, env, validate, hash, isSound } = input;
  const problems: DocumentProblem[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const read = readSettings(input, { ...entry, files, report });
  const { settings, variables, scope } = read;
  const { environment, live } = settings;
  const named = environment === undefined ? {} : { environment };
  const document = withPart(read.document, only);
  const shape = projectShape(kinds);
  const check = { live, names: shape.names };
  if (validate && !isSound) {
    checkDocument(document, { ...check, report, kinds, shape, validate });
    doubtAdditions(entry.document, kinds, report);
  }
  const build = () => buildTree(document, { kinds, scope, report, check, hash, variables, entry: entry.kind });
  const tree = isSound ? lazyTree(build) : build();
  const moves = { kinds, declared: () => tree.nodes, report };
  const [moved, removed] = [readMoved(document, moves), readRemoved(document, moves)];
  const secrets = secretValues(entry.texts, env);
  const find = placeFinder({ sources: entry.sources, kinds, ...named });
  const known = { known: entry.diagnostics, isProgram: entry.kind !== "yaml" };
  return {
    ...settings,
    entry: entry.kind,
    tree,
    moved,
    removed,
    variables: shownVariables(variables),
    locate: addressLocator(kinds, find),
    locateVariable: (name) =>
      variables.names.includes(name) ? find({ path: ["variables", name], at: "key" }) : undefined,
    written: inputsOf(document, kinds),
    secrets,
    diagnostics: collectProblems(problems, { ...known, kinds, find, secrets }).map(withConstruct(entry)),
  };
}

/** Inputs by address, collected when one is asked for. */
function inputsOf(document: JsonObject, kinds: ProjectInput["kinds"]): (address: string) => JsonObject | undefined {
  let inputs: ReadonlyMap<string, JsonObject> | undefined;
  return (address) => {
    inputs ??= new Map(declaredObjects(document, kinds).map((each) => [each.address, each.input]));
    return inputs.get(address);
  };
}

/** What has no line in a file is told by the construct that made it. */
function withConstruct({ madeAt }: EntryDocument): (each: Diagnostic) => Diagnostic {
  return (each) => {
    const construct = each.address === undefined || each.line !== undefined ? undefined : madeAt?.(each.address);
    const isTold = construct === undefined || each.detail.includes(construct);
    return isTold ? each : { ...each, detail: `${each.detail} (construct ${construct})` };
  };
}

function unusable(
  { environment: asked }: ProjectInput,
  { kind, document }: EntryDocument,
  diagnostics: readonly Diagnostic[],
): Project {
  const environment = chosenEnvironment(asked, document);
  return {
    name: "",
    ...(environment === undefined ? {} : { environment }),
    entry: kind,
    service: { url: "memory:", auth: { header: "X-Api-Key" } },
    state: { backend: "memory" },
    live: false,
    tree: emptyTree,
    moved: [],
    removed: [],
    variables: {},
    locate: () => undefined,
    secrets: [],
    diagnostics: readable(diagnostics),
  };
}
