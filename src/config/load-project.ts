import type { Code } from "../model/codes.ts";
import type { Diagnostic, Locate, Position } from "../model/diagnostic.ts";
import { hasErrors, inReadingOrder } from "../model/diagnostic.ts";
import { didYouMean, nearest } from "../model/did-you-mean.ts";
import type { Hash } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { redactor } from "../model/redact.ts";
import type { Tree } from "../model/tree.ts";
import { emptyTree } from "../model/tree.ts";
import { projectShape } from "../schema/project-shape.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { buildTree } from "./build-tree.ts";
import type { Validate } from "./check-document.ts";
import { checkDocument } from "./check-document.ts";
import { addressOfPath } from "./declared-object.ts";
import { withHint } from "./describe-value.ts";
import type { EntryDocument, LoadModule } from "./entry-document.ts";
import type { Scope } from "./expand.ts";
import { fillRequired } from "./fill-required.ts";
import { addressLocator, placeFinder } from "./locate-project.ts";
import { withEnvironment } from "./merge-patch.ts";
import type { Moved, Removed } from "./moves.ts";
import { readMoved, readRemoved } from "./moves.ts";
import type { ParseCache } from "./parse-cache.ts";
import type { Place, Problem, Report } from "./place.ts";
import { toDiagnostic } from "./place.ts";
import { readEntry } from "./read-entry.ts";
import { readFiles } from "./read-files.ts";
import { secretValues } from "./secret-values.ts";
import type { ServiceSettings, StateSettings } from "./settings.ts";
import { isLive, readService, readState } from "./settings.ts";
import { resolveVariables, shownVariables } from "./variables.ts";

export type { StateSettings } from "./settings.ts";

/** Where a project is, and everything outside its files that it depends on. */
export interface ProjectInput {
  readonly workspace: Workspace;
  readonly kinds: readonly AnyKind[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--env NAME`. */
  readonly environment?: string;
  /** `--var name=value`. */
  readonly vars: Readonly<Record<string, string>>;
  /** An error to plan and apply, a warning to validate. */
  readonly unsetEnv: "error" | "warning";
  readonly hash: Hash;
  /** Default: the validator that is compiled at build time. */
  readonly validate?: Validate;
  readonly cache?: ParseCache;
  /** Default: jiti. */
  readonly loadModule?: LoadModule;
}

/** A project as its files declare it. With errors among its diagnostics, the rest is as good as could be made of it. */
export interface Project {
  readonly name: string;
  readonly environment?: string;
  readonly entry: "yaml" | "typescript";
  readonly service: ServiceSettings;
  readonly state: StateSettings;
  /** The service is not the bundled one. */
  readonly live: boolean;
  readonly tree: Tree;
  readonly moved: readonly Moved[];
  readonly removed: readonly Removed[];
  /** Values of the variables; those that came from `${env:…}` are masked. */
  readonly variables?: Readonly<Record<string, Json>>;
  readonly locate: Locate;
  /** Values from `${env:…}`: what somebody else repeats of them is not shown. */
  readonly secrets: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a project folder into the desired tree; every problem is a diagnostic, all of them at once. */
export async function loadProject(input: ProjectInput): Promise<Project> {
  const entry = await readEntry(input);
  if (!entry.complete && entry.sources.length === 0) return unusable(input, entry.diagnostics, entry);
  const contents = await readFiles(input.workspace, entry.texts);
  const validate = input.validate ?? (await compiledValidator());
  const loading: Loading = { input, entry, validate, contents };
  const project = loadEntry(loading);
  if (!entry.complete) return unusable(input, certain(project.diagnostics, entry), entry);
  if (entry.parsed && !hasErrors(project.diagnostics)) await input.cache?.write(entry.parsed);
  return project;
}

/** Problems that no part which could not be read would take away, as defaults, variables and other objects in it may. */
const independent: ReadonlySet<Code> = new Set([
  "LF1002",
  "LF1005",
  "LF1101",
  "LF1102",
  "LF1104",
  "LF1105",
  "LF1203",
  "LF1303",
]);

function certain(all: readonly Diagnostic[], { diagnostics }: EntryDocument): readonly Diagnostic[] {
  return all.filter((each) => independent.has(each.code) || diagnostics.includes(each));
}

async function compiledValidator(): Promise<Validate> {
  return (await import("../../gen/validate-project.js")).validateProject;
}

interface Loading {
  readonly input: ProjectInput;
  readonly entry: EntryDocument;
  readonly validate: Validate;
  readonly contents: Scope["files"];
}

function loadEntry({ input, entry, validate, contents }: Loading): Project {
  const { kinds, environment } = input;
  const problems: Problem[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const find = placeFinder({ sources: entry.sources, kinds, ...(environment === undefined ? {} : { environment }) });
  const document = effectiveDocument(entry.document, environment, report);
  const base = { env: input.env, files: contents, unsetEnv: input.unsetEnv };
  const variables = resolveVariables(document.variables, input, { scope: base, report });
  const scope: Scope = { ...base, variable: variables.get, variableNames: variables.names };
  const settings = { scope, report, ...(environment === undefined ? {} : { environment }) };
  const service = readService(document, settings);
  const state = readState(document, service, settings);
  const live = isLive(service.url);
  const shape = projectShape(kinds);
  const check = { live, names: shape.names };
  checkDocument(fillRequired(document, kinds), { ...check, report, shape, validate });
  const tree = buildTree(document, { kinds, scope, report, check, hash: input.hash, variables });
  const moves = { kinds, declared: tree.nodes, report };
  const secrets = secretValues(entry.texts, input.env);
  return {
    name: readName(document, report),
    ...(environment === undefined ? {} : { environment }),
    entry: entry.kind,
    service,
    state,
    live,
    tree,
    moved: readMoved(document, moves),
    removed: readRemoved(document, moves),
    variables: shownVariables(variables),
    locate: addressLocator(kinds, find),
    secrets,
    diagnostics: settle({
      known: entry.diagnostics,
      problems,
      find,
      redact: redactor(secrets),
      kinds,
      entry,
    }),
  };
}

/** The document with the environment's patch in it. */
function effectiveDocument(document: JsonObject, name: string | undefined, report: Report): JsonObject {
  if (name === undefined) return document;
  const environments = isObject(document.environments) ? document.environments : {};
  if (Object.hasOwn(environments, name)) return withEnvironment(document, name);
  const hint = didYouMean(name, Object.keys(environments));
  const detail = withHint(`found --env ${name}; expected a name under environments`, hint);
  const place: Place = { path: ["environments"], at: "key" };
  report({ severity: "error", code: "LF1304", summary: `unknown environment ${name}`, detail, place });
  return document;
}

function readName(document: JsonObject, report: Report): string {
  const { project } = document;
  if (typeof project === "string" && project.trim() !== "") return project.trim();
  const isMisspelt = Object.keys(document).some((key) => nearest(key, ["project"]) !== undefined);
  if ((project !== undefined && project !== null) || isMisspelt) return "";
  const detail = "found no project; expected a name for the stack in state and output, e.g. project: webshop";
  report({ severity: "error", code: "LF1103", summary: "project is missing", detail, place: { path: [], at: "key" } });
  return "";
}

interface Settlement {
  readonly known: readonly Diagnostic[];
  readonly problems: readonly Problem[];
  readonly find: (place: Place) => Position | undefined;
  readonly redact: (text: string) => string;
  readonly kinds: readonly AnyKind[];
  readonly entry: Pick<EntryDocument, "kind">;
}

/** Problems with their places, each said once, in reading order. */
function settle({ known, problems, find, redact, kinds, entry }: Settlement): readonly Diagnostic[] {
  const shown = problems.map((problem): Problem => {
    const address = problem.address ?? addressOfPath(problem.place.path, kinds);
    const words = { summary: redact(problem.summary), detail: redact(problem.detail) };
    return { ...problem, ...words, ...(address === undefined ? {} : { address }) };
  });
  const all = [...known, ...shown.map((problem) => toDiagnostic(problem, find))];
  // A line of YAML says something once, whatever repeats it; a line of a program makes many objects.
  const isProgram = entry.kind === "typescript";
  const byText = new Map(all.map((diagnostic) => [placeText(diagnostic, isProgram), diagnostic]));
  return limited(inReadingOrder([...byText.values()]));
}

/** More problems than anybody reads; a file that is none of ours can have any number. */
const mostShown = 500;

function limited(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const [shown, left] = [all.slice(0, mostShown), all.slice(mostShown)];
  const [first] = left;
  if (first === undefined) return all;
  const severity = hasErrors(left) ? "error" : "warning";
  const detail = `found ${left.length} more problems than these; expected none: solve these first, then look again`;
  return [...shown, { severity, code: first.code, summary: `and ${left.length} more problems`, detail }];
}

function placeText({ code, summary, file, line, column, address }: Diagnostic, isProgram: boolean): string {
  return JSON.stringify([code, summary, file, line, column, line === undefined || isProgram ? address : ""]);
}

function unusable(
  input: ProjectInput,
  diagnostics: readonly Diagnostic[],
  entry: Pick<EntryDocument, "kind">,
): Project {
  return {
    name: "",
    ...(input.environment === undefined ? {} : { environment: input.environment }),
    entry: entry.kind,
    service: { url: "memory:", auth: { header: "X-Api-Key" } },
    state: { backend: "memory" },
    live: false,
    tree: emptyTree,
    moved: [],
    removed: [],
    variables: {},
    locate: () => undefined,
    secrets: [],
    diagnostics: limited(inReadingOrder(diagnostics)),
  };
}
