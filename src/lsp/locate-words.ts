import type {
  ChangeAnnotation,
  Location,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from "vscode-languageserver/node.js";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { isObject, type Json } from "../model/json.ts";
import { mainFile } from "../workspace/workspace.ts";
import { parseYaml } from "../yaml/parse-yaml.ts";
import { declarationsOf, type Place, placesUsing, sourcesOf } from "./find-target.ts";
import type { OpenProjects, ProjectFile } from "./open-projects.ts";
import type { ProjectIndex, Target } from "./project-index.ts";
import { type Move, type Renaming, rename } from "./rename.ts";
import { documentFrom, offsetOf, rangeOf, wordAt } from "./to-protocol.ts";

/** The word at an offset of an open file, and its project. */
export interface AskedWord extends ProjectFile {
  readonly document: TextDocument;
  readonly text: string;
  readonly offset: number;
  readonly place: { readonly index: ProjectIndex; readonly file: string };
}

/** Where a target is declared or used, as places in an editor. */
export async function locationsOf(
  target: Target,
  { folder, place }: AskedWord,
  projects: OpenProjects,
  what: "declarations" | "uses",
): Promise<readonly Location[]> {
  const found: readonly Place[] = (what === "uses" ? placesUsing : declarationsOf)(target, place.index);
  const locations = new Map<string, Location>();
  for (const { file, position, text } of found) {
    const uri = projects.uriOf(folder, file);
    const document = documentFrom(uri, await folder.text(file).catch(() => ""));
    const start = offsetOf(document, position);
    const [from, to] = wordAt(document, position, text) ?? [start, start];
    locations.set(`${file} ${from}`, { uri, range: rangeOf(document, from, to) });
  }
  return [...locations.values()];
}

/**
 * The edit of a renaming in all files of a project; a sentence where it cannot be done. The entry of `moved` is offered
 * where the editor asks, else it is made.
 */
export async function renameEdit(
  target: Target,
  key: string,
  { folder, place }: AskedWord,
  { projects, mayAsk }: { readonly projects: OpenProjects; readonly mayAsk: boolean },
): Promise<WorkspaceEdit | string> {
  const { index } = place;
  const renaming = rename(target, key, index);
  if (typeof renaming === "string") return renaming;
  const [unread] = await folder.unread();
  if (unread !== undefined) return `${unread} cannot be read as YAML, and may have the name: correct it first`;
  const changes: Record<string, TextEdit[]> = {};
  const documentChanges: TextDocumentEdit[] = [];
  for (const file of sourcesOf(index).keys()) {
    const uri = projects.uriOf(folder, file);
    const edits = editsOf(renaming, file, documentFrom(uri, await folder.text(file)), { index, mayAsk });
    if (typeof edits === "string") return edits;
    if (edits.length === 0) continue;
    changes[uri] = edits;
    documentChanges.push({ textDocument: { uri, version: null }, edits });
  }
  if (!mayAsk) return { changes };
  return { documentChanges, ...(renaming.moved && { changeAnnotations: { moved: movedQuestion } }) };
}

const movedQuestion: ChangeAnnotation = {
  label: "Add an entry to moved",
  description: "The object keeps its id and history when it is applied under its new key",
  needsConfirmation: true,
};

function editsOf(
  { edits, everywhere, moved }: Renaming,
  file: string,
  document: TextDocument,
  { index, mayAsk }: { readonly index: ProjectIndex; readonly mayAsk: boolean },
): TextEdit[] | string {
  const text = document.getText();
  const found = new Map<number, TextEdit>();
  for (const edit of edits.filter((each) => each.file === file)) {
    const [from, to] = wordAt(document, edit.position, edit.found) ?? [];
    if (from === undefined || to === undefined)
      return `${file} has ${edit.found} in another spelling in line ${edit.position.line}: rename it by hand`;
    found.set(from, { range: rangeOf(document, from, to), newText: edit.instead });
  }
  const [word = "", instead = "", only = file] = everywhere ?? [];
  for (const at of word === "" || only !== file ? [] : offsetsOf(text, word))
    found.set(at, { range: rangeOf(document, at, at + word.length), newText: instead });
  if (moved === undefined || file !== mainFile) return [...found.values()];
  const list: Json | undefined = sourcesOf(index).get(file)?.value["moved"];
  const entry = movedEntries(text, moved, list !== undefined);
  if (entry === undefined)
    return "moved is a list in brackets, or its file is: write both in lines, the entries each with a dash, and rename again";
  const range = rangeOf(document, entry.at, entry.at);
  found.set(entry.at, { range, newText: entry.text, ...(mayAsk && { annotationId: "moved" }) });
  return [...found.values()];
}

/** Where a text has an expression that is not escaped. */
function offsetsOf(text: string, expression: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(expression); at >= 0; at = text.indexOf(expression, at + expression.length))
    if (text[at - 1] !== "$") found.push(at);
  return found;
}

/** The entries of `moved`: the first of its list, or a list of its own at the end. None where the list or the file is in brackets. */
function movedEntries(
  text: string,
  moves: readonly Move[],
  hasList: boolean,
): { readonly at: number; readonly text: string } | undefined {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const items = (indent: string) =>
    moves.map(({ from, to }) => `${indent}- { from: ${from}, to: ${to} }${lineEnd}`).join("");
  if (!hasList) {
    const gap = text.endsWith("\n") || text === "" ? "" : lineEnd;
    const added = `${gap}moved:${lineEnd}${items("  ")}`;
    const { value } = parseYaml(text + added, mainFile);
    // Behind brackets, the end of a document or an indented mapping it would be none of its members.
    return isObject(value) && value["moved"] !== undefined ? { at: text.length, text: added } : undefined;
  }
  const found = /^moved:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ \t]*)(?=-)/m.exec(text);
  if (found === null) return undefined;
  const [head, indent = ""] = found;
  return { at: found.index + head.length - indent.length, text: items(indent) };
}
