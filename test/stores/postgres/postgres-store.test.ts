import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LockLost, type StateLocked, StoreFailed } from "../../../src/state/store.ts";
import { connectPostgres } from "../../../src/stores/postgres/postgres-connection.ts";
import { type PostgresStoreOptions, postgresStore } from "../../../src/stores/postgres/postgres-store.ts";
import { stateRow, tryAdvisoryLock, writeRow } from "../../../src/stores/postgres/postgres-table.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { fresh, realHolder, sending } from "../../support/state-samples.ts";
import { describeStore, type StorePlace } from "../../support/store-conformance.ts";

let server: TestPostgres;

async function ask(sql: string, values: readonly unknown[] = []): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

async function postgresPlace(): Promise<StorePlace> {
  const schema = `s-${randomUUID()}`;
  const open = () => postgresStore({ url: server.url, schema, name: "p", holder: realHolder });
  const table = `"${schema}".states`;
  return {
    open,
    async plant(text) {
      await (
        await open()
          .lock({ operation: "plant", timeoutMs: 0 })
          .catch(() => undefined)
      )?.release();
      await ask(
        `INSERT INTO ${table} (name, serial, document) VALUES ('p', 41, $1) ON CONFLICT (name) DO UPDATE SET document = $1`,
        [text],
      );
    },
    async peek() {
      const rows = await ask(`SELECT document FROM ${table} WHERE name = 'p'`).catch(() => []);
      const text = rows[0]?.["document"];
      return typeof text === "string" ? text : undefined;
    },
    holder: { operation: "apply", pid: process.pid },
    remove: async () => {
      await ask(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    },
  };
}

const storeAt = (url: string, options: Partial<PostgresStoreOptions> = {}) =>
  postgresStore({ url, schema: "x", name: "p", holder: realHolder, ...options });
const failureOf = (work: Promise<unknown>) => work.catch((problem: unknown) => problem as Error) as Promise<Error>;

/** The connection string with another member. */
function changed(members: Partial<Pick<URL, "username" | "password" | "port" | "pathname">>): string {
  return Object.assign(new URL(server.url), members).href;
}

describe("postgres store without a server", () => {
  test("names its place without credentials", () => {
    const { where } = storeAt("postgres://ann:Sesam0effne@db.test/states?sslmode=require&password=Sesam0effne");
    expect(where).toBe("postgres://db.test:5432/states (schema x, state p)");
    expect(storeAt("postgres://ann:Sesam0effne@/states?host=/run/pg").where).toContain(
      "postgres:///run/pg:5432/states",
    );
  });

  test("says that the driver has to be installed when it is missing", async () => {
    const missing = Object.assign(new Error("Cannot find package 'pg'"), { code: "ERR_MODULE_NOT_FOUND" });
    const store = storeAt("postgres://127.0.0.1:1/x", { loadDriver: () => Promise.reject(missing) });
    const problem = await failureOf(store.read());
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toMatch(/no package pg.*npm install pg/);
  });

  test.each(["prefer", "require", "verify-ca"])(
    "sslmode=%s is what the driver takes it for, without its warning",
    { retry: 0 },
    async (mode) => {
      const warnings: string[] = [];
      const listen = ({ message }: Error) => void warnings.push(message);
      process.on("warning", listen);
      await failureOf(storeAt(`postgres://ann@127.0.0.1:1/x?sslmode=${mode}`).read());
      await new Promise((resolve) => setImmediate(resolve));
      process.off("warning", listen);
      expect(warnings).toEqual([]);
    },
  );

  test("a server that is not there is told without credentials", async () => {
    const problem = await failureOf(storeAt("postgres://ann:Sesam0effne@127.0.0.1:1/x").read());
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toContain("ECONNREFUSED");
    expect(problem.message).not.toMatch(/Sesam|ann/);
  });
});

describe.runIf(hasPostgres())("postgres store with a real server", () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describeStore("postgres", postgresPlace, { isDear: true });

  test("a refused password is told, neither it nor the name is", async () => {
    const problem = await failureOf(storeAt(changed({ password: "Sesam0effne" })).read());
    expect(problem.message).toMatch(/could not connect to postgres:.*password authentication failed/);
    expect(problem.message).not.toMatch(/Sesam|tester/);
  });

  test("a database that does not exist is told", async () => {
    const problem = await failureOf(storeAt(changed({ pathname: "/none" })).lock({ operation: "apply", timeoutMs: 0 }));
    expect(problem).toBeInstanceOf(StoreFailed);
    expect(problem.message).toContain('database "none" does not exist');
  });

  test("one table holds many states, each with a lock of its own", async () => {
    const schema = "many";
    const [one, two] = ["one", "two@staging"].map((name) => storeAt(server.url, { schema, name }));
    const sessions = await Promise.all([one, two].map((store) => store!.lock({ operation: "apply", timeoutMs: 0 })));
    await sessions[0]!.save({ ...fresh(), project: "one" }, []);
    await sessions[1]!.save({ ...fresh(), project: "two" }, []);
    await Promise.all(sessions.map((session) => session.release()));
    expect([(await one!.read())?.state.project, (await two!.read())?.state.project]).toEqual(["one", "two"]);
    expect(await ask("SELECT name, lock, lock_pid FROM many.states ORDER BY name")).toEqual([
      { name: "one", lock: null, lock_pid: null },
      { name: "two@staging", lock: null, lock_pid: null },
    ]);
  });

  test("a quote in the names of schema and state is only a letter", async () => {
    const store = storeAt(server.url, { schema: 'a"b; DROP', name: "it's" });
    const session = await store.lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    await session.release();
    expect((await store.read())?.state.project).toBe("p");
  });

  test("many first commands at the same time make the table once", async () => {
    const stores = Array.from({ length: 6 }, (_, index) => storeAt(server.url, { schema: "first", name: `n${index}` }));
    const sessions = await Promise.all(stores.map((store) => store.lock({ operation: "apply", timeoutMs: 0 })));
    await Promise.all(sessions.map((session) => session.release()));
    expect(await ask("SELECT count(*)::int AS rows FROM first.states")).toEqual([{ rows: 0 }]);
  });

  test("a role that may only use the table needs no right to make it", async () => {
    const schema = "narrow";
    await (await storeAt(server.url, { schema }).lock({ operation: "apply", timeoutMs: 0 })).release();
    await ask("CREATE ROLE clerk LOGIN PASSWORD 'clerk-password'");
    await ask("GRANT USAGE ON SCHEMA narrow TO clerk");
    await ask("GRANT SELECT, INSERT, UPDATE, DELETE ON narrow.states TO clerk");
    const store = storeAt(changed({ username: "clerk", password: "clerk-password" }), { schema });
    const session = await store.lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    await session.release();
    const refused = await failureOf(
      storeAt(changed({ username: "clerk", password: "clerk-password" }), { schema: "other" }).lock({
        operation: "apply",
        timeoutMs: 0,
      }),
    );
    expect(refused).toBeInstanceOf(StoreFailed);
    expect(refused.message).toMatch(/permission denied .*SQLSTATE 42501/);
  });

  test("a holder of another role cannot be ended without the right to, and keeps its lock", async () => {
    const schema = "roles";
    const session = await storeAt(server.url, { schema }).lock({ operation: "apply", timeoutMs: 0 });
    await ask("CREATE ROLE guest LOGIN PASSWORD 'guest-password'");
    await ask("GRANT USAGE ON SCHEMA roles TO guest");
    await ask("GRANT SELECT, INSERT, UPDATE, DELETE ON roles.states TO guest");
    const guest = storeAt(changed({ username: "guest", password: "guest-password" }), { schema });
    expect(await failureOf(guest.unlock())).toBeInstanceOf(StoreFailed);
    await session.save(fresh(), []);
    await session.release();
  });

  test("a document that someone changed past the lock is not overwritten", async () => {
    const schema = "past";
    const session = await storeAt(server.url, { schema }).lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    await ask("UPDATE past.states SET serial = serial + 1");
    const problem = await failureOf(session.record([sending("toy.a")]));
    expect(problem).toBeInstanceOf(LockLost);
    await session.release();
  });

  test("a session without the lock cannot write, whatever serial it names", async () => {
    const schema = "lockless";
    const session = await storeAt(server.url, { schema }).lock({ operation: "apply", timeoutMs: 0 });
    await session.save(fresh(), []);
    const connection = await connectPostgres({ url: server.url, where: "here" });
    const write = { state: { ...fresh(), serial: 2 }, former: 1 };
    expect(await writeRow(connection, stateRow(schema, "p"), write)).toBe(false);
    await session.release();
    expect(await writeRow(connection, stateRow(schema, "p"), write)).toBe(false);
    expect(await tryAdvisoryLock(connection, stateRow(schema, "p"))).toBe(true);
    expect(await writeRow(connection, stateRow(schema, "p"), write)).toBe(true);
    await connection.close();
  });

  test("a session that ends frees the lock, and its signature counts no more", async () => {
    const schema = "ended";
    const session = await storeAt(server.url, { schema }).lock({ operation: "apply", timeoutMs: 0 });
    const [row] = await ask("SELECT lock_pid FROM ended.states");
    await ask("SELECT pg_terminate_backend($1)", [row?.["lock_pid"]]);
    const next = await storeAt(server.url, { schema }).lock({ operation: "destroy", timeoutMs: 5_000 });
    const refused = await failureOf(storeAt(server.url, { schema }).lock({ operation: "third", timeoutMs: 0 }));
    expect((refused as StateLocked).holder).toMatchObject({ id: next.info.id, operation: "destroy" });
    await expect(session.save(fresh(), [])).rejects.toBeInstanceOf(LockLost);
    await session.release();
    await next.release();
  });
});
