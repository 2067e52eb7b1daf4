import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { postgresStore } from "../../src/state/postgres-store.ts";
import type { TestPostgres } from "../support/postgres.ts";
import { hasPostgres, startPostgres } from "../support/postgres.ts";
import { realHolder } from "../support/state-samples.ts";
import type { StorePlace } from "../support/store-conformance.ts";
import { describeStore } from "../support/store-conformance.ts";

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

describe.runIf(hasPostgres())("with a real server", () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  describeStore("postgres", postgresPlace);
});
