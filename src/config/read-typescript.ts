import type { Position } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { EntryDocument, EntryInput, LoadModule } from "./entry-document.ts";
import { nothing } from "./entry-document.ts";
import type { DocumentPath, Place } from "./place.ts";
import { stackPosition } from "./stack-position.ts";

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
    const app = defaultExport(await load(path));
    if (app === undefined) return nothing(noApp(file), "typescript");
    const made = app.toDocument();
    const text = JSON.stringify(made.document);
    const document = JSON.parse(text) as JsonObject;
    const locate = (place: Place) => locateInStacks(place.path, made.stacks, workspace.root) ?? inFile(place, file);
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
    return nothing(failed(error, file, workspace.root), "typescript");
  }
}

async function loader({ cache }: EntryInput): Promise<LoadModule> {
  const { loadTypeScript } = await import("./load-typescript.ts");
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
  const detail = `found no App as the default export of ${file}; expected: export default app`;
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

function failed(error: unknown, file: string, root: string) {
  const said = error instanceof Error ? error.message : String(error);
  const at = (error instanceof Error && stackPosition(error.stack ?? "", root)) || { file };
  const words = said.replace(/\s+/g, " ").trim();
  const detail = words.includes("; expected ")
    ? words
    : `found that ${file} failed: ${words}; expected it to export an App`;
  return { severity: "error", code: "LF1006", summary: "the TypeScript project failed", detail, ...at } as const;
}

/** The line that made the object in which a place lies. */
function locateInStacks(path: DocumentPath, stacks: ProjectDocument["stacks"], root: string): Position | undefined {
  const made = stacks.get(path.join("/"));
  return made && stackPosition(made.stack ?? "", root);
}

/** What belongs to the project as a whole stands at the top of its file. */
function inFile(place: Place, file: string): Position | undefined {
  return place.path.length === 0 ? { file, line: 1, column: 1 } : undefined;
}
