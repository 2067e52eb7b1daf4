import { createHash } from "node:crypto";
import type { State } from "../../state/state.ts";
import { readState, stateText } from "../../state/state-text.ts";
import { type LockInfo, unnamedHolder } from "../../state/store.ts";
import { type PostgresConnection, QueryRefused, type Row } from "./postgres-connection.ts";

/** One state among those of a schema. */
export interface StateRow {
  readonly name: string;
  /** Quoted name of the table. */
  readonly table: string;
  readonly schema: string;
  /** Key of its advisory lock: the hash of where it is. */
  readonly key: string;
}

export interface StoredRow {
  readonly serial: number;
  readonly state: State | undefined;
}

export function stateRow(schema: string, name: string): StateRow {
  const hash = createHash("sha256").update(`loadform ${schema} ${name}`).digest();
  return { name, schema, table: `${quotedIdentifier(schema)}.states`, key: hash.readBigInt64BE(0).toString() };
}

/** Makes schema and table where they are missing; asks for no right to do so where they are not. */
export async function ensureTable({ query }: PostgresConnection, { schema, table }: StateRow): Promise<void> {
  const [found] = await query("SELECT to_regclass($1) IS NOT NULL AS present", [table]);
  if (found?.["present"] === true) return;
  const make = [
    `CREATE SCHEMA IF NOT EXISTS ${quotedIdentifier(schema)}`,
    `CREATE TABLE IF NOT EXISTS ${table} (
      name text PRIMARY KEY, serial bigint NOT NULL, document text, written_at timestamptz, lock text, lock_pid integer)`,
  ];
  for (const sql of make) await unlessMade(() => query(sql));
}

/** The row as anyone may read it; undefined where there is none. */
export async function readRow(
  { query }: PostgresConnection,
  { table, name }: StateRow,
): Promise<StoredRow | undefined> {
  const [row] = await query(`SELECT serial, document FROM ${table} WHERE name = $1`, [name]).catch(ifNoTable);
  if (row === undefined) return undefined;
  const { document } = row;
  return { serial: Number(row["serial"]), state: typeof document === "string" ? readState(document) : undefined };
}

/** True when the session now holds the lock; the row names the holder to those who are refused. */
export async function tryAdvisoryLock({ query }: PostgresConnection, { key }: StateRow): Promise<boolean> {
  const [row] = await query("SELECT pg_try_advisory_lock($1::bigint) AS taken", [key]);
  return row?.["taken"] === true;
}

/** True while this session, and no other that a pooler put in its place, still holds the lock. */
export async function isLocked({ query }: PostgresConnection, { key }: StateRow): Promise<boolean> {
  const [row] = await query(`SELECT pg_backend_pid() IN (${holdersOf("$1")}) AS ours`, [key]);
  return row?.["ours"] === true;
}

/** Says in the row who holds the lock. */
export async function signLock({ query }: PostgresConnection, { table, name }: StateRow, by: LockInfo): Promise<void> {
  await query(
    `INSERT INTO ${table} AS row (name, serial, lock, lock_pid) VALUES ($1, 0, $2, pg_backend_pid())
     ON CONFLICT (name) DO UPDATE SET lock = excluded.lock, lock_pid = excluded.lock_pid`,
    [name, JSON.stringify(by)],
  );
}

/** Takes the signature back and frees the lock; a row without a state is deleted. */
export async function freeLock({ query }: PostgresConnection, { table, name, key }: StateRow): Promise<void> {
  await query(`UPDATE ${table} SET lock = NULL, lock_pid = NULL WHERE name = $1 AND lock_pid = pg_backend_pid()`, [
    name,
  ]);
  await query(`DELETE FROM ${table} WHERE name = $1 AND document IS NULL AND lock IS NULL`, [name]);
  await query("SELECT pg_advisory_unlock($1::bigint)", [key]);
}

/** Stores a state over the one of serial `former`, if this session still holds the lock; false if it does not. */
export async function writeRow(
  connection: PostgresConnection,
  row: StateRow,
  write: { readonly state: State; readonly former: number },
) {
  const { table, name, key } = row;
  const { state, former } = write;
  const written = await connection.query(
    `UPDATE ${table} SET serial = $2, document = $3, written_at = now() WHERE name = $1 AND serial = $4
     AND pg_backend_pid() IN (${holdersOf("$5")}) RETURNING serial`,
    [name, state.serial, stateText(state), former, key],
  );
  return written.length === 1;
}

export interface LockSession {
  readonly pid: number;
  readonly info: LockInfo;
}

/** The lock's holder, by the server's own list; the signature in the row counts when it is of that session. */
export async function readHolder({ query }: PostgresConnection, row: StateRow): Promise<LockSession | undefined> {
  const [holder] = await query(
    `SELECT pid, usename, backend_start FROM pg_stat_activity WHERE pid IN (${holdersOf("$1")})`,
    [row.key],
  );
  if (holder === undefined) return undefined;
  const pid = Number(holder["pid"]);
  const signed = await query(`SELECT lock FROM ${row.table} WHERE name = $1 AND lock_pid = $2`, [row.name, pid]).catch(
    ifNoTable,
  );
  return { pid, info: infoOf(signed[0]) ?? unsigned(holder, pid) };
}

export async function endSession({ query }: PostgresConnection, { pid }: LockSession): Promise<void> {
  await query("SELECT pg_terminate_backend($1::integer)", [pid]);
}

/** Process ids of the sessions that hold an advisory lock: its key is split over two columns of unsigned 32 bits. */
function holdersOf(key: string): string {
  return `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = ${key}::bigint`;
}

function infoOf(row: Row | undefined): LockInfo | undefined {
  const text = row?.["lock"];
  return typeof text === "string" ? (JSON.parse(text) as LockInfo) : undefined;
}

function unsigned({ usename, backend_start: start }: Row, pid: number): LockInfo {
  const holder = unnamedHolder(`session-${pid}`);
  const created = start instanceof Date ? start.toISOString() : holder.created;
  return { ...holder, who: String(usename ?? holder.who), created };
}

/** Another command creates the same table at this moment: then it exists. */
async function unlessMade(make: () => Promise<unknown>): Promise<void> {
  const alreadyThere = ["23505", "42P06", "42P07", "42710"];
  await make().catch((problem: unknown) => {
    if (!(problem instanceof QueryRefused && alreadyThere.includes(problem.sqlState))) throw problem;
  });
}

function ifNoTable(problem: unknown): readonly Row[] {
  if (problem instanceof QueryRefused && ["42P01", "3F000"].includes(problem.sqlState)) return [];
  throw problem;
}

function quotedIdentifier(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
