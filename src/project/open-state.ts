import { resolve } from "node:path";
import type { StateSettings } from "../config/load-project.ts";
import { problem, wrongValue } from "../model/diagnostic.ts";
import type { Redact } from "../model/redact.ts";
import { redactor } from "../model/redact.ts";
import { gitStore } from "../state/git-store.ts";
import { httpStore } from "../state/http-store.ts";
import { localStore } from "../state/local-store.ts";
import { processHolder } from "../state/lock-holder.ts";
import { memoryStore } from "../state/memory-store.ts";
import { decodedPart, parseDatabaseUrl } from "../state/postgres-connection.ts";
import { postgresStore } from "../state/postgres-store.ts";
import { s3Store } from "../state/s3-store.ts";
import { randomHex } from "../state/secret-fingerprint.ts";
import { newState } from "../state/state.ts";
import { behindLink, diskFiles } from "../state/state-files.ts";
import type { Credentials } from "../state/state-server.ts";
import type { LockInfo, LockRequest, StateSession, StateStore, StoredState } from "../state/store.ts";
import { heldBy, StateLocked, StoreFailed, wayOutOf } from "../state/store.ts";
import type { LoadedProject } from "./open-project.ts";
import { commandWords } from "./open-project.ts";
import { onDisk, wayBack, withoutSecrets, withWayOut } from "./store-failures.ts";
import type { LockTalk, System } from "./system.ts";

type Settings<Backend extends StateSettings["backend"]> = Extract<StateSettings, { readonly backend: Backend }>;
/** A project as far as it says where its state is. */
export type StateOwner = Pick<LoadedProject, "name" | "root" | "environment" | "state"> &
  Partial<Pick<LoadedProject, "secrets">>;

/** The store of a project's state. */
export function openState(project: StateOwner, system: System): StateStore {
  const redact = stateRedactor(project, system);
  return talkingStore(withoutSecrets(storeOf(project, system, redact), redact), system, commandWords(project, system));
}

/** Takes out what may not be said or written of a store: the project's secrets, those within addresses too, and passwords of stores. */
function stateRedactor({ state, secrets = [] }: StateOwner, { env }: System): Redact {
  const addresses = [...secrets, ...Object.values(state)].flatMap((value) =>
    typeof value === "string" ? secretParts(value) : [],
  );
  const passwords = [env["LOADFORM_STATE_PASSWORD"], env["TF_HTTP_PASSWORD"]].flatMap((value) => value ?? []);
  return redactor([...secrets, ...addresses, ...passwords]);
}

/** The password and the values of the query in an address. */
function secretParts(text: string): readonly string[] {
  if (!text.includes("://") || !URL.canParse(text)) return [];
  const { password, searchParams } = new URL(text);
  return [password, decodedPart(password), ...searchParams.values()];
}

/** The state of a project that has none yet. */
export function freshState({ name, environment }: Pick<LoadedProject, "name" | "environment">): StoredState {
  return { state: newState(name, environment, randomHex), intents: [] };
}

function storeOf(project: StateOwner, system: System, redact: Redact): StateStore {
  const { state: settings, root } = project;
  switch (settings.backend) {
    case "memory":
      return memoryStore();
    case "local": {
      const path = behindLink(resolve(root, settings.path));
      const store = localStore({ path, files: diskFiles, holder: holderOf(system) });
      return withWayOut(onDisk(store), () => wayBack(path));
    }
    case "http":
      return withWayOut(
        atServer(settings, system),
        async () => "look at the document at that address, or at earlier versions of it on the server",
      );
    case "postgres":
      return withWayOut(
        atDatabase(settings, project, system),
        async () => "look at the document column of that row, or at a backup of it",
      );
    case "git":
      return withWayOut(
        onBranch(settings, project, { ...system, redact }),
        async () => "look at that file, and at the earlier versions of it in the history of the branch",
      );
    case "s3":
      return withWayOut(
        inBucket(settings, system),
        async () => "look at that object, or at an earlier version of it where the bucket keeps versions",
      );
  }
}

function holderOf({ sleep, now }: System) {
  return processHolder({ sleep, now });
}

/** Terraform's own variables count too, so that a job set up for GitLab-managed state needs nothing else. */
function atServer(settings: Settings<"http">, system: System): StateStore {
  const { env, version } = system;
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
    holder: holderOf(system),
    version,
    env,
  });
}

function credentialsOf({ username, address }: Settings<"http">, env: System["env"]): Credentials | undefined {
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

function atDatabase(settings: Settings<"postgres">, { name, environment }: StateOwner, system: System): StateStore {
  const { url, schema } = settings;
  if (parseDatabaseUrl(url) === undefined) throw badAddress("state.url", url, "postgres://…, from ${env:…}");
  return postgresStore({
    url,
    ...(schema === undefined ? {} : { schema }),
    name: environment === undefined ? name : `${name}@${environment}`,
    holder: holderOf(system),
  });
}

/** Each environment has a file of its own unless the project names one. */
function onBranch(
  settings: Settings<"git">,
  { name, environment, root }: StateOwner,
  system: System & { readonly redact: Redact },
): StateStore {
  const standard = `${encodeURIComponent(name)}${environment === undefined ? "" : `.${environment}`}.json`;
  return gitStore({
    root,
    remote: set(settings.remote) ?? "origin",
    branch: set(settings.branch) ?? "loadform-state",
    path: set(settings.path) ?? standard,
    holder: holderOf(system),
    env: system.env,
    redact: system.redact,
  });
}

function inBucket({ bucket, key, region, endpoint }: Settings<"s3">, system: System): StateStore {
  if (endpoint !== undefined && !isWebAddress(endpoint))
    throw badAddress("state.endpoint", endpoint, "http://… or https://…");
  return s3Store({
    bucket,
    key,
    ...(set(region) === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    holder: holderOf(system),
  });
}

const set = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The value is not shown: it may contain a password. */
function badAddress(key: string, value: string, wanted: string) {
  const detail =
    value === ""
      ? wrongValue("an empty text, perhaps from a variable that is set to nothing", wanted)
      : `The value (not shown) must be ${wanted}`;
  return problem("LF1104", `${key} is not the address of a state store`, detail);
}

/** A store whose lock reports that it is waited for, and is released when the process has to end. `place` says which state. */
function talkingStore(store: StateStore, system: System, place: string): StateStore {
  const { locks } = system;
  if (locks === undefined) return store;
  return {
    ...store,
    lock: (request) => takeLock({ store, system, locks, place }, request),
    unlock: (id) => store.unlock(id).catch((thrown: unknown) => Promise.reject(placed(thrown, place))),
  };
}

interface Taking {
  readonly store: StateStore;
  readonly system: System;
  readonly locks: LockTalk;
  /** Words of a command on this state. */
  readonly place: string;
}

async function takeLock({ store, system, locks, place }: Taking, request: LockRequest): Promise<StateSession> {
  const since = system.now();
  const { timeoutMs } = request;
  const waiting = (holder: LockInfo | undefined) =>
    locks.waiting({ heldBy: heldBy(holder), wayOut: wayOutOf({ holder, place }), since, timeoutMs });
  const taking = store.lock({ ...request, signal: locks.signal, waiting });
  const letGo = locks.hold(async () => {
    const session = await taking.catch(() => undefined);
    await session?.release();
  });
  try {
    const session = await taking;
    const release = () =>
      session.release().catch((thrown: unknown) => Promise.reject(stillLocked(thrown, session, place)));
    return { ...session, release: () => release().finally(letGo) };
  } catch (problem) {
    letGo();
    throw placed(problem, place);
  } finally {
    locks.waiting(undefined);
  }
}

function placed(thrown: unknown, place: string): unknown {
  return thrown instanceof StateLocked ? new StateLocked(thrown.holder, place) : thrown;
}

/** The store knows the command that breaks its lock, but not the words that lead it to this state. */
function stillLocked(thrown: unknown, { info }: StateSession, place: string): unknown {
  if (!(thrown instanceof StoreFailed)) return thrown;
  const command = `loadform state unlock ${info.id}`;
  return new StoreFailed(thrown.message.replace(command, `${command}${place}`), { cause: thrown });
}
