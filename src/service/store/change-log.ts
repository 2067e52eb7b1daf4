import { crc32 } from "node:zlib";
import { tableNames } from "./hierarchy.ts";
import type { Stored, TableName } from "./records.ts";
import type { Changes } from "./store.ts";

interface Line {
  readonly put: Readonly<Record<string, readonly Stored[]>>;
  readonly del: Readonly<Record<string, readonly number[]>>;
  readonly next: Readonly<Record<string, number>>;
}

/** The changes of one request as a line of the append log, with its checksum in front. */
export function logLine(changes: Changes): string {
  const put: Record<string, Stored[]> = {};
  const del: Record<string, number[]> = {};
  for (const [table, rows] of changes.rows) {
    const all = [...rows];
    put[table] = all.flatMap(([, row]) => row ?? []);
    del[table] = all.flatMap(([id, row]) => (row ? [] : [id]));
  }
  const text = JSON.stringify({ put, del, next: changes.next });
  return `${checksum(text)} ${text}\n`;
}

/** The changes in a log, and how many bytes of it are whole: a line torn by a crash ends it. Damage before that is an error. */
export function readLog(text: string): { readonly changes: readonly Changes[]; readonly whole: number } {
  const changes: Changes[] = [];
  let whole = 0;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const line = end < 0 ? undefined : readLine(text.slice(at, end));
    if (line === undefined) {
      if (end >= 0 && end + 1 < text.length)
        throw new Error(`its log is damaged: line ${changes.length + 1} does not match its checksum`);
      return { changes, whole };
    }
    changes.push(changesOf(line));
    whole += Buffer.byteLength(text.slice(at, end + 1));
    at = end + 1;
  }
  return { changes, whole };
}

function readLine(text: string): Line | undefined {
  const body = text.slice(9);
  if (text.slice(0, 8) !== checksum(body)) return undefined;
  return JSON.parse(body) as Line;
}

function changesOf({ put, del, next }: Line): Changes {
  const rows = new Map<TableName, Map<number, Stored | undefined>>();
  for (const name of tableNames) {
    const all = new Map<number, Stored | undefined>();
    for (const row of put[name] ?? []) all.set(row.id, row);
    for (const id of del[name] ?? []) all.set(id, undefined);
    if (all.size > 0) rows.set(name, all);
  }
  return { rows, next, former: new Map() };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
