import type { JsonValue } from "../../api/routes.ts";
import { Refusal } from "../refusal.ts";
import { longestRunMs } from "../runs/run-plan.ts";
import { refuseDeep } from "./json-values.ts";
import type { ExecutionRecord } from "./records/executions.ts";
import type { Stored } from "./records/stored.ts";
import { children, parents, recordShape, type TableName, tableNames } from "./records/tables.ts";
import { bagOf, listOf, type Misfit, optional, shape, time } from "./shape.ts";
import type { StoreData } from "./store.ts";

/** Names the format of snapshots and data files; another one is refused. */
const snapshotFormat = "loadform-service/1";

/** Levels around a value that came in a body: tables, a table, a record, one of its fields. */
export const deeperThanBodies = 10;

/** The whole state of a service as plain, sorted JSON. No secret is in it, only salted digests. */
export interface Snapshot {
  /** `loadform-service/1`; another one is refused. */
  readonly format: string;
  /** The next id of each table. */
  readonly next: Readonly<Record<string, number>>;
  /** Source of digests and keys. */
  readonly salt: string;
  /** Rows by table, in the order of their ids. */
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

/** A snapshot as text: sorted, one object per line, so that two of them can be compared line by line; in a data file with the moment of a frozen clock. */
export function snapshotText(snapshot: Snapshot, clock?: string): string {
  const tables = Object.entries(snapshot.tables).map(
    ([name, rows]) => `${JSON.stringify(name)}:[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`,
  );
  const { format, next, salt } = snapshot;
  const moment = clock === undefined ? "" : `"clock":${JSON.stringify(clock)},\n`;
  return `{${moment}"format":${JSON.stringify(format)},\n"next":${JSON.stringify(next)},\n"salt":${JSON.stringify(salt)},\n"tables":{\n${tables.join(",\n")}\n}}\n`;
}

/** Contents of a snapshot, with the moment of a frozen clock that a data file has. */
interface ReadSnapshot {
  readonly data: StoreData;
  readonly salt: string;
  readonly clock: string | undefined;
}

/** Reads a snapshot; anything else is refused with what was found. */
export function fromSnapshot(value: unknown): ReadSnapshot {
  const snapshot: unknown = typeof value === "string" ? parsedText(value) : value;
  if (!isSnapshot(snapshot)) throw foreign(snapshot);
  const unknown = Object.keys(snapshot.tables).find((name) => !(tableNames as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new Refusal(400, `found a table "${unknown}"; expected only ${tableNames.join(", ")}`);
  refuseDeep(snapshot, deeperThanBodies);
  checkState(snapshot.tables, snapshot.next);
  const rows = snapshot.tables as Readonly<Record<string, unknown>>;
  const clock: unknown = Reflect.get(snapshot, "clock");
  refuseMisfit(optional(time)(clock, "clock"));
  const data = { next: snapshot.next, rows: rows as Partial<Record<TableName, never>> };
  return { data, salt: snapshot.salt, clock: typeof clock === "string" ? clock : undefined };
}

function parsedText(text: string): unknown {
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
  const { format = null } = typeof value === "object" && value !== null ? (value as Partial<Snapshot>) : {};
  const found = typeof value === "object" && value !== null ? `format ${JSON.stringify(format)}` : "no JSON object";
  const what =
    format === snapshotFormat
      ? "not all of its parts; expected next and tables, which are objects, and salt, a text"
      : `${found}; expected format "${snapshotFormat}"`;
  return new Refusal(400, `this is no snapshot of the bundled service: found ${what}`);
}

/** The same value with the keys of all objects in order. */
function sorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

interface Reference {
  readonly table: TableName;
  /** Column that holds the id. */
  readonly column: string;
  readonly to: TableName;
}

type Rows = Readonly<Record<string, readonly Stored[]>>;

const counter = shape("a whole number, at least 1", (value) => Number.isSafeInteger(value) && Number(value) >= 1);

/**
 * Refuses, as a whole, a state that is no whole one: a record of another shape, an id twice, an object without the one that it belongs to, or no organization at all. What is taken can be read and written.
 */
function checkState(tables: Readonly<Record<string, unknown>>, next: unknown): void {
  refuseMisfit(bagOf(counter)(next, "next"));
  for (const [name, list] of Object.entries(tables))
    refuseMisfit(listOf(recordShape(name as TableName))(list, `tables.${name}`));
  const rows = tables as Rows;
  for (const [index, row] of (rows["execution"] ?? []).entries())
    refuseMisfit(tooLong(row as ExecutionRecord, `tables.execution[${index}]`));
  const ids = new Map(tableNames.map((name) => [name, idsOf(name, rows)]));
  for (const reference of references) refuseMisfit(dangling(reference, rows, ids));
  if ((rows["organization"] ?? []).length === 0)
    refuseMisfit({ at: "tables.organization", found: undefined, expected: "at least one organization" });
}

function tooLong({ startedAt, finishedAt }: ExecutionRecord, at: string): Misfit | undefined {
  if (startedAt === null || finishedAt === null) return undefined;
  if (Date.parse(finishedAt) - Date.parse(startedAt) <= longestRunMs) return undefined;
  return { at: `${at}.finishedAt`, found: finishedAt, expected: `a moment within ten years after ${startedAt}` };
}

/** Everything that lies below or belongs to another object. */
const references: readonly Reference[] = [
  ...Object.entries(parents).map(([table, [to, column]]) => ({ table: table as TableName, column, to })),
  ...Object.entries(children).flatMap(([to, list]) =>
    list.map(([table, column]) => ({ table, column, to: to as TableName })),
  ),
];

function idsOf(table: TableName, tables: Rows): ReadonlySet<number> {
  const ids = new Set<number>();
  for (const [index, { id }] of (tables[table] ?? []).entries()) {
    if (ids.has(id))
      refuseMisfit({ at: `tables.${table}[${index}].id`, found: id, expected: "an id that no other of the table has" });
    ids.add(id);
  }
  return ids;
}

function dangling(
  { table, column, to }: Reference,
  tables: Rows,
  ids: ReadonlyMap<TableName, ReadonlySet<number>>,
): Misfit | undefined {
  const rows = tables[table] ?? [];
  const known = ids.get(to);
  const index = rows.findIndex((row) => Reflect.get(row, column) !== null && !known?.has(Reflect.get(row, column)));
  if (index < 0) return undefined;
  const found: unknown = Reflect.get(rows[index] as object, column);
  return { at: `tables.${table}[${index}].${column}`, found, expected: `the id of an entry of tables.${to}` };
}

function refuseMisfit(misfit: Misfit | undefined): void {
  if (misfit === undefined) return;
  const words = JSON.stringify(misfit.found) ?? "none";
  const found = words.length > 60 ? `${words.slice(0, 57)}…` : words;
  throw new Refusal(400, `the snapshot is damaged at ${misfit.at}: found ${found}; expected ${misfit.expected}`);
}
