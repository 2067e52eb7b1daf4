import type { Api } from "../api/routes.ts";
import type { Client } from "../client/index.ts";
import { createClient } from "../client/index.ts";
import type { Project } from "../config/load-project.ts";
import type { Json } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Target } from "../state/state.ts";
import type { BusyFile } from "./busy-file.ts";
import { openBundled } from "./open-bundled.ts";
import { problem } from "./problem.ts";
import { serviceTransport } from "./service-transport.ts";
import type { World } from "./world.ts";

/** A service at hand: live, or the bundled one in this process. */
export interface Connection {
  readonly api: Api;
  readonly client: Client;
  readonly target: Target;
  /** Whether the project names its organization. */
  readonly filtered: boolean;
  readonly embedded: boolean;
  /** Requests that opening it took. */
  readonly openingRequests: number;
  /** From now on asked before each write leaves; without one nobody is. */
  readonly fence?: (fence: WriteFence | undefined) => void;
  readonly close: () => Promise<void>;
}

/** What stands before writes to the service. */
interface WriteFence {
  /** Resolves when a write may be sent; what it throws stops the write. */
  readonly prove: () => Promise<void>;
  /** Whether it still may, at the moment when its first byte could leave. */
  readonly mayWrite: () => boolean;
}

/** The key of the bundled service when none is set. */
const bundledKey = "local";

/** Whose service is meant. */
type Connecting = Pick<Project, "service" | "live" | "secrets">;

/** Where the project stands, and how many requests may be under way at a time. */
export interface ConnectPlace {
  readonly root: string;
  readonly world: World;
  readonly parallelism?: number | undefined;
  /** For a command that takes the lock of the state. */
  readonly busy?: BusyFile;
}

/** Opens a client for a project's service, without asking it anything yet. */
export async function openClient(
  project: Connecting,
  at: ConnectPlace,
): Promise<Pick<Connection, "client" | "close" | "fence">> {
  const { world } = at;
  let fenced: WriteFence | undefined;
  const { url, auth } = project.service;
  const apiKey = keyIn(world.env) ?? (project.live ? undefined : bundledKey);
  if (apiKey === undefined)
    throw problem("LF2006", "no key for the service", `found no $LOADFORM_API_KEY; expected the key for ${url}`);
  const bundled = project.live ? undefined : await openBundled(url, { ...at, apiKey });
  const client = createClient({
    url: project.live ? url : "http://bundled",
    apiKey,
    auth,
    secrets: project.secrets,
    env: world.env,
    clock: { now: world.now, sleep: world.sleep },
    ...(bundled && { transport: serviceTransport(bundled) }),
    beforeWrite: async () => fenced?.prove(),
    mayWrite: () => fenced?.mayWrite() ?? true,
    ...(world.log && { log: world.log }),
    ...(world.givenUp && { signal: world.givenUp }),
    ...(at.parallelism === undefined ? {} : { parallelism: at.parallelism }),
  });
  const close = async () => {
    await client.close();
    await bundled?.close();
  };
  const fence = (next: typeof fenced) => {
    fenced = next;
  };
  return { client, close, fence };
}

/** Opens a project's service and finds out which organization it is about. */
async function connect(project: Connecting, at: ConnectPlace): Promise<Connection> {
  const { client, close, fence } = await openClient(project, at);
  try {
    const { organization: wished, url } = project.service;
    const organization = typeof wished === "number" ? wished : await findOrganization(client, wished);
    const target = { url, organization };
    return {
      api: client,
      client,
      target,
      filtered: wished !== undefined,
      embedded: !project.live,
      openingRequests: client.stats().requests,
      ...(fence && { fence }),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Runs something with an open connection, and closes it. */
export async function withConnection<T>(
  project: Connecting,
  at: ConnectPlace,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(project, at);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** An organization that a key sees. */
export interface Organization {
  readonly id: number;
  readonly name: string;
}

/** Organizations of a login answer. */
export function organizationsOf(login: unknown): readonly Organization[] {
  const orgs: Json | undefined = isObject(login) ? login["orgs"] : undefined;
  return (Array.isArray(orgs) ? orgs : []).flatMap((each: Json) => {
    const data = isObject(each) && isObject(each["data"]) ? each["data"] : each;
    return isObject(data) && typeof data["id"] === "number"
      ? [{ id: data["id"], name: String(data["name"] ?? "") }]
      : [];
  });
}

/** Those that `service.organization` means; an id from the environment is text. */
export function organizationsMeant(
  seen: readonly Organization[],
  asked: string | number | undefined,
): readonly Organization[] {
  if (asked === undefined) return seen;
  const named = seen.filter(({ name }) => name === asked);
  return named.length > 0 ? named : seen.filter(({ id }) => String(id) === String(asked));
}

async function findOrganization(api: Api, name: string | undefined): Promise<number> {
  const seen = organizationsOf(await api.call("GET /login"));
  const matching = organizationsMeant(seen, name);
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only.id;
  const list = seen.map((each) => `${each.name} (${each.id})`).join(", ") || "none";
  const expected =
    name === undefined ? "service.organization to name one of them" : `one organization of the name or id "${name}"`;
  throw problem(
    "LF2004",
    "it is not clear which organization is meant",
    `found that the key sees ${list}; expected ${expected}`,
  );
}

/** The key alone: a line feed at its end came from the file or the secret that it was kept in. */
function keyIn(env: World["env"]): string | undefined {
  const key = env["LOADFORM_API_KEY"]?.trim();
  if (key === undefined || key === "") return undefined;
  if (!/[^ -~\u00A0-\u00FF]/.test(key)) return key;
  const detail =
    "found line feeds or other characters in $LOADFORM_API_KEY (not shown) that no key has; expected the key alone";
  throw problem("LF2006", "$LOADFORM_API_KEY is no key", detail);
}
