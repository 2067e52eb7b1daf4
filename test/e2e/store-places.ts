import { join } from "node:path";
import type { StateStore } from "../../src/state/store.ts";
import { gitStore } from "../../src/stores/git/git-store.ts";
import { httpStore } from "../../src/stores/http/http-store.ts";
import { localStore } from "../../src/stores/local/local-store.ts";
import { diskFiles } from "../../src/stores/local/state-files.ts";
import { postgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { s3Store } from "../../src/stores/s3/s3-store.ts";
import { bareRepository, plainGit } from "../support/git-server.ts";
import { hasPostgres, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { awsVariables, bucketName, startS3Server } from "../support/s3-server.ts";
import { realHolder } from "../support/state-samples.ts";
import { startStateServer } from "../support/state-server.ts";

/** Where a project of the command line keeps its state. */
export interface StatePlace {
  /** The project's `state`. */
  readonly settings: unknown;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the lock of a killed command is free without anybody's help. */
  readonly isFreedByDeath: boolean;
  /** The same state as seen by the test; `cwd` is the project's folder. */
  readonly open: (cwd: string) => StateStore;
}

/** Stores of the project named `project`, each place used once. */
export interface StatePlaces {
  readonly place: (name: StoreName, project: string) => Promise<StatePlace>;
  readonly stop: () => Promise<void>;
}

/** A store, and for http which server. */
export type StoreName = "local" | "http" | "gitlab" | "postgres" | "git" | "s3";

/** The stores that can be tried here. */
export const storeNames: readonly StoreName[] = [
  "local",
  "http",
  "gitlab",
  "git",
  "s3",
  ...(hasPostgres() ? ["postgres" as const] : []),
];

/** Starts the servers as they are asked for. */
export function statePlaces(): StatePlaces {
  const ends: (() => Promise<void>)[] = [];
  let database: Promise<TestPostgres> | undefined;
  let count = 0;
  const postgres = async (project: string): Promise<StatePlace> => {
    database ??= startPostgres();
    const { url } = await database;
    const schema = `place${++count}`;
    return {
      settings: { backend: "postgres", url: "${env:STATE_URL}", schema },
      env: { STATE_URL: url },
      isFreedByDeath: true,
      open: () => postgresStore({ url, schema, name: project, holder: realHolder }),
    };
  };
  const web = async (flavour: "plain" | "gitlab"): Promise<StatePlace> => {
    const server = await startStateServer(flavour);
    ends.push(server.close);
    const { address } = server;
    return {
      settings: { backend: "http", address },
      env: {},
      isFreedByDeath: false,
      open: () => httpStore({ address, holder: realHolder, version: "1", env: {} }),
    };
  };
  const branch = (project: string): StatePlace => {
    const { folder: remote, remove } = bareRepository();
    ends.push(async () => remove());
    return {
      settings: { backend: "git", remote },
      env: plainGit,
      isFreedByDeath: false,
      open: (root) => {
        const path = `${project}.json`;
        return gitStore({ root, remote, branch: "loadform-state", path, holder: realHolder, env: plainGit });
      },
    };
  };
  const bucket = async (project: string): Promise<StatePlace> => {
    const { endpoint, close } = await startS3Server();
    ends.push(close);
    const place = { bucket: bucketName, key: `${project}.json`, endpoint };
    Object.assign(process.env, awsVariables);
    return {
      settings: { backend: "s3", ...place },
      env: awsVariables,
      isFreedByDeath: false,
      open: () => s3Store({ ...place, holder: realHolder }),
    };
  };
  return {
    async place(name, project) {
      if (name === "postgres") return postgres(project);
      if (name === "git") return branch(project);
      if (name === "s3") return bucket(project);
      if (name !== "local") return web(name === "http" ? "plain" : "gitlab");
      const path = (cwd: string) => join(cwd, ".loadform", "state.json");
      const open = (cwd: string) => localStore({ path: path(cwd), files: diskFiles, holder: realHolder });
      return { settings: ".loadform/state.json", env: {}, isFreedByDeath: true, open };
    },
    async stop() {
      for (const end of ends) await end();
      await (await database)?.stop();
    },
  };
}
