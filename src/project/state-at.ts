import { resolve } from "node:path";
import type { StateSettings } from "../config/load-project.ts";
import { decodedPart } from "../state/decoded-part.ts";
import { httpStore } from "../state/http-store.ts";
import { localStore } from "../state/local-store.ts";
import { processHolder } from "../state/lock-holder.ts";
import { memoryStore } from "../state/memory-store.ts";
import { parseDatabaseUrl } from "../state/postgres-connection.ts";
import { postgresStore } from "../state/postgres-store.ts";
import { behindLink, diskFiles } from "../state/state-files.ts";
import type { Credentials } from "../state/state-server.ts";
import { StateUnusable } from "../state/state-text.ts";
import type { StateSession, StateStore } from "../state/store.ts";
import { StoreFailed } from "../state/store.ts";
import { commandWords } from "./command-place.ts";
import type { OpenProject } from "./load-folder.ts";
import { problem } from "./problem.ts";
import { talkingStore } from "./talking-lock.ts";
import type { World } from "./world.ts";

type Settings<Backend extends StateSettings["backend"]> = Extract<StateSettings, { readonly backend: Backend }>;
type Placed = Pick<OpenProject, "name" | "root" | "environment" | "state">;

/** The store that a project's state lives in. */
export function stateAt(project: Placed, world: World): StateStore {
  return talkingStore(storeOf(project, world), world, commandWords(project, world));
}

function storeOf(project: Placed, world: World): StateStore {
  const { state: settings, root } = project;
  switch (settings.backend) {
    case "memory":
      return memoryStore();
    case "local": {
      const path = behindLink(resolve(root, settings.path));
      const store = localStore({ path, files: diskFiles, holder: holderOf(world) });
      return explained(onDisk(store), () => wayBack(path));
    }
    case "http":
      return explained(
        atServer(settings, world),
        async () => "look at what the address serves, or at the server's earlier versions of it",
      );
    case "postgres":
      return explained(
        atDatabase(settings, project, world),
        async () => "look at the document column of that row, or at a backup of it",
      );
  }
}

function holderOf({ sleep, now }: World) {
  return processHolder({ sleep, now });
}

/** Terraform's own variables count too, so that a job set up for GitLab-managed state needs nothing else. */
function atServer(settings: Settings<"http">, world: World): StateStore {
  const { env, version } = world;
  for (const name of ["address", "lockAddress", "unlockAddress"] as const) {
    const address = settings[name];
    if (address !== undefined && !isWebAddress(address))
      throw badAddress(`state.${name}`, address, "http://… or https://…");
  }
  const { address, lockAddress, unlockAddress } = settings;
  const lockMethod = settings.lockMethod ?? set(env["TF_HTTP_LOCK_METHOD"]);
  const unlockMethod = settings.unlockMethod ?? set(env["TF_HTTP_UNLOCK_METHOD"]);
  const updateMethod = set(env["TF_HTTP_UPDATE_METHOD"]);
  const credentials = credentialsOf(settings, env);
  return httpStore({
    address: withoutUser(address),
    ...(lockAddress === undefined ? {} : { lockAddress: withoutUser(lockAddress) }),
    ...(unlockAddress === undefined ? {} : { unlockAddress: withoutUser(unlockAddress) }),
    ...(lockMethod === undefined ? {} : { lockMethod }),
    ...(unlockMethod === undefined ? {} : { unlockMethod }),
    ...(updateMethod === undefined ? {} : { updateMethod }),
    ...(credentials === undefined ? {} : { credentials }),
    holder: holderOf(world),
    version,
    env,
  });
}

function credentialsOf({ username, address }: Settings<"http">, env: World["env"]): Credentials | undefined {
  const url = new URL(address);
  const name = set(username) ?? set(env["TF_HTTP_USERNAME"]) ?? set(decodedPart(url.username));
  const inUrl = decodedPart(url.password);
  const password = set(env["LOADFORM_STATE_PASSWORD"]) ?? set(env["TF_HTTP_PASSWORD"]) ?? inUrl;
  return name === undefined ? undefined : { username: name, password };
}

function withoutUser(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}

function atDatabase(settings: Settings<"postgres">, { name, environment }: Placed, world: World): StateStore {
  const { url, schema } = settings;
  if (parseDatabaseUrl(url) === undefined) throw badAddress("state.url", url, "postgres://…, from ${env:…}");
  return postgresStore({
    url,
    ...(schema === undefined ? {} : { schema }),
    name: environment === undefined ? name : `${name}@${environment}`,
    holder: holderOf(world),
  });
}

const set = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The value is not shown: it may hold a password. */
function badAddress(key: string, value: string, expected: string) {
  const found = value === "" ? "an empty text, as of a variable that is set to nothing" : "something else";
  return problem("LF1104", `${key} is no address of a state store`, `found ${found}; expected ${expected}`);
}

/** The copy from before the last write, or what to do where there is none. */
async function wayBack(path: string): Promise<string> {
  const former = await diskFiles.read(`${path}.bak`);
  if (former !== undefined) return `the one before the last write is ${path}.bak: look at it and copy it back`;
  return "there is no copy from before it. Move it away, and take over what is at the service with: loadform apply --adopt exact";
}

/** What the disk refuses is no defect. */
function onDisk(store: StateStore): StateStore {
  const explain = (thrown: unknown): never => {
    if (!(thrown instanceof Error && "syscall" in thrown && "code" in thrown)) throw thrown;
    const found = thrown.code === "EISDIR" ? "a folder" : `it unusable (${thrown.message})`;
    throw new StoreFailed(`found ${found} at ${store.where}; expected a file that can be read and written`, {
      cause: thrown,
    });
  };
  const explained = (session: StateSession): StateSession => ({
    ...session,
    prepare: (state, intents) => session.prepare(state, intents).catch(explain),
    record: (entries) => session.record(entries).catch(explain),
    save: (state, intents) => session.save(state, intents).catch(explain),
    release: () => session.release().catch(explain),
  });
  return {
    ...store,
    read: () => store.read().catch(explain),
    lock: (request) => store.lock(request).then(explained, explain),
    unlock: (id) => store.unlock(id).catch(explain),
  };
}

/** Names the place and the way out when a state cannot be used. */
function explained(store: StateStore, wayOut: () => Promise<string>): StateStore {
  const explain = async (thrown: unknown): Promise<never> => {
    if (!(thrown instanceof StateUnusable)) throw thrown;
    const found = `found that ${store.where} is damaged or foreign: ${thrown.message}`;
    throw problem("LF5002", "the state cannot be used", `${found}. It was left alone; ${await wayOut()}`);
  };
  return { ...store, read: () => store.read().catch(explain), lock: (request) => store.lock(request).catch(explain) };
}
