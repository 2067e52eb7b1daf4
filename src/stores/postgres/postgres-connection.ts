import type { ClientConfig, QueryResult } from "pg";
import { decodedPart } from "../../model/secret-texts.ts";
import { LockLost, StoreFailed } from "../../state/store.ts";

export type Row = Readonly<Record<string, unknown>>;

/** One session at a PostgreSQL server. */
export interface PostgresConnection {
  /** Rejects with {@link LockLost} when the session has ended, and with {@link StoreFailed} for any other refusal. */
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;
  /** Ends the session, and with it every lock that it holds. */
  readonly close: () => Promise<void>;
}

/** The database driver; an optional peer, loaded when a project's state is in PostgreSQL. */
export type LoadDriver = () => Promise<Pick<typeof import("pg"), "Client">>;

export interface ConnectOptions {
  /** Connection string; its credentials reach no message. */
  readonly url: string;
  readonly where: string;
  /** For messages; default: a project's state. */
  readonly purpose?: ConnectPurpose;
  /** Called when the session has ended, whoever ended it. */
  readonly ended?: () => void;
  /** Without an answer for as long the session counts as ended. Default: 30 s. */
  readonly queryTimeoutMs?: number;
  readonly loadDriver?: LoadDriver;
}

/** Who needs a connection, and which setting has its connection string. */
export interface ConnectPurpose {
  readonly subject: string;
  readonly setting: string;
}

const ofState: ConnectPurpose = { subject: "state in PostgreSQL", setting: "state.url" };

/** The SQLSTATE of a refused query, where the caller has an answer to it. */
export class QueryRefused extends StoreFailed {
  readonly sqlState: string;
  constructor(message: string, sqlState: string) {
    super(message);
    this.sqlState = sqlState;
  }
}

const loadPg: LoadDriver = async () => {
  const loaded = await import("pg");
  return loaded.default ?? loaded;
};

/** Opens a session. */
export async function connectPostgres(options: ConnectOptions): Promise<PostgresConnection> {
  const { url, where, purpose = ofState, loadDriver = loadPg } = options;
  const { Client } = await loadDriver().catch((problem: unknown) => missingDriver(problem, purpose));
  const words = (problem: unknown) => withoutLogin(messageOf(problem), url);
  const failed = (problem: unknown): StoreFailed =>
    new StoreFailed(
      `could not connect to ${where}: ${words(problem)}. Check ${purpose.setting} and that the server is up`,
    );
  let lost = false;
  let client: InstanceType<typeof Client>;
  try {
    client = new Client(settings(options));
    client.on("error", () => {
      lost = true;
    });
    client.once("end", () => options.ended?.());
    await client.connect();
    await client.query(sessionSettings);
  } catch (problem) {
    throw failed(problem);
  }
  return {
    async query(sql, values = []) {
      try {
        // Several statements at once have no rows.
        const { rows = [] }: Partial<QueryResult<Row>> = await client.query<Row>(sql, [...values]);
        return rows;
      } catch (problem) {
        const code = sqlState(problem);
        // Connection exceptions, and the server's shutdown and termination.
        if (lost || code === undefined || /^08|^57P|^(?![0-9A-Z]{5}$)/.test(code))
          throw new LockLost(
            `the session at ${where}, and with it the lock, was ended by someone else (${words(problem)})`,
          );
        throw new QueryRefused(`${where} refused a query: ${words(problem)} (SQLSTATE ${code})`, code);
      }
    },
    close: () => client.end().catch(() => undefined),
  };
}

/** A connection string for messages: server and database, no credentials. */
export function plainDatabase(url: string): string {
  const parsed = parseDatabaseUrl(url);
  if (parsed === undefined) return "the PostgreSQL database";
  const { hostname, port, pathname, searchParams } = parsed;
  const named = hostname === socketHost ? "" : decodedPart(hostname);
  const host = named || searchParams.get("host") || "localhost";
  return `postgres://${host}:${port || searchParams.get("port") || 5432}${pathname}`;
}

/** A connection string as a URL; undefined when it is none. With a socket its host is empty, whoever logs in. */
export function parseDatabaseUrl(url: string): URL | undefined {
  const whole = URL.canParse(url) ? url : url.replace("@/", `@${socketHost}/`);
  if (!URL.canParse(whole)) return undefined;
  const parsed = new URL(whole);
  return /^postgres(ql)?:$/.test(parsed.protocol) ? parsed : undefined;
}

/** Stands for no host, as a URL with a user needs one. */
const socketHost = "no-host.invalid";

function settings({ url, queryTimeoutMs = 30_000 }: ConnectOptions): ClientConfig {
  return {
    // The driver takes these words for verify-full, and warns in its own name that it does.
    connectionString: url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full"),
    application_name: "loadform",
    connectionTimeoutMillis: 10_000,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
  };
}

/**
 * A holder whose machine vanished must not hold on for hours, and one that waits for a slow service must not be cut off.
 * Settings that an older server does not know are omitted.
 */
const sessionSettings = `SELECT set_config(name, wanted, false) FROM (VALUES
  ('tcp_keepalives_idle', '15'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
  ('idle_session_timeout', '0'), ('idle_in_transaction_session_timeout', '0')
) AS wish (name, wanted) JOIN pg_settings USING (name)`;

function missingDriver(problem: unknown, { subject }: ConnectPurpose): never {
  const code = sqlState(problem);
  const reason =
    code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" ? "there is no package pg" : messageOf(problem);
  throw new StoreFailed(`${subject} needs its driver: ${reason}. Install it with loadform: npm install pg`);
}

function sqlState(problem: unknown): string | undefined {
  const isCoded = typeof problem === "object" && problem !== null && "code" in problem;
  return isCoded && typeof problem.code === "string" ? problem.code : undefined;
}

function messageOf(problem: unknown): string {
  const inner = problem instanceof AggregateError ? problem.errors[0] : problem;
  return inner instanceof Error ? inner.message : String(inner);
}

function withoutLogin(message: string, url: string): string {
  const { password = "", username = "" } = parseDatabaseUrl(url) ?? {};
  const raw = [url, password, decodedPart(password), username, decodedPart(username)];
  return raw.filter((each) => each.length > 1).reduce((text, each) => text.replaceAll(each, "***"), message);
}
