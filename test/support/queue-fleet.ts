import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Client } from "pg";
import type { TestContext } from "vitest";
import type { SharingWatcher } from "../../src/watch/queue/share-projects.ts";
import { type QueueWorkerTask, runQueueWorker, type WorkerLine } from "./queue-worker.ts";

let databases = 0;

/** A new database of a server: tests can run beside each other, and one that is repeated finds nothing of its first try. */
export async function makeDatabase(server: string): Promise<string> {
  databases += 1;
  const name = `fleet${databases}`;
  await query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await query(server, `CREATE DATABASE ${name}`);
  return server.replace(/\/postgres$/, `/${name}`);
}

/** Workers around a database of their own, so that tests can run beside each other. */
export async function makeFleet(server: string, { onTestFinished }: TestContext) {
  const url = await makeDatabase(server);
  const lines: WorkerLine[] = [];
  const runs: SharingWatcher[] = [];
  const ask = (sql: string, values: readonly unknown[] = []) => query(url, sql, values);
  onTestFinished(async () => {
    for (const run of runs) await run.stop();
  });
  return {
    ...{ ask, lines, url },
    async start(task: Partial<QueueWorkerTask> & Pick<QueueWorkerTask, "worker" | "projects">) {
      const defaults = { database: { url }, slots: 4, checkMs: 100 };
      const run = await runQueueWorker({ ...defaults, ...task }, (line) => void lines.push(line));
      runs.push(run);
      return run;
    },
    of: (is: WorkerLine["is"], project?: string) =>
      lines.filter((line) => line.is === is && (project === undefined || line.of === project)),
    /** Ends the sessions of all workers, as an administrator or a restart of the server does. */
    endSessions: () =>
      ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'loadform' AND datname = current_database()`),
    jobs: async () =>
      (await ask("SELECT singleton_key FROM loadform_queue.job")).map((row) => row["singleton_key"]).sort(),
    async memoryOf(project: string): Promise<unknown> {
      const [row] = await ask("SELECT memory FROM loadform_watch.projects WHERE project = $1", [project]);
      return JSON.parse(String(row?.["memory"]));
    },
  };
}

/** Asks with a connection of its own. */
export async function query(url: string, sql: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** A way to the server that can fall silent: connections that exist then remain, and carry nothing. */
export async function silentProxy(url: string) {
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), "127.0.0.1");
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.pipe(upstream).pipe(client);
    client.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = new URL(url);
  address.port = String((proxy.address() as AddressInfo).port);
  return {
    url: address.href,
    silence() {
      for (const socket of sockets) socket.unpipe().resume();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
