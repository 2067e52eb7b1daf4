import {
  type CodeAction,
  type CodeActionParams,
  type CompletionItem,
  CompletionItemKind,
  DiagnosticSeverity,
  type DocumentSymbol,
  MarkupKind,
  type Diagnostic as ProtocolDiagnostic,
  type Range,
  SymbolKind,
  type TextEdit,
} from "vscode-languageserver/node.js";
import { TextDocument } from "vscode-languageserver-textdocument";
import { isMap, isScalar, type Node, parseDocument, visit, type YAMLMap } from "yaml";
import type { Diagnostic, Position, Suggestion } from "../model/diagnostic.ts";
import { addPair } from "../yaml/edit-yaml-map.ts";
import { ownPair, type Splice } from "../yaml/yaml-places.ts";
import type { Proposal } from "./complete.ts";
import { cursorAt } from "./cursor.ts";
import type { OutlineSymbol } from "./symbols.ts";

/** A file's text as a document, for its offsets. */
export function documentFrom(uri: string, text: string): TextDocument {
  return TextDocument.create(uri, "yaml", 0, text);
}

/** The offset of a place of loadform, whose columns count from 1 and behind a byte order mark. */
export function offsetOf(document: TextDocument, { line, column }: Pick<Position, "line" | "column">): number {
  const mark = line === 1 && document.getText().startsWith("\uFEFF") ? 1 : 0;
  return document.offsetAt({ line: line - 1, character: column - 1 + mark });
}

export function rangeOf(document: TextDocument, from: number, to: number): Range {
  return { start: document.positionAt(from), end: document.positionAt(to) };
}

/** The offsets of a word that begins at a place, in quotes or without; undefined where another text is there. */
export function wordAt(document: TextDocument, position: Position, word: string): [number, number] | undefined {
  const text = document.getText();
  const start = offsetOf(document, position);
  const from = /["']/.test(text[start] ?? "") && !text.startsWith(word, start) ? start + 1 : start;
  return text.startsWith(word, from) ? [from, from + word.length] : undefined;
}

/** A problem at its place: the word that begins there, or the one further on that a suggestion is about. */
export function protocolDiagnostic(
  problem: Diagnostic,
  document: TextDocument,
  uriOf: (file: string) => string,
): ProtocolDiagnostic {
  const { severity, code, summary, detail, line = 1, column = 1, suggestion, missing, used = [] } = problem;
  const from = offsetOf(document, { line, column });
  const rest = document.getText().slice(from, from + mostText);
  const word = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\$\{[^}\n]*\}|[^\s:,{}[\]"'#]+)/.exec(rest)?.[0].length ?? 0;
  const meant = suggestion === undefined ? -1 : findWord(suggestion.found, valueFrom(rest));
  const [start, length] = meant >= word ? [from + meant, suggestion?.found.length ?? 0] : [from, word];
  return {
    range: rangeOf(document, start, start + length),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: "loadform",
    message: `${summary}\n${detail}`,
    ...((suggestion ?? missing) && { data: suggestion ?? missing }),
    ...(used.length > 0 && {
      relatedInformation: used.map((at) => {
        const start = { line: at.line - 1, character: at.column - 1 };
        return { location: { uri: uriOf(at.file), range: { start, end: start } }, message: "the module is used here" };
      }),
    }),
  };
}

/** The problems that an editor asks about: those that it names, by place and code, else those that its range touches. */
export function askedProblems(
  shown: readonly ProtocolDiagnostic[],
  { range, context }: Pick<CodeActionParams, "range" | "context">,
): readonly ProtocolDiagnostic[] {
  const isSame = (left: Range, right: Range) =>
    order(left.start, right.start) === 0 && order(left.end, right.end) === 0;
  const named = shown.filter((each) =>
    context.diagnostics.some((other) => other.code === each.code && isSame(other.range, each.range)),
  );
  const isTouched = ({ start, end }: Range) => order(start, range.end) <= 0 && order(range.start, end) <= 0;
  return named.length > 0 ? named : shown.filter((each) => isTouched(each.range));
}

function order(left: Range["start"], right: Range["start"]): number {
  return left.line - right.line || left.character - right.character;
}

/** The correction that a problem offers, unless its text has changed. */
export function correction(diagnostic: ProtocolDiagnostic, document: TextDocument): CodeAction | undefined {
  const { data }: { readonly data?: unknown } = diagnostic;
  const from = document.offsetAt(diagnostic.range.start);
  const change = isSuggestion(data)
    ? { title: `Change ${data.found} to ${data.instead}`, splice: changeOf(data, document.getText(), from) }
    : isMissing(data)
      ? { title: `Add ${data.name}`, splice: additionOf(data, document.getText(), from) }
      : undefined;
  if (change?.splice === undefined) return undefined;
  const { from: start, to, text } = change.splice;
  const newText = document.getText().includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
  return {
    title: change.title,
    kind: "quickfix",
    isPreferred: true,
    diagnostics: [diagnostic],
    edit: { changes: { [document.uri]: [{ range: rangeOf(document, start, to), newText }] } },
  };
}

/** The other word in the place of a problem's. */
function changeOf({ found, instead }: Suggestion, text: string, from: number): Splice | undefined {
  const value = valueFrom(text.slice(from, from + mostText));
  const at = findWord(found, value);
  if (at < 0) return undefined;
  const place = cursorAt(text, from + at);
  // The mapping may have the right key beside the wrong one.
  if (place?.at === "start" && place.taken.has(instead)) return undefined;
  // Brackets of a list or mapping end a text without quotes.
  const isBare = value.startsWith(found) && /[{}[\],]/.test(instead) && !/[{}[\],]/.test(found);
  return { from: from + at, to: from + at + found.length, text: isBare ? JSON.stringify(instead) : instead };
}

/** A field at the end of the object whose key is at a place, or which begins there as an item of a list. */
function additionOf({ name, value }: MissingField, text: string, from: number): Splice | undefined {
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  const plain = text.slice(mark);
  const document = parseDocument(plain, { version: "1.2", uniqueKeys: false });
  const found: YAMLMap[] = [];
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isScalar(key) && key.range?.[0] === from - mark && isMap(value)) found.push(value);
    },
    Map: (at, map) => {
      if (typeof at === "number" && map.range?.[0] === from - mark) found.push(map);
    },
  });
  const [map, ...others] = found;
  // An item whose first member is an object has its place: it is not known which of them lacks the field.
  if (map === undefined || others.length > 0 || ownPair(map, name)) return undefined;
  const added = addPair(map, plain, { name, value: document.createNode(value) as Node, order: [] });
  return { ...added, from: added.from + mark, to: added.to + mark };
}

/** As far as a problem's word is looked for. */
const mostText = 10_000;

/** The rest of a line; where a block begins there, with the lines of that. */
function valueFrom(rest: string): string {
  const [line = "", ...below] = rest.split("\n");
  if (!/^[|>][-+\d]*\s*(?:#.*)?$/.test(line)) return line;
  const depth = below.find((each) => each.trim() !== "")?.search(/\S/) ?? 0;
  const end = below.findIndex((each) => each.trim() !== "" && each.search(/\S/) < depth);
  return [line, ...(end < 0 ? below : below.slice(0, end))].join("\n");
}

/** The place of a word: the beginning of a text, else the name in an expression, else the first such word; -1: none. */
function findWord(word: string, text: string): number {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const [before, after] = [/^\w/.test(word) ? "(?<![\\w.-])" : "", /\w$/.test(word) ? "(?![\\w.-])" : ""];
  const patterns = [
    `(?<=^["']?)${escaped}${after}`,
    `(?<=(?<!\\$)\\$\\{\\w+:)${escaped}(?=\\})`,
    before + escaped + after,
  ];
  return patterns.reduce((at, pattern) => (at < 0 ? text.search(new RegExp(pattern)) : at), -1);
}

type MissingField = NonNullable<Diagnostic["missing"]>;

function isMissing(value: unknown): value is MissingField {
  return typeof value === "object" && value !== null && "name" in value && "value" in value;
}

function isSuggestion(value: unknown): value is Suggestion {
  return typeof value === "object" && value !== null && "found" in value && "instead" in value;
}

const itemKinds = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  reference: CompletionItemKind.Reference,
  variable: CompletionItemKind.Variable,
  file: CompletionItemKind.File,
} as const;

export function completionItem(proposal: Proposal, document: TextDocument): CompletionItem {
  const { label, is, text, from, to, detail, about } = proposal;
  return {
    label,
    kind: itemKinds[is],
    filterText: label,
    // What is beside the cursor comes before what another object has.
    ...(is === "reference" && { sortText: `${label.split("/").length} ${label}` }),
    textEdit: { range: rangeOf(document, from, to), newText: text },
    ...(detail !== undefined && { detail }),
    ...(about !== undefined && { documentation: { kind: MarkupKind.Markdown, value: about } }),
  };
}

export function documentSymbol(symbol: OutlineSymbol, document: TextDocument): DocumentSymbol {
  const { name, kind, from, to, keyFrom, children } = symbol;
  return {
    name,
    detail: kind,
    kind: SymbolKind.Object,
    range: rangeOf(document, from, Math.max(to, keyFrom + name.length)),
    selectionRange: rangeOf(document, keyFrom, keyFrom + name.length),
    children: children.map((child) => documentSymbol(child, document)),
  };
}

/** The new text of a whole file as one edit; none where nothing changes. */
export function wholeEdit(document: TextDocument, text: string): readonly TextEdit[] {
  const current = document.getText();
  const written = current.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
  return written === current ? [] : [{ range: rangeOf(document, 0, current.length), newText: written }];
}
