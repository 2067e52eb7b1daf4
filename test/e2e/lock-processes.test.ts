// merge: two processes
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LockLost, StateLocked } from "../../src/state/store.ts";
import { isDeep } from "../support/deep.ts";
import { bareRepository } from "../support/git-server.ts";
import { openWorkerStore, type WorkerStore } from "../support/lock-worker.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { startS3Server } from "../support/s3-server.ts";
import { buildWorker, type Worker, type WorkerProgram } from "../support/start-worker.ts";
import { type StateServerFlavour, startStateServer } from "../support/state-server.ts";
import { stopAnywhere } from "../support/stop-process.ts";

const withPostgres = hasPostgres();
const rounds = Number(process.env["LOADFORM_RUNS"] ?? (isDeep ? 200 : 1));
const addsEach = isDeep ? 4 : 2;
/** 2 to 8 racers, round by round; before a merge two where each of their steps starts processes of git. */
const racersOf = (name: string, round: number) => (isDeep ? 2 + (round % 7) : name === "git" ? 2 : 3);

let program: WorkerProgram;
let database: TestPostgres | undefined;
let folder = "";
const servers: { readonly close: () => unknown }[] = [];
const workers: Worker[] = [];
let count = 0;

beforeAll(async () => {
  program = await buildWorker();
  folder = await mkdtemp(join(tmpdir(), "loadform-processes-"));
  if (withPostgres) database = await startPostgres();
});
afterAll(async () => {
  for (const { process: child } of workers) child.kill("SIGKILL");
  for (const server of servers) await server.close();
  await database?.stop();
  program?.remove();
  await rm(folder, { recursive: true, force: true });
});

async function place(name: string): Promise<WorkerStore> {
  count += 1;
  if (name === "local") return { backend: "local", path: join(folder, `${count}.json`) };
  if (name === "postgres") return { backend: "postgres", url: database!.url, schema: `s${count}` };
  if (name === "git") {
    const repository = bareRepository();
    servers.push({ close: repository.remove });
    return { backend: "git", remote: repository.folder };
  }
  if (name === "s3") {
    const server = await startS3Server();
    servers.push(server);
    return { backend: "s3", endpoint: server.endpoint };
  }
  const server = await startStateServer(name as StateServerFlavour);
  servers.push(server);
  return { backend: "http", address: server.address };
}

function start(task: Parameters<WorkerProgram["start"]>[0]): Worker {
  const worker = program.start(task);
  workers.push(worker);
  return worker;
}

async function startLocked(store: WorkerStore): Promise<{ readonly worker: Worker; readonly id: string }> {
  const worker = start({ store, name: "holder" });
  const line = await worker.line();
  expect(line).toMatch(/^locked ./);
  return { worker, id: line!.slice("locked ".length) };
}

/** GitLab's protocol is the plain one with other words, which test/state/store.test.ts has within one process. */
const stores = ["local", "plain", ...(isDeep ? ["gitlab"] : []), "git", "s3", ...(withPostgres ? ["postgres"] : [])];

describe.each(stores)("processes on %s (P11)", (name) => {
  test(`that race lose no update, ${rounds} time(s)`, async () => {
    for (let round = 0; round < rounds; round++) {
      const store = await place(name);
      const names = Array.from({ length: racersOf(name, round) }, (_, index) => `r${index}`);
      const codes = names.map((each) => start({ store, name: each, adds: addsEach }).ended);
      expect(await Promise.all(codes)).toEqual(names.map(() => 0));
      const state = (await openWorkerStore(store).read())?.state;
      expect(Object.keys(state?.resources ?? {})).toHaveLength(names.length * addsEach);
      expect(state?.serial).toBe(names.length * addsEach);
    }
  });

  test(`one that was stopped, robbed of its lock and resumed writes nothing any more, ${rounds} time(s)`, async () => {
    for (let round = 0; round < rounds; round++) await robZombie(await place(name), round);
  });

  /** What was announced before it was stopped may not be sent either, and nothing that needs no intent. */
  async function robZombie(store: WorkerStore, round: number): Promise<void> {
    const { worker, id } = await startLocked(store);
    worker.send("announce");
    expect(await worker.line()).toBe("ok");
    await stopAnywhere(worker.process.pid!);
    await expect(openWorkerStore(store).lock({ operation: "me", timeoutMs: 0 })).rejects.toBeInstanceOf(StateLocked);
    expect((await openWorkerStore(store).unlock(id))?.id).toBe(id);
    const session = await openWorkerStore(store).lock({ operation: "me", timeoutMs: 5_000 });
    worker.process.kill("SIGCONT");
    worker.send(round % 2 === 0 ? "record" : "confirm");
    expect(await worker.line()).toBe(LockLost.name);
    await session.save(session.stored!.state, []);
    worker.send("release");
    expect(await worker.line()).toMatch(/^(ok|LockLost)$/);
    await expect(openWorkerStore(store).lock({ operation: "x", timeoutMs: 0 })).rejects.toBeInstanceOf(StateLocked);
    await session.release();
    expect((await openWorkerStore(store).read())?.intents).toEqual([]);
    await worker.ended;
  }

  test("one that was killed leaves its intent, and its lock dies with it or can be broken", async () => {
    const store = await place(name);
    const { worker, id } = await startLocked(store);
    worker.send("record");
    expect(await worker.line()).toBe("ok");
    worker.process.kill("SIGKILL");
    await worker.ended;
    const isFreedByItself = name === "local" || name === "postgres";
    if (!isFreedByItself) expect(await openWorkerStore(store).unlock(id)).toMatchObject({ id });
    const session = await openWorkerStore(store).lock({ operation: "me", timeoutMs: isFreedByItself ? 5_000 : 0 });
    expect(session.stored?.intents.map(({ address }) => address)).toEqual(["toy.zombie"]);
    await session.release();
  });
});
