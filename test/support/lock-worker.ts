import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import type { StateSession, StateStore } from "../../src/state/store.ts";
import { gitStore } from "../../src/stores/git/git-store.ts";
import { httpStore } from "../../src/stores/http/http-store.ts";
import { localStore } from "../../src/stores/local/local-store.ts";
import { diskFiles } from "../../src/stores/local/state-files.ts";
import { postgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { s3Store } from "../../src/stores/s3/s3-store.ts";
import { plainGit } from "./git-server.ts";
import { awsVariables, bucketName } from "./s3-server.ts";
import { fresh, intent, realHolder, resource, sending } from "./state-samples.ts";

/** Which store a worker opens; it is a process of its own, so that it can be stopped and killed. */
export type WorkerStore =
  | { readonly backend: "local"; readonly path: string }
  | { readonly backend: "http"; readonly address: string }
  | { readonly backend: "postgres"; readonly url: string; readonly schema: string }
  | { readonly backend: "git"; readonly remote: string }
  | { readonly backend: "s3"; readonly endpoint: string };

/** What a worker does: adds bindings under the lock one at a time, or takes the lock and waits for lines that say what to do. */
export interface WorkerTask {
  readonly store: WorkerStore;
  readonly name: string;
  readonly adds?: number;
}

/** Opens the store that a task names. */
export function openWorkerStore(store: WorkerStore): StateStore {
  switch (store.backend) {
    case "local":
      return localStore({ path: store.path, files: diskFiles, holder: realHolder });
    case "http":
      return httpStore({ address: store.address, holder: realHolder, version: "1", env: {} });
    case "postgres":
      return postgresStore({ url: store.url, schema: store.schema, name: "p", holder: realHolder });
    case "git": {
      const { remote } = store;
      const options = { root: tmpdir(), branch: "loadform-state", path: "p.json", holder: realHolder };
      return gitStore({ ...options, remote, env: plainGit });
    }
    case "s3":
      Object.assign(process.env, awsVariables);
      return s3Store({ bucket: bucketName, key: "p.json", endpoint: store.endpoint, holder: realHolder });
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);

async function add(store: StateStore, { name, adds = 0 }: WorkerTask): Promise<void> {
  for (let index = 0; index < adds; index++) {
    const session = await store.lock({ operation: name, timeoutMs: 60_000 });
    const state = session.stored?.state ?? fresh();
    const resources = { ...state.resources, [`toy.${name}-${index}`]: resource(index) };
    await session.save({ ...state, resources }, []);
    await session.release();
  }
  say("added");
}

async function obey(store: StateStore, { name }: WorkerTask): Promise<void> {
  const session = await store.lock({ operation: name, timeoutMs: 0 });
  await session.save(session.stored?.state ?? fresh(), []);
  say(`locked ${session.info.id}`);
  for await (const line of createInterface({ input: process.stdin })) {
    say(
      await done(session, line)
        .then(() => "ok")
        .catch((problem: unknown) => (problem as Error).name),
    );
    if (line === "release") break;
  }
}

async function done(session: StateSession, line: string): Promise<void> {
  switch (line) {
    case "announce":
      return session.announce?.([intent("toy.zombie")]);
    case "record":
      return session.record([sending("toy.zombie")]);
    case "confirm":
      return session.record([]);
    default:
      return session.release();
  }
}

/** Runs the task given as the program's argument. */
export async function runWorker(argument: string): Promise<void> {
  const task = JSON.parse(argument) as WorkerTask;
  const store = openWorkerStore(task.store);
  await (task.adds === undefined ? obey(store, task) : add(store, task));
  process.exit(0);
}
