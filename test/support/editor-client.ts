import { spawn } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import {
  type CodeAction,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type DocumentSymbol,
  type Hover,
  type Location,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
  type WorkspaceEdit,
} from "vscode-languageserver/node.js";
import { TextDocument } from "vscode-languageserver-textdocument";
import { builtCli } from "./built-cli.ts";

/** The client's half of the Language Server Protocol, as an editor has it, over the real `loadform lsp` with these flags. */
export async function startEditor(
  folders: readonly string[],
  { workspace = {}, flags = [] }: { readonly workspace?: object; readonly flags?: readonly string[] } = {},
) {
  const child = spawn(process.execPath, [await builtCli(), "lsp", "--stdio", ...flags], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, HOME: folders[0] ?? "" },
  });
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const shown = new Map<string, readonly Diagnostic[]>();
  const messages: string[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification(
    "textDocument/publishDiagnostics",
    ({ uri, diagnostics }: { readonly uri: string; readonly diagnostics: readonly Diagnostic[] }) => {
      shown.set(uri, diagnostics);
      for (const each of waiting) each();
    },
  );
  connection.onNotification("window/showMessage", ({ message }: { readonly message: string }) => {
    messages.push(message);
    for (const each of waiting) each();
  });
  connection.listen();
  const workspaceFolders = folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: folder }));
  const capabilities = { workspace, textDocument: { publishDiagnostics: { dataSupport: true } } };
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities, workspaceFolders });
  await connection.sendNotification("initialized", {});
  const documents = new Map<string, TextDocument>();
  const uriOf = (path: string) => pathToFileURL(path).href;
  /** A place: an offset, or the `|` in a part of the text. */
  const at = (path: string, mark: string | number) => {
    const document = documents.get(path);
    if (document === undefined) throw new Error(`${path} is not open`);
    const { uri } = document;
    if (typeof mark === "number") return { textDocument: { uri }, position: document.positionAt(mark) };
    const offset = document.getText().indexOf(mark.replace("|", ""));
    if (offset < 0) throw new Error(`${path} does not contain ${mark}`);
    return { textDocument: { uri }, position: document.positionAt(offset + mark.indexOf("|")) };
  };
  const until = <T>(found: () => T | undefined, ms = 60_000) =>
    new Promise<T>((resolve, reject) => {
      const look = () => {
        const value = found();
        if (value === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(value);
      };
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`nothing came within ${ms} ms; shown: ${JSON.stringify([...shown])}; stderr: ${complaints}`));
      }, ms);
      waiting.add(look);
      look();
    });
  const edit = async (path: string, from: number, to: number, text: string) => {
    const document = documents.get(path);
    if (document === undefined) throw new Error(`${path} is not open`);
    const range = { start: document.positionAt(from), end: document.positionAt(to) };
    const changes = [{ range, text }];
    const version = document.version + 1;
    documents.set(path, TextDocument.update(document, changes, version));
    const params = { textDocument: { uri: document.uri, version }, contentChanges: changes };
    await connection.sendNotification("textDocument/didChange", params);
  };
  return {
    pid: child.pid ?? 0,
    messages,
    until,
    /** Opens a file with a text that need not be on disk. */
    async open(path: string, text: string) {
      documents.set(path, TextDocument.create(uriOf(path), "yaml", 1, text));
      const textDocument = { uri: uriOf(path), languageId: "yaml", version: 1, text };
      await connection.sendNotification("textDocument/didOpen", { textDocument });
    },
    /** Puts another text in the place of `from` to `to`. */
    edit,
    /** Puts another text in the place of the first one that is `found`. */
    change(path: string, found: string, instead: string) {
      const at = documents.get(path)?.getText().indexOf(found) ?? -1;
      if (at < 0) throw new Error(`${path} does not contain ${found}`);
      return edit(path, at, at + found.length, instead);
    },
    textOf: (path: string) => documents.get(path)?.getText() ?? "",
    changedOutside: (path: string) =>
      connection.sendNotification("workspace/didChangeWatchedFiles", { changes: [{ uri: uriOf(path), type: 2 }] }),
    problems: (path: string) => shown.get(uriOf(path)) ?? [],
    /** The problems of a file once there are such. */
    problemsWith: (path: string, word: string) =>
      until(() => {
        const found = shown.get(uriOf(path)) ?? [];
        return found.some(({ message }) => message.includes(word)) ? found : undefined;
      }),
    noProblems: (path: string) => until(() => (shown.get(uriOf(path))?.length === 0 ? true : undefined)),
    complete: (path: string, mark: string | number) =>
      connection.sendRequest<CompletionItem[]>("textDocument/completion", at(path, mark)),
    hover: (path: string, mark: string | number) =>
      connection.sendRequest<Hover | null>("textDocument/hover", at(path, mark)),
    definition: (path: string, mark: string) =>
      connection.sendRequest<Location[] | Location | null>("textDocument/definition", at(path, mark)),
    references: (path: string, mark: string | number) =>
      connection.sendRequest<Location[] | null>("textDocument/references", {
        ...at(path, mark),
        context: { includeDeclaration: true },
      }),
    rename: (path: string, mark: string, newName: string) =>
      connection.sendRequest<WorkspaceEdit | null>("textDocument/rename", { ...at(path, mark), newName }),
    prepareRename: (path: string, mark: string) =>
      connection.sendRequest<{ range: Range; placeholder: string } | null>(
        "textDocument/prepareRename",
        at(path, mark),
      ),
    symbols: (path: string) =>
      connection.sendRequest<DocumentSymbol[]>("textDocument/documentSymbol", { textDocument: { uri: uriOf(path) } }),
    format: (path: string) =>
      connection.sendRequest<TextEdit[]>("textDocument/formatting", {
        textDocument: { uri: uriOf(path) },
        options: { tabSize: 2, insertSpaces: true },
      }),
    /** The code actions for a problem, or for a place without one. */
    actions: (path: string, at: Diagnostic | Pick<Diagnostic, "range">) =>
      connection.sendRequest<CodeAction[]>("textDocument/codeAction", {
        textDocument: { uri: uriOf(path) },
        range: at.range,
        context: { diagnostics: "message" in at ? [at] : [] },
      }),
    /** The text of an open file after an edit of the server. */
    after(path: string, edit: WorkspaceEdit | null | undefined) {
      const document = documents.get(path);
      if (document === undefined) throw new Error(`${path} is not open`);
      const own = (edit?.documentChanges ?? []).filter(
        (each) => "textDocument" in each && each.textDocument.uri === document.uri,
      );
      const edits = own.flatMap((each) => ("edits" in each ? (each.edits as TextEdit[]) : []));
      return TextDocument.applyEdits(document, edit?.changes?.[document.uri] ?? edits);
    },
    /** Ends the server as editors do; answers its exit code. */
    async stop(): Promise<number | null> {
      const ended = once(child, "exit");
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      const [code] = (await ended) as [number | null];
      connection.dispose();
      return code;
    },
  };
}
