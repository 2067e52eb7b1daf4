import {
  createConnection,
  type InitializeResult,
  ProposedFeatures,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node.js";
import { TextDocument } from "vscode-languageserver-textdocument";
import { complete } from "./complete.ts";
import type { EditorTools } from "./editor-folder.ts";
import { targetAt } from "./find-target.ts";
import { hover } from "./hover.ts";
import { type AskedWord, locationsOf, renameEdit } from "./locate-words.ts";
import { openProjects, type ProjectFile } from "./open-projects.ts";
import { lastKey } from "./rename.ts";
import { type Editor, ShownProblems } from "./shown-problems.ts";
import { outline } from "./symbols.ts";
import { askedProblems, completionItem, correction, documentSymbol, rangeOf, wholeEdit } from "./to-protocol.ts";

const capabilities: InitializeResult["capabilities"] = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  completionProvider: { triggerCharacters: [":", " ", "{", "-", "/", "\n"] },
  hoverProvider: true,
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  documentFormattingProvider: true,
  codeActionProvider: { codeActionKinds: ["quickfix"] },
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
};

/** Serves an editor over two streams until it ends the process (Language Server Protocol 3.17). */
export function serveLanguage(
  streams: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
  tools: EditorTools,
): void {
  const connection = createConnection(ProposedFeatures.all, streams.input, streams.output);
  const documents = new TextDocuments(TextDocument);
  const projects = openProjects(() => documents.all(), tools);
  const editor: Editor = { connection, documents, projects, mayAsk: false };
  connection.onInitialize(({ capabilities: { workspace } }) => {
    const { documentChanges, changeAnnotationSupport } = workspace?.workspaceEdit ?? {};
    editor.mayAsk = documentChanges === true && changeAnnotationSupport !== undefined;
    return { capabilities, serverInfo: { name: "loadform", version: tools.version } };
  });
  const problems = new ShownProblems(editor);
  const told = (work: Promise<void>) =>
    void work.catch((thrown: unknown) => connection.console.error(`loadform lsp: ${String(thrown)}`));
  documents.onDidChangeContent(({ document }) => told(problems.changed(document.uri)));
  documents.onDidSave(() => problems.changedOutside());
  documents.onDidClose(({ document }) => told(problems.closed(document.uri)));
  connection.onDidChangeWatchedFiles(() => problems.changedOutside());
  answerQuestions(editor, tools);
  answerEdits(editor, { problems, tools });
  documents.listen(connection);
  connection.listen();
}

/** A file of a project with its text; undefined for any other. */
async function asked(
  uri: string,
  { documents, projects }: Editor,
): Promise<(ProjectFile & { readonly document: TextDocument }) | undefined> {
  const document = documents.get(uri);
  const found = document && (await projects.find(uri));
  if (!found || (await found.folder.isProgram()) || !(await found.folder.reads(found.file))) return undefined;
  return { ...found, document };
}

async function askedWord(
  { textDocument, position }: TextDocumentPositionParams,
  editor: Editor,
): Promise<AskedWord | undefined> {
  const found = await asked(textDocument.uri, editor);
  if (found === undefined) return undefined;
  const { document, folder, file } = found;
  const [text, offset] = [document.getText(), document.offsetAt(position)];
  return { ...found, text, offset, place: { index: await folder.index(file), file } };
}

function answerQuestions(editor: Editor, { kinds }: EditorTools): void {
  const { connection, projects } = editor;
  connection.onCompletion(async (params, token) => {
    const found = await askedWord(params, editor);
    if (found === undefined || token.isCancellationRequested) return [];
    const { text, offset, place, document, folder, file } = found;
    const before = text.slice(Math.max(0, offset - 300), offset);
    const what = /\$\{file:[^}\n]*$/.test(before)
      ? "contents"
      : /\bmodule:\s*[^\s,}]*$/.test(before)
        ? "modules"
        : undefined;
    const files = what === undefined ? [] : await folder.filesFrom(file, what);
    return complete(text, offset, { ...place, files }).map((each) => completionItem(each, document));
  });
  connection.onHover(async (params) => {
    const found = await askedWord(params, editor);
    const shown = found && hover(found.text, found.offset, found.place);
    if (!found || !shown) return null;
    const range = rangeOf(found.document, shown.from, shown.to);
    return { contents: { kind: "markdown", value: shown.markdown }, range };
  });
  connection.onDefinition(async (params) => {
    const found = await askedWord(params, editor);
    const target = found && targetAt(found.text, found.offset, found.place);
    if (!found || !target) return null;
    if (target.kind === "file") {
      const start = { line: 0, character: 0 };
      return { uri: projects.uriOf(found.folder, target.name), range: { start, end: start } };
    }
    return [...(await locationsOf(target, found, projects, "declarations"))];
  });
  connection.onReferences(async (params) => {
    const found = await askedWord(params, editor);
    const target = found && targetAt(found.text, found.offset, found.place);
    if (!found || !target) return null;
    const uses = await locationsOf(target, found, projects, "uses");
    return params.context.includeDeclaration
      ? [...(await locationsOf(target, found, projects, "declarations")), ...uses]
      : [...uses];
  });
  connection.onDocumentSymbol(async ({ textDocument }) => {
    const found = await asked(textDocument.uri, editor);
    if (found === undefined) return null;
    return outline(found.document.getText(), kinds).map((each) => documentSymbol(each, found.document));
  });
}

function answerEdits(
  editor: Editor,
  { problems, tools }: { readonly problems: ShownProblems; readonly tools: EditorTools },
): void {
  const { connection, documents, projects } = editor;
  connection.onPrepareRename(async (params) => {
    const found = await askedWord(params, editor);
    const target = found && targetAt(found.text, found.offset, found.place);
    const shown = found && hover(found.text, found.offset, found.place);
    if (!found || !shown || !target || target.kind === "file") return null;
    // Of a path or an expression the name alone is renamed.
    const name = target.kind === "object" ? lastKey(target.name) : (target.name.split("/").at(-1) ?? "");
    const at = found.text.slice(shown.from, shown.to).lastIndexOf(name);
    const [from, to] = at < 0 ? [shown.from, shown.to] : [shown.from + at, shown.from + at + name.length];
    return { range: rangeOf(found.document, from, to), placeholder: name };
  });
  connection.onRenameRequest(async (params) => {
    const found = await askedWord(params, editor);
    const target = found && targetAt(found.text, found.offset, found.place);
    if (!found || !target) return null;
    const edit = await renameEdit(target, params.newName, found, { projects, mayAsk: editor.mayAsk });
    return typeof edit === "string" ? new ResponseError(-32803, edit) : edit;
  });
  connection.onDocumentFormatting(async ({ textDocument }) => {
    const found = await asked(textDocument.uri, editor);
    const isModule = found && (await found.folder.index(found.file)).module !== undefined;
    const formatted = found && tools.format(found.document.getText(), isModule === true);
    return found && formatted !== undefined ? [...wholeEdit(found.document, formatted)] : [];
  });
  connection.onCodeAction((params) => {
    const { uri } = params.textDocument;
    const document = documents.get(uri);
    const asked = askedProblems(problems.of(uri), params);
    return document ? asked.flatMap((each) => correction(each, document) ?? []) : [];
  });
}
