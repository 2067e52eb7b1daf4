import {
  connectPostgres,
  type LoadDriver,
  parseDatabaseUrl,
  plainDatabase,
  type Row,
} from "../../stores/postgres/postgres-connection.ts";

export type Query = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * The one session of a worker at the queue's database: jobs, memories and locks of projects are all asked through it, so that a worker
 * without it holds no project. Connections must not be pooled by transaction.
 */
export interface QueueSession {
  /** One statement, in a transaction of its own. */
  readonly query: Query;
  /** One transaction: all other queries of the session wait until it has ended. */
  readonly transact: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** Aborted when the session has ended, whoever ended it. */
  readonly ended: AbortSignal;
  readonly close: () => Promise<void>;
}

/** The queue's connection string; it reaches no message. */
export interface QueueDatabase {
  readonly url: string;
  readonly loadDriver?: LoadDriver;
  /** Default: 20 s. */
  readonly queryTimeoutMs?: number;
}

const purpose = { subject: "a queue of projects", setting: "$LOADFORM_QUEUE, or queue: of the configuration," };

/**
 * Shorter than what the server waits for a client that has vanished (30 s) before it gives its locks to others: a worker that is cut off
 * ends its checks before another one begins them.
 */
const longestSilenceMs = 20_000;

/** A worker that is stopped within a transaction must not hold up the others. */
const patience = "SET idle_in_transaction_session_timeout = '15s'; SET lock_timeout = '15s'";

/** The server and database of a queue for messages, without credentials. */
export function plainQueue(url: string): string {
  return `the queue at ${plainDatabase(url)}`;
}

/** True for a connection string of PostgreSQL. */
export function isQueueUrl(url: string): boolean {
  return parseDatabaseUrl(url) !== undefined;
}

/** Opens the session of a worker. */
export async function openQueueSession(database: QueueDatabase): Promise<QueueSession> {
  const { url, loadDriver, queryTimeoutMs = longestSilenceMs } = database;
  const end = new AbortController();
  const connection = await connectPostgres({
    ...{ url, where: plainQueue(url), purpose, queryTimeoutMs, ended: () => end.abort() },
    ...(loadDriver !== undefined && { loadDriver }),
  });
  const ask: Query = async (sql, values) => {
    try {
      return await connection.query(sql, values);
    } catch (problem) {
      if (problem instanceof Error && problem.name === "LockLost") end.abort();
      throw problem;
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  await ask(patience);
  return {
    query: (sql, values) => inTurn(() => ask(sql, values)),
    transact: (work) => inTurn(() => inTransaction(ask, work)),
    ended: end.signal,
    async close() {
      end.abort();
      await Promise.race([connection.close(), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
    },
  };
}

async function inTransaction<T>(ask: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await ask("BEGIN");
  try {
    const result = await work(ask);
    await ask("COMMIT");
    return result;
  } catch (problem) {
    await ask("ROLLBACK").catch(() => undefined);
    throw problem;
  }
}
