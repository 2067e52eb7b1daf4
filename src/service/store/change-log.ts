import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Stored } from "./records/stored.ts";
import { type TableName, tableNames } from "./records/tables.ts";
import type { Changes } from "./store.ts";

interface Line {
  readonly put: Readonly<Record<string, readonly Stored[]>>;
  readonly del: Readonly<Record<string, readonly number[]>>;
  readonly next: Readonly<Record<string, number>>;
  /** The moment of a frozen clock; absent where it ran, and in older logs. */
  readonly clock?: string;
}

/** Contents of a log: the snapshot that it follows, the changes after it, and how many bytes of it are whole. */
interface Log {
  readonly follows: string | undefined;
  readonly changes: readonly Changes[];
  readonly whole: number;
  /** The moment that a frozen clock showed at the last of them. */
  readonly clock: string | undefined;
}

/** Names a snapshot by its text, so that a log can say which one it follows. */
export function nameOfSnapshot(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first line of a log: the snapshot that it follows. */
export function headLine(snapshot: string): string {
  return checkedLine({ follows: snapshot });
}

/** The changes of one request, and the moment of a frozen clock, as a line of the append log with its checksum in front. */
export function logLine(changes: Changes, clock: string | undefined): string {
  const put: Record<string, Stored[]> = {};
  const del: Record<string, number[]> = {};
  for (const [table, rows] of changes.rows) {
    const all = [...rows];
    put[table] = all.flatMap(([, row]) => row ?? []);
    del[table] = all.flatMap(([id, row]) => (row ? [] : [id]));
  }
  return checkedLine({ put, del, next: changes.next, ...(clock !== undefined && { clock }) });
}

/** Reads a log: a line torn by a crash ends it. Damage before that is an error. */
export function readLog(text: string): Log {
  const changes: Changes[] = [];
  let follows: string | undefined;
  let clock: string | undefined;
  let whole = 0;
  let at = 0;
  for (let number = 1; at < text.length; number++) {
    const end = text.indexOf("\n", at);
    const value = end < 0 ? undefined : readLine(text.slice(at, end));
    if (value === undefined) {
      if (end < 0 || end + 1 === text.length) break;
      throw new Error(`its log is damaged: line ${number} does not match its checksum`);
    }
    if (number === 1) follows = followed(value);
    else {
      changes.push(changesInLine(value as Line));
      clock = (value as Line).clock;
    }
    whole += Buffer.byteLength(text.slice(at, end + 1));
    at = end + 1;
  }
  return { follows, changes, whole, clock };
}

function followed(value: object): string {
  if ("follows" in value && typeof value.follows === "string") return value.follows;
  throw new Error("its log is damaged: line 1 does not name the snapshot that it follows");
}

function checkedLine(value: object): string {
  const text = JSON.stringify(value);
  return `${checksum(text)} ${text}\n`;
}

function readLine(text: string): object | undefined {
  const body = text.slice(9);
  if (text.slice(0, 8) !== checksum(body)) return undefined;
  return JSON.parse(body) as object;
}

function changesInLine({ put, del, next }: Line): Changes {
  const rows = new Map<TableName, Map<number, Stored | undefined>>();
  for (const name of tableNames) {
    const all = new Map<number, Stored | undefined>();
    for (const row of put[name] ?? []) all.set(row.id, row);
    for (const id of del[name] ?? []) all.set(id, undefined);
    if (all.size > 0) rows.set(name, all);
  }
  return { rows, next, former: new Map(), formerNext: new Map() };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
