import type { Json } from "../model/json.ts";
import { NotPlain, readInline, readKey } from "./plain-inline.ts";

/**
 * The JSON of a plain YAML text, read more than ten times as fast as the library reads it: block mappings and lists,
 * values on one line. Undefined for any other text, right or wrong; the result is always the library's.
 */
export function parsePlainYaml(text: string): Json | undefined {
  if (!plainText.test(text)) return undefined;
  try {
    return readPlainDocument({ all: text.split("\n"), at: -1, column: ended, level: 0 });
  } catch (thrown) {
    if (thrown instanceof NotPlain) return undefined;
    throw thrown;
  }
}

/** Letters and signs of the usual scripts: no tab, no carriage return, no blank that only Unicode knows. */
const plainText = /^[\n -~\u00A1-\u167F]*$/;

/** Depth limit of a plain text: well within that of the library's reader. */
const deepest = 50;

const ended = -1;

interface Lines {
  readonly all: readonly string[];
  at: number;
  /** Where the next thing begins in its line; `ended` behind the last one. */
  column: number;
  level: number;
}

function readPlainDocument(lines: Lines): Json | undefined {
  toNextLine(lines);
  if (lines.column !== 0) return undefined;
  const value = readMapping(lines);
  return lines.column < 0 ? value : undefined;
}

/** Goes to the next line that is neither blank nor a comment. */
function toNextLine(lines: Lines): void {
  for (lines.at++; lines.at < lines.all.length; lines.at++) {
    const line = lines.all[lines.at] ?? "";
    let column = 0;
    while (line.charCodeAt(column) === space) column++;
    if (column === line.length || line.charCodeAt(column) === hash) continue;
    lines.column = column;
    return;
  }
  lines.column = ended;
}

const [space, hash, dash] = [0x20, 0x23, 0x2d];

function readMapping(lines: Lines): Json {
  const { column } = lines;
  const own: Record<string, Json> = {};
  if (++lines.level > deepest) throw new NotPlain();
  while (lines.column === column && !isItem(lines)) {
    const line = lines.all[lines.at] ?? "";
    const key = readKey(line, column);
    if (key === undefined || Object.hasOwn(own, key)) throw new NotPlain();
    own[key] = readMember(lines, line, contentFrom(line, column + key.length + 1));
  }
  if (lines.column > column) throw new NotPlain();
  lines.level--;
  return own;
}

/** The value of a key whose colon is before `from`: on its line, or below it. */
function readMember(lines: Lines, line: string, from: number): Json {
  const { column } = lines;
  if (from < line.length) {
    const value = readInline(line, from);
    toNextLine(lines);
    return value;
  }
  toNextLine(lines);
  if (lines.column === column && isItem(lines)) return readList(lines);
  if (lines.column <= column) return null;
  return isItem(lines) ? readList(lines) : readMapping(lines);
}

function readList(lines: Lines): Json {
  const { column } = lines;
  const items: Json[] = [];
  if (++lines.level > deepest) throw new NotPlain();
  while (lines.column === column && isItem(lines)) items.push(readItem(lines));
  if (lines.column > column) throw new NotPlain();
  lines.level--;
  return items;
}

function readItem(lines: Lines): Json {
  const line = lines.all[lines.at] ?? "";
  const from = contentFrom(line, lines.column + 1);
  if (from === line.length) throw new NotPlain();
  if (readKey(line, from) !== undefined) {
    lines.column = from;
    return readMapping(lines);
  }
  const value = readInline(line, from);
  toNextLine(lines);
  return value;
}

function isItem({ all, at, column }: Lines): boolean {
  const line = all[at] ?? "";
  return line.charCodeAt(column) === dash && line.charCodeAt(column + 1) === space;
}

/** Where a line goes on behind blanks; its end where only a comment follows. */
function contentFrom(line: string, from: number): number {
  let at = from;
  while (line.charCodeAt(at) === space) at++;
  return at > from && line.charCodeAt(at) === hash ? line.length : at;
}
