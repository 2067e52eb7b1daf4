import type { Api } from "../api/routes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { redactor } from "../model/redact.ts";
import type { Target } from "../model/target.ts";
import { findOrganization } from "../remote/find-organization.ts";
import type { SharedReading } from "../remote/read-tree.ts";
import { type SeenAnswers, type WatchedApi, watchedApi } from "../remote/watched-api.ts";
import type { StateSession, StateStore } from "../state/store.ts";
import { sha256 } from "../workspace/hash.ts";
import { orExplained } from "./explain-failure.ts";
import { type ConnectOptions, type OpenClient, openClient, patienceForLock, type ServiceOwner } from "./open-client.ts";
import type { LoadedProject } from "./open-project.ts";
import { openState, type StateOwner } from "./open-state.ts";
import { commandPlace, commandWords, type System } from "./system.ts";

/** A service at hand: live, or the bundled one in this process. */
export interface Connection extends OpenClient {
  readonly api: Api;
  readonly target: Target;
  readonly embedded: boolean;
  readonly openingRequests: number;
  /** Lists and trees that several projects of this organization are planned from. */
  readonly shared?: SharedReading;
}

/** The API of a connection with hashes of its answers; `known` are those to an earlier run of the same program. */
export function watched({ api, shared }: Connection, known?: SeenAnswers): WatchedApi {
  return watchedApi(api, { hash: sha256, shared }, known);
}

export type Connect = (project: ServiceOwner, at: ConnectOptions) => Promise<Connection>;

/** Opens a project's service, for this project alone, and finds its organization. */
export async function connectAlone(project: ServiceOwner, at: ConnectOptions): Promise<Connection> {
  const open = await openClient(project, at);
  try {
    return await connectionOf(project, open, open.client);
  } catch (thrown) {
    await open.close();
    throw thrown;
  }
}

/** The connection of an open client; `login` answers which organizations the key sees. */
export async function connectionOf(
  { service: { organization: declared, url }, live, secrets }: ServiceOwner,
  open: OpenClient,
  login: Api,
): Promise<Connection> {
  const shown = redactor(secrets)(String(declared));
  const organization = typeof declared === "number" ? declared : await findOrganization(login, declared, { shown });
  return {
    ...open,
    api: open.client,
    target: { url, organization },
    embedded: !live,
    openingRequests: open.client.stats().requests,
  };
}

/** A project as far as it must be known to be opened. */
export type ProjectPlace = ServiceOwner & StateOwner & Pick<LoadedProject, "asked" | "vars">;

/** An open project: its files, its service and its state. */
export interface OpenProject<P extends ProjectPlace = LoadedProject> {
  readonly project: P;
  readonly connection: Connection;
  readonly store: StateStore;
  readonly system: System;
}

/**
 * Opens the service and the state of a project, runs something with them, and closes them. A command that takes the lock
 * says how long it waits for another holder.
 */
export async function withProject<T, P extends ProjectPlace>(
  project: P,
  {
    system,
    parallelism,
    makesLoad,
    lockTimeoutSecs,
    connect = connectAlone,
  }: Pick<ConnectOptions, "system" | "parallelism" | "makesLoad"> & {
    readonly lockTimeoutSecs?: number;
    readonly connect?: Connect;
  },
  use: (open: OpenProject<P>) => Promise<T>,
): Promise<T> {
  const store = openState(project, system);
  const words = commandWords(project, system);
  const patience = lockTimeoutSecs === undefined ? undefined : patienceForLock(store, lockTimeoutSecs, words);
  const connection = await connect(project, {
    ...{ root: project.root, system, parallelism },
    ...(makesLoad && { makesLoad }),
    ...(patience && { patience }),
  });
  return use({ project, connection, store, system }).finally(connection.close);
}

/**
 * Takes the lock of a state, lets no write leave without it, and releases it. What was done remains done when the lock
 * cannot be released: `notReleased` says so, and whoever comes next is refused until the lock is broken.
 */
export async function withLock<T>(
  at: {
    readonly store: StateStore;
    readonly operation: string;
    readonly lockTimeoutSecs: number;
    /** The connection whose writes need the lock. */
    readonly fence?: OpenClient["fence"];
  },
  use: (session: StateSession) => Promise<T>,
  notReleased: (result: T, diagnostics: readonly Diagnostic[]) => T,
): Promise<T> {
  const { store, operation, lockTimeoutSecs, fence } = at;
  const session = await store.lock({ operation, timeoutMs: lockTimeoutSecs * 1000 });
  // A write that waited, for an answer or for its turn, must not leave when the lock is lost meanwhile.
  fence?.({ prove: () => session.record([]), mayWrite: session.mayWrite });
  let result: T;
  try {
    result = await use(session);
  } catch (thrown) {
    await session.release().catch(() => undefined);
    throw thrown;
  }
  fence?.(undefined);
  return orExplained(
    () => session.release().then(() => result),
    (diagnostics) => notReleased(result, diagnostics),
  );
}

/** The project's name, its place for commands, and its target. */
export function planPlace({ project, system, connection }: Omit<OpenProject<ProjectPlace>, "store">) {
  return { project: project.name, ...commandPlace(project, system), target: connection.target };
}
