import type { DocumentPath } from "../model/diagnostic.ts";
import { lineEndAt, lineStartAt } from "../yaml/yaml-places.ts";
import { flowCursor } from "./flow-cursor.ts";

/** A place in a YAML text, as far as the lines around it tell: they may be half typed. */
export interface Cursor {
  /** The mapping or item that begins here ("start"), or the value that is here. */
  readonly path: DocumentPath;
  readonly at: "start" | "value";
  /** Offsets of the word at the cursor. */
  readonly from: number;
  readonly to: number;
  /** The whole word at the cursor. */
  readonly word: string;
  /** True where a colon follows the word: it is a key. */
  readonly isKey: boolean;
  readonly isFlow: boolean;
  /** Keys that the same mapping has on other lines. */
  readonly taken: ReadonlySet<string>;
}

/** A key or the dash of a list item, with its column. */
export interface Entry {
  readonly column: number;
  /** Undefined for a dash. */
  readonly key?: string;
  /** Column at which the value of the key begins. */
  readonly valueAt: number;
}

const lineForm = /^( *)((?:-(?: +|$))*)(?:("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#{}[\],&*!|>%@-][^:{}#]*?)\s*:(?=\s|$)\s*)?/;

/** The place at an offset; undefined within comments and texts of several lines. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const to = wordEnd(text, offset);
  const start = lineStartAt(text, to);
  const head = text.slice(start, to);
  if (/^\s*#|\s#/.test(head.replace(/"[^"]*"?|'[^']*'?/g, ""))) return undefined;
  const entries = entriesOf(head);
  const last = entries.at(-1);
  const isOpen = last?.key === undefined;
  const column = isOpen ? (last?.valueAt ?? indentOf(head)) : last.column;
  const above = ancestors(text, start, { column, dashes: entries.filter(({ key }) => key === undefined) });
  if (above === undefined) return undefined;
  const word = { text, to, offset };
  if (above.flowLength !== undefined) return inFlow(word, start - above.flowLength, above.path);
  const path = isOpen ? above.path : [...above.path, last.key ?? ""];
  const valueFrom = start + (last?.valueAt ?? column);
  const value = text.slice(valueFrom, to);
  const found = /^[{[]/.test(value) ? inFlow(word, valueFrom, path) : undefined;
  if (found || /^[|>]/.test(value)) return found;
  const from = Math.min(to, valueFrom + (/^["']/.test(value) ? 1 : 0));
  if (!isOpen) return cursorFrom(word, { path, at: "value", from, taken: new Set() });
  return cursorFrom(word, { path, at: "start", from, taken: keysBeside(text, start, column) });
}

function cursorFrom(
  { text, to, offset }: Pick<Cursor, "to"> & { readonly text: string; readonly offset: number },
  { from, ...place }: Pick<Cursor, "path" | "at" | "from" | "taken">,
  isFlow = false,
): Cursor {
  const isKey = place.at === "start" && /^["']?\s*:(?:\s|$)/.test(text.slice(to, to + 40));
  const begin = Math.min(from, offset);
  return { ...place, from: begin, to, word: text.slice(begin, to), isKey, isFlow };
}

function inFlow(
  word: Pick<Cursor, "to"> & { readonly text: string; readonly offset: number },
  from: number,
  base: DocumentPath,
): Cursor | undefined {
  const found = flowCursor(word.text.slice(from, word.to));
  if (found === undefined) return undefined;
  const { path, at, taken } = found;
  return cursorFrom(word, { path: [...base, ...path], at, from: from + found.from, taken: new Set(taken) }, true);
}

/** Where the word at an offset ends: a name, a path or an expression. */
function wordEnd(text: string, offset: number): number {
  const rest = /^[\w./${-]*(?:(?<=\$\{(?:var|env|file)):[\w./-]*)?/.exec(text.slice(offset, offset + 500));
  return offset + (rest?.[0].length ?? 0);
}

function indentOf(line: string): number {
  let column = 0;
  while (line.charCodeAt(column) === 0x20) column++;
  return column;
}

/** The dashes and the key that a line begins with. */
export function entriesOf(line: string): readonly Entry[] {
  const [all = "", blanks = "", dashes = "", quoted] = lineForm.exec(line) ?? [];
  const entries: Entry[] = [];
  let column = blanks.length;
  for (const [dash] of dashes.matchAll(/- */g)) {
    entries.push({ column, valueAt: column + dash.length });
    column += dash.length;
  }
  if (quoted !== undefined) entries.push({ column, key: quoted.replace(/^(["'])(.*)\1$/, "$2"), valueAt: all.length });
  return entries;
}

interface Ancestors {
  readonly path: DocumentPath;
  /** Characters from where the brackets begin that are still open around the line, up to it. */
  readonly flowLength?: number;
}

/** The keys and items that a line is below; undefined within a text of several lines. */
function ancestors(
  text: string,
  lineStart: number,
  own: { readonly column: number; readonly dashes: readonly Entry[] },
): Ancestors | undefined {
  const up = new Ascent(own.column);
  for (const dash of own.dashes.toReversed()) up.take(dash);
  for (let end = lineStart - 1; end > 0 && !up.isDone; ) {
    const start = lineStartAt(text, end);
    const line = text.slice(start, text[end - 1] === "\r" ? end - 1 : end);
    end = start - 1;
    if (indentOf(line) > up.bound || /^\s*(?:#|$)/.test(line)) continue;
    if (!climb(up, line, text.slice(start, lineStart))) return undefined;
  }
  return up.ended();
}

/** Goes up by one line, of a text that begins with it; false where a text of several lines begins in it. */
function climb(up: Ascent, line: string, text: string): boolean {
  for (const entry of entriesOf(line).toReversed()) {
    const value = up.take(entry) ? line.slice(entry.valueAt) : "";
    if (blockText.test(value)) return false;
    if (up.isFirst && isOpenFlow(value, text.slice(entry.valueAt))) up.openFlow(text.length - entry.valueAt);
  }
  return true;
}

/** The beginning of a text of several lines. */
const blockText = /^[|>][-+\d]*\s*(?:#.*)?$/;

function isOpenFlow(value: string, more: string): boolean {
  return /^[{[]/.test(value) && flowCursor(more) !== undefined;
}

/** The way from a line up to the top of its document. */
class Ascent {
  /** Innermost first. */
  private readonly steps: (string | number)[] = [];
  private item: { readonly column: number; index: number } | undefined;
  private flowLength: number | undefined;
  /** Entries further to the right are no ancestors. */
  bound: number;
  constructor(column: number) {
    this.bound = column;
  }
  get isDone(): boolean {
    return this.bound === 0 && this.item === undefined;
  }
  /** True while no key but the nearest is known. */
  get isFirst(): boolean {
    return this.steps.filter((step) => typeof step === "string").length === 1;
  }
  openFlow(length: number): void {
    this.flowLength = length;
  }
  /** True for a key that the line is below. */
  take({ column, key }: Entry): boolean {
    if (key === undefined) this.takeItem(column);
    const isAbove = this.item === undefined ? column < this.bound : column <= this.item.column;
    if (key === undefined || !isAbove) return false;
    this.closeItem();
    this.steps.push(key);
    this.bound = column;
    return true;
  }
  ended(): Ancestors {
    this.closeItem();
    return { path: this.steps.toReversed(), ...(this.flowLength !== undefined && { flowLength: this.flowLength }) };
  }
  private takeItem(column: number): void {
    if (this.item?.column === column) this.item.index++;
    if (this.item === undefined ? column >= this.bound : column >= this.item.column) return;
    this.closeItem();
    this.item = { column, index: 0 };
    this.bound = column;
  }
  private closeItem(): void {
    if (this.item !== undefined) this.steps.push(this.item.index);
    this.item = undefined;
  }
}

/** Keys of the mapping that a line belongs to, its own left out. */
function keysBeside(text: string, lineStart: number, column: number): ReadonlySet<string> {
  const keys = new Set<string>();
  const take = (line: string): boolean => {
    const indent = indentOf(line);
    if (indent === line.length || line[indent] === "#") return true;
    const entries = indent > column ? [] : entriesOf(line);
    const key = entries.find((entry) => entry.column === column)?.key;
    if (key !== undefined) keys.add(key);
    return indent >= column;
  };
  for (let end = lineStart - 1; end > 0; ) {
    const start = lineStartAt(text, end);
    if (!take(text.slice(start, end).trimEnd())) break;
    end = start - 1;
  }
  for (let start = text.indexOf("\n", lineStart) + 1; start > 0 && start < text.length; ) {
    if (!take(text.slice(start, lineEndAt(text, start)))) break;
    start = text.indexOf("\n", start) + 1;
  }
  return keys;
}
