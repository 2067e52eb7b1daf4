import type { DataStoreRecord } from "../store/records/scenarios.ts";

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  json: "application/json",
  xml: "application/xml",
  html: "text/html",
  js: "application/javascript",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
  gz: "application/gzip",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  svg: "image/svg+xml",
  webp: "image/webp",
  pdf: "application/pdf",
};

/** The fields of a data store that follow from its file. */
export type FileFacts = Pick<DataStoreRecord, "type" | "charset" | "size" | "numRows" | "headers">;

/** API 1, Data store: the type comes from the file's extension; a CSV's first record names its columns. */
export function fileFacts(name: string, contents: string): FileFacts {
  const bytes = Buffer.from(contents, "base64");
  const [, extension = ""] = /\.([^.]+)$/.exec(name) ?? [];
  const type = types[extension.toLowerCase()] ?? "application/octet-stream";
  const text = utf8Text(bytes);
  const records = type === "text/csv" && text !== undefined ? splitRecords(text) : undefined;
  return {
    type,
    charset: text === undefined ? null : "UTF-8",
    size: bytes.length,
    numRows: records === undefined ? null : Math.max(0, records.length - 1),
    headers: records?.[0] ?? null,
  };
}

/** The data rows of a CSV as raw lines, without its header; empty for other files. */
export function rowsOf(store: DataStoreRecord): readonly string[] {
  if (store.type !== "text/csv") return [];
  return splitRecords(utf8Text(Buffer.from(store.contents, "base64")) ?? "").slice(1);
}

/**
 * Records of a CSV as they are, line ends off; blank lines are no records, a quoted field may hold line ends. DECISION
 * (API 1, Data row: rowData): a quote counts only where a field starts and ends, so that a stray one spoils no other row.
 */
function splitRecords(text: string): readonly string[] {
  const records: string[] = [];
  let start = 0;
  let isFieldStart = true;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote && isFieldStart) at = endOfQuoted(text, at) ?? at;
    isFieldStart = isEnd(char);
    if (char !== lineFeed && !(char === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) continue;
    push(records, text.slice(start, at));
    start = at + 1;
  }
  push(records, text.slice(start));
  return records;
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** Comma, semicolon, tab, and both line ends. */
const ends: readonly number[] = [0x2c, 0x3b, 0x09, carriageReturn, lineFeed];

function isEnd(char: number): boolean {
  return ends.includes(char);
}

/** Where a quoted field that starts here has its last quote; undefined when it is none, for text follows it. */
function endOfQuoted(text: string, start: number): number | undefined {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
  const isWhole = at + 1 === text.length || isEnd(text.charCodeAt(at + 1));
  return at >= 0 && isWhole ? at : undefined;
}

function push(records: string[], line: string): void {
  const record = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (record !== "") records.push(record);
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
