import type { SettingsOf } from "../../model/state-settings.ts";
import type { LockHolder, LockTry } from "../../state/lock-holder.ts";
import type { RemotePace } from "../../state/remote-session.ts";
import { raised, type State } from "../../state/state.ts";
import { type LockInfo, LockLost, lockBroken, StateLocked, type StateStore, StoreFailed } from "../../state/store.ts";
import { badAddress, documentStore, type StoreOpening } from "../store-opening.ts";
import {
  connectPostgres,
  type LoadDriver,
  type PostgresConnection,
  parseDatabaseUrl,
  plainDatabase,
} from "./postgres-connection.ts";
import {
  endSession,
  ensureTable,
  freeLock,
  isLocked,
  readHolder,
  readRow,
  type StateRow,
  type StoredRow,
  signLock,
  stateRow,
  tryAdvisoryLock,
  writeRow,
} from "./postgres-table.ts";

export interface PostgresStoreOptions {
  readonly url: string;
  /** Schema of its table. Default: `loadform`. */
  readonly schema?: string;
  /** Name of the state: one table holds those of many projects and environments. */
  readonly name: string;
  readonly holder: LockHolder;
  readonly pace?: Omit<RemotePace, "now">;
  readonly loadDriver?: LoadDriver;
}

interface StateLocation {
  readonly options: PostgresStoreOptions;
  readonly row: StateRow;
  readonly where: string;
}

/** Time for an ended session to release its lock. */
const endingMs = 10_000;

/** The postgres store of a project: a row for each of its environments. */
export function openPostgresStore({ url, schema }: SettingsOf<"postgres">, opening: StoreOpening): StateStore {
  const { project, environment, holder } = opening;
  if (parseDatabaseUrl(url) === undefined) throw badAddress("state.url", url, "postgres://…, from ${env:…}");
  const name = environment === undefined ? project : `${project}@${environment}`;
  return postgresStore({ url, ...(schema !== undefined && { schema }), name, holder });
}

/**
 * State in a row of PostgreSQL (docs/engine.md, Stores and locks). The lock is an advisory one of the session that also writes, so whoever
 * lost it has no session to write with; it ends with the session. Connections must not be pooled by transaction.
 */
export function postgresStore(options: PostgresStoreOptions): StateStore {
  const { url, schema = "loadform", name, holder, loadDriver } = options;
  const where = `${plainDatabase(url)} (schema ${schema}, state ${name})`;
  const location: StateLocation = { options, row: stateRow(schema, name), where };
  return documentStore({
    where,
    holder,
    pace: options.pace,
    open: () => connectPostgres({ url, where, ...(loadDriver && { loadDriver }) }),
    close: (connection) => connection.close(),
    read: async (connection) => (await readRow(connection, location.row))?.state,
    taking: async (connection) => async (): Promise<LockTry<true>> => {
      if (await tryAdvisoryLock(connection, location.row)) return { acquired: true };
      return { lockedBy: (await readHolder(connection, location.row))?.info };
    },
    locked: (connection, info) => openRow(connection, location, info),
    unlock: (connection, id) => endHolder(connection, location, id),
    // A session that ends before the lock is ours is a failed store, not a lost lock.
    failure: (problem) =>
      problem instanceof LockLost ? new StoreFailed(problem.message, { cause: problem }) : problem,
  });
}

async function openRow(connection: PostgresConnection, { row, where }: StateLocation, info: LockInfo) {
  await ensureTable(connection, row);
  await signLock(connection, row, info);
  const stored: StoredRow | undefined = await readRow(connection, row);
  let former = stored?.serial ?? 0;
  return {
    info,
    state: stored?.state,
    async write(state: State) {
      const next = raised(state, { serial: former });
      if (!(await writeRow(connection, row, { state: next, former }))) throw lockBroken(where);
      former = next.serial;
      return next;
    },
    async look() {
      if (!(await isLocked(connection, row))) throw lockBroken(where);
    },
    async release() {
      await freeLock(connection, row).catch(() => undefined);
      await connection.close();
    },
  };
}

/** Ends the session that holds the lock, and waits until it has ended: what it sends from then on is refused. */
async function endHolder(connection: PostgresConnection, location: StateLocation, id: string | undefined) {
  const { row, where, options } = location;
  const holder = await readHolder(connection, row);
  if (holder === undefined) return undefined;
  if (id !== undefined && holder.info.id !== id) throw new StateLocked(holder.info);
  await endSession(connection, holder);
  const { now, sleep } = options.holder;
  for (const until = now() + endingMs; now() < until; await sleep(50)) {
    const other = await readHolder(connection, row);
    if (other?.pid !== holder.pid) return holder.info;
  }
  throw new StoreFailed(
    `could not end the session that holds the lock of ${where}: it still existed after ${endingMs / 1000} s`,
  );
}
