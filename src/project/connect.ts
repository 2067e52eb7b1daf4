import { isDeepStrictEqual } from "node:util";
import type { Api } from "../api/routes.ts";
import { orExplained } from "../apply/explain-failure.ts";
import type { ProjectSettings } from "../config/load-project.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Organization } from "../remote/find-organization.ts";
import { findOrganization, organizationsMeant, organizationsOf } from "../remote/find-organization.ts";
import type { Target } from "../state/state.ts";
import type { FetchedState, StateSession, StateStore } from "../state/store.ts";
import type { ConnectOptions, OpenClient, ServiceOwner, WriteFence } from "./open-client.ts";
import { busyWith, openClient } from "./open-client.ts";
import type { LoadedProject } from "./open-project.ts";
import { commandWords, loadFolder, openImportTarget } from "./open-project.ts";
import { openState } from "./open-state.ts";
import type { ProjectFlags, System } from "./system.ts";

/** A service at hand: live, or the bundled one in this process. */
export interface Connection extends OpenClient {
  readonly api: Api;
  readonly target: Target;
  /** Whether the project names its organization. */
  readonly filtered: boolean;
  readonly embedded: boolean;
  /** Requests that opening it took. */
  readonly openingRequests: number;
}

/** Opens a project's service and finds out which organization it is about. */
async function connect(project: ServiceOwner, at: ConnectOptions): Promise<Connection> {
  return identified(project, await openClient(project, at));
}

async function identified(
  { service: { organization: declared, url }, live }: Pick<ServiceOwner, "service" | "live">,
  { client, close, fence }: OpenClient,
): Promise<Connection> {
  try {
    const organization = typeof declared === "number" ? declared : await findOrganization(client, declared);
    return {
      api: client,
      client,
      target: { url, organization },
      filtered: declared !== undefined,
      embedded: !live,
      openingRequests: client.stats().requests,
      ...(fence && { fence }),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** An open project: its files, its service and its state. */
export interface OpenProject {
  readonly project: LoadedProject;
  readonly connection: Connection;
  readonly store: StateStore;
  readonly system: System;
}

/** How a project is opened. */
interface Opening {
  readonly system: System;
  readonly parallelism?: number | undefined;
  /** What was opened while the project was read, where that is where it acts. */
  readonly ahead?: OpenedAhead | undefined;
  /** Of a command that takes the lock of the state: how long a lock that another command holds is waited for. */
  readonly lockTimeoutSecs?: number;
  /** Aborted: requests to the service are given up. */
  readonly givenUp?: AbortSignal;
}

/** Opens the service and the state of a project, runs something with them, and closes them. */
export async function withProject<T>(
  project: LoadedProject,
  { system, parallelism, ahead, lockTimeoutSecs, givenUp }: Opening,
  use: (open: OpenProject) => Promise<T>,
): Promise<T> {
  const store = openState(project, system);
  if (ahead) {
    const using = ahead.connection.then((connection) => use({ project, connection, store, system }));
    return using.finally(ahead.drop);
  }
  const busy =
    lockTimeoutSecs === undefined ? {} : { busy: busyWith(store, lockTimeoutSecs, commandWords(project, system)) };
  const at = { root: project.root, system: { ...system, ...(givenUp && { givenUp }) }, parallelism, ...busy };
  const connection = await connect(project, at);
  return use({ project, connection, store, system }).finally(connection.close);
}

/** The service and the state of a project of which only the main file was read. */
export interface OpenedAhead {
  readonly settings: ProjectSettings;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly opened: Promise<OpenClient>;
  readonly connection: Promise<Connection>;
  /** The state as it is stored; undefined where there is none. */
  readonly fetched: Promise<FetchedState | undefined>;
  /** Gives up what is under way, and closes it. Answers how many requests were sent. */
  readonly drop: () => Promise<number>;
}

/** Opens them while the other files are read; what fails is told to whoever takes it. The state is local, its file cheap to read. */
export function openAhead(
  settings: ProjectSettings,
  root: string,
  { system, parallelism }: Pick<Opening, "system" | "parallelism">,
): OpenedAhead {
  const givenUp = new AbortController();
  const fetched = openState({ ...settings, root }, system).fetch?.() ?? Promise.resolve(undefined);
  const at = { root, system: { ...system, givenUp: givenUp.signal }, parallelism };
  const opened = openClient({ ...settings, secrets: [] }, at);
  const connection = opened.then((client) => identified(settings, client));
  for (const begun of [fetched, connection]) begun.catch(() => undefined);
  const drop = async () => {
    givenUp.abort();
    await connection.then(({ close }) => close()).catch(() => undefined);
    return opened.then(
      ({ client }) => client.stats().requests,
      () => 0,
    );
  };
  return { settings, since: system.now(), opened, connection, fetched, drop };
}

/** Whether a project acts where was opened ahead, and has no secrets that the client would have to know. */
export function isOpenedAhead(project: LoadedProject, { settings }: OpenedAhead): boolean {
  const members = Object.keys({ environment: undefined, ...settings }) as (keyof ProjectSettings)[];
  const isSame = members.every((member) => isDeepStrictEqual(project[member], settings[member]));
  return isSame && project.secrets.length === 0;
}

/** Which lock is taken, what for, and how long another holder is waited for. */
interface Locking {
  readonly store: StateStore;
  readonly operation: string;
  readonly lockTimeoutSecs: number;
  /** The connection whose writes need the lock. */
  readonly fence?: ((fence: WriteFence | undefined) => void) | undefined;
}

/**
 * Takes the lock of a state, lets no write leave without it, and releases it. What was done remains done when the lock
 * cannot be released: `notReleased` says so, and whoever comes next is refused until the lock is broken.
 */
export async function withLock<T>(
  { store, operation, lockTimeoutSecs, fence }: Locking,
  use: (session: StateSession) => Promise<T>,
  notReleased: (result: T, diagnostics: readonly Diagnostic[]) => T,
): Promise<T> {
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

/** Who the service takes us for. */
export interface WhoAmI {
  readonly service?: { readonly url: string; readonly embedded: boolean };
  readonly user?: { readonly name: string; readonly email: string };
  readonly organizations: readonly Organization[];
  /** The one that the project is about, when it is clear. */
  readonly organization?: number;
  /** The declared `service.organization`. */
  readonly asked?: string | number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Asks the service for the key's user and organizations: what `loadform whoami` prints. A refused key is a diagnostic. */
export async function whoami(flags: ProjectFlags, system: System): Promise<WhoAmI> {
  return orExplained<WhoAmI>(
    async () => {
      const project = await projectOrService(flags, system);
      if (hasErrors(project.diagnostics)) return { organizations: [], diagnostics: project.diagnostics };
      return askService(project, system);
    },
    (diagnostics) => ({ organizations: [], diagnostics }),
  );
}

async function askService(project: LoadedProject, system: System): Promise<WhoAmI> {
  const { client, close } = await openClient(project, { root: project.root, system });
  try {
    return describe(await client.call("GET /login"), project.service, {
      embedded: !project.live,
      diagnostics: project.diagnostics,
    });
  } finally {
    await close();
  }
}

/** The project; a folder without one is about the service of $LOADFORM_URL, as for an import. */
async function projectOrService(flags: ProjectFlags, system: System): Promise<LoadedProject> {
  const project = await loadFolder(flags, system, "warning");
  const isEmpty = project.diagnostics.some(({ code }) => code === "LF1001");
  if (!isEmpty || (system.env["LOADFORM_URL"] ?? "") === "") return project;
  return (await openImportTarget(project.root, { kinds, env: system.env })).project;
}

function describe(
  login: unknown,
  service: { readonly url: string; readonly organization?: string | number },
  rest: { readonly embedded: boolean; readonly diagnostics: readonly Diagnostic[] },
): WhoAmI {
  const organizations = organizationsOf(login);
  const user = isObject(login) && isObject(login["user"]) ? login["user"] : undefined;
  const matching = organizationsMeant(organizations, service.organization);
  const [only] = matching;
  return {
    service: { url: service.url, embedded: rest.embedded },
    ...(user && { user: { name: String(user["name"] ?? ""), email: String(user["email"] ?? "") } }),
    organizations,
    ...(only && matching.length === 1 && { organization: only.id }),
    ...(service.organization === undefined ? {} : { asked: service.organization }),
    diagnostics: rest.diagnostics,
  };
}
