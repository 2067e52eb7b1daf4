import { createRequire } from "node:module";
import type { DocumentPath, DocumentPlace, Position } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { EntryDocument, EntryInput, LoadModule } from "./entry-document.ts";
import { emptyEntry } from "./entry-document.ts";
import { programProblem, stackPosition } from "./program-problem.ts";

/** What an App hands over (src/constructs): the document that YAML would hold, and where its objects were made. */
interface ProjectDocument {
  readonly document: JsonObject;
  /** Errors with the stack of the constructor, by document path, joined by `/`. */
  readonly stacks: ReadonlyMap<string, Error>;
}

/** Imports the TypeScript entry and takes the document of its App. */
export async function readTypeScript(file: string, input: EntryInput): Promise<EntryDocument> {
  const { workspace } = input;
  const path = `${workspace.root}/${file}`;
  const load = input.loadModule ?? (await loader(input));
  try {
    const app = defaultExport(await inEnvironment(input.environment, () => load(path)));
    if (app === undefined) return emptyEntry(noApp(file), "typescript");
    const made = app.toDocument();
    const text = JSON.stringify(made.document);
    const document = JSON.parse(text) as JsonObject;
    const locate = (place: DocumentPlace) =>
      locateInStacks(place.path, made.stacks, workspace.root) ?? inFile(place, file);
    return {
      kind: "typescript",
      document,
      sources: [{ locate }],
      texts: [text],
      diagnostics: [],
      complete: true,
      parsed: undefined,
    };
  } catch (error) {
    return emptyEntry(await programProblem(error, { file, workspace }), "typescript");
  }
}

/** Runs a program with $LOADFORM_ENV as it was asked for, which is what an App reads its environment from. */
async function inEnvironment<T>(asked: string | undefined, run: () => Promise<T>): Promise<T> {
  const { LOADFORM_ENV: former } = process.env;
  const set = (value: string | undefined) => {
    if (value === undefined) delete process.env["LOADFORM_ENV"];
    else process.env["LOADFORM_ENV"] = value;
  };
  set(asked);
  try {
    return await run();
  } finally {
    set(former);
  }
}

async function loader({ cache }: EntryInput): Promise<LoadModule> {
  const folder = await cache?.programs?.();
  return (path) => loadTypeScript(path, undefined, folder);
}

function defaultExport(module: unknown): { toDocument(): ProjectDocument } | undefined {
  const exported: unknown = isRecord(module) ? module.default : undefined;
  const app = isRecord(exported) && !isApp(exported) ? exported.default : exported;
  return isApp(app) ? app : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isApp(value: unknown): value is { toDocument(): ProjectDocument } {
  return isRecord(value) && typeof value.toDocument === "function";
}

function noApp(file: string) {
  const detail = `${file} has no App as its default export. Write: export default app`;
  return {
    severity: "error",
    code: "LF1006",
    summary: "no App is exported",
    detail,
    file,
    line: 1,
    column: 1,
  } as const;
}

/** The line that made the object that a place is in. */
function locateInStacks(path: DocumentPath, stacks: ProjectDocument["stacks"], root: string): Position | undefined {
  const made = stacks.get(path.join("/"));
  return made && stackPosition(made.stack ?? "", root);
}

/** What belongs to the project as a whole is found at the top of its file. */
function inFile(place: DocumentPlace, file: string): Position | undefined {
  return place.path.length === 0 ? { file, line: 1, column: 1 } : undefined;
}

/**
 * Imports a TypeScript module through jiti. `loadform` in it means the running package, so that a project needs no
 * node_modules and shares its constructs with no other copy. Transformed sources are kept in `cacheFolder`, which
 * nobody else may write to: what is in there is run.
 */
export async function loadTypeScript(
  path: string,
  packageEntry = runningPackage(),
  cacheFolder?: string,
): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(path, {
    alias: { loadform: packageEntry },
    fsCache: cacheFolder ?? false,
    moduleCache: false,
    interopDefault: false,
  });
  return jiti.import(path);
}

/** The package refers to itself by name: dist/index.js, whichever chunk this code is in. */
function runningPackage(): string {
  return createRequire(import.meta.url).resolve("loadform");
}
