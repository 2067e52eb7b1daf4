import type { JsonValue } from "../../api/routes.ts";
import { refuseDeep } from "../core/json-depth.ts";
import { Refusal } from "../core/refusal.ts";
import { checkState } from "./check-state.ts";
import { tableNames } from "./hierarchy.ts";
import type { TableName } from "./records.ts";
import type { StoreData } from "./store.ts";

/** Names the format of snapshots and data files; another one is refused. */
const snapshotFormat = "loadform-service/1";

/** What lies around a value that came in a body: tables, a table, a record, one of its fields. */
export const deeperThanBodies = 10;

/** The whole state of a service as plain, sorted JSON. No secret is in it, only salted digests. */
export interface Snapshot {
  readonly format: string;
  readonly next: Readonly<Record<string, number>>;
  readonly salt: string;
  readonly tables: Readonly<Record<string, readonly JsonValue[]>>;
}

/** A snapshot of a store. */
export function toSnapshot(data: StoreData, salt: string): Snapshot {
  const tables = tableNames.flatMap((name): [string, readonly JsonValue[]][] => {
    const rows = data.rows[name] ?? [];
    return rows.length === 0 ? [] : [[name, rows.map((row) => sorted(row as unknown as JsonValue))]];
  });
  tables.sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    format: snapshotFormat,
    next: sorted(data.next) as Readonly<Record<string, number>>,
    salt,
    tables: Object.fromEntries(tables),
  };
}

/** A snapshot as text: sorted, one object per line, so that two of them can be compared line by line. */
export function snapshotText(snapshot: Snapshot): string {
  const tables = Object.entries(snapshot.tables).map(
    ([name, rows]) => `${JSON.stringify(name)}:[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`,
  );
  const { format, next, salt } = snapshot;
  return `{"format":${JSON.stringify(format)},\n"next":${JSON.stringify(next)},\n"salt":${JSON.stringify(salt)},\n"tables":{\n${tables.join(",\n")}\n}}\n`;
}

/** Reads a snapshot; anything else is refused with what was found. */
export function fromSnapshot(value: unknown): { readonly data: StoreData; readonly salt: string } {
  const snapshot: unknown = typeof value === "string" ? parse(value) : value;
  if (!isSnapshot(snapshot)) throw foreign(snapshot);
  const unknown = Object.keys(snapshot.tables).find((name) => !(tableNames as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new Refusal(400, `found a table "${unknown}"; expected only ${tableNames.join(", ")}`);
  refuseDeep(snapshot, deeperThanBodies);
  checkState(snapshot.tables, snapshot.next);
  const rows = snapshot.tables as Readonly<Record<string, unknown>>;
  return { data: { next: snapshot.next, rows: rows as Partial<Record<TableName, never>> }, salt: snapshot.salt };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  if (typeof value !== "object" || value === null) return false;
  const { format, next, salt, tables } = value as Partial<Record<keyof Snapshot, unknown>>;
  const whole = [next, tables].every((part) => typeof part === "object" && part !== null && !Array.isArray(part));
  return format === snapshotFormat && typeof salt === "string" && whole;
}

function foreign(value: unknown): Refusal {
  const found =
    typeof value === "object" && value !== null
      ? `format ${JSON.stringify(Reflect.get(value, "format") ?? null)}`
      : "no JSON object";
  return new Refusal(
    400,
    `this is no snapshot of the bundled service: found ${found}; expected format "${snapshotFormat}"`,
  );
}

/** The same value with the keys of all objects in order. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
