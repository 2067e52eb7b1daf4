import { resolve } from "node:path";
import type { Answer, Api, RouteKey } from "../../api/routes.ts";
import { httpTransport } from "../../client/http-transport.ts";
import type { Transport } from "../../client/index.ts";
import type { SharedReading } from "../../remote/read-tree.ts";
import { realPlace } from "../../workspace/path-exists.ts";
import { type Connect, type Connection, connectionOf } from "../connect.ts";
import {
  type ConnectOptions,
  clientOf,
  openWay,
  type ServiceOwner,
  type ServiceWay,
  serviceKey,
} from "../open-client.ts";

/** The services of several projects: each project has a client of its own, those of one service and key share the way to it. */
export interface SharedServices {
  /**
   * Opens the connections of projects; those of one organization are given the same reading of it. `areKnown`: each of them has a plan
   * that is remembered, so that the longest list is requested by its ETag.
   */
  readonly connectToPlan: (how: { readonly areKnown: boolean }) => Connect;
  /** Opens a connection of a project without a reading: what is read is read then. */
  readonly connectToApply: Connect;
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

/** One service with one key: the way to it, and what was answered on it. */
interface SharedService {
  readonly way: ServiceWay;
  readonly answers: Map<RouteKey, Promise<unknown>>;
  /** By organization. */
  readonly readings: Map<number, SharedReading>;
}

/** Most connections to one service: the projects are planned a few at a time. */
const connections = 16;

/** Services that are opened as projects ask for them. */
export function sharedServices(): SharedServices {
  const opened = new Map<string, Promise<SharedService>>();
  const open = async (project: ServiceOwner, at: ConnectOptions): Promise<readonly [SharedService, Connection]> => {
    const place = await servicePlace(project.service.url, at.root);
    // The bundled service has the key of whoever opens it first.
    const key = place.startsWith("memory")
      ? [place]
      : [place, project.service.auth, serviceKey(project.service, at.system.env)];
    const known = opened.get(JSON.stringify(key)) ?? openShared(project, at);
    opened.set(JSON.stringify(key), known);
    const service = await known;
    const client = clientOf({ ...service.way, close: async () => undefined }, project, at);
    return [service, await connectionOf(project, client, askedOnce(client.client, service.answers))];
  };
  return {
    connectToPlan:
      ({ areKnown }) =>
      async (project, at) => {
        const [{ readings }, connection] = await open(project, at);
        const { organization } = connection.target;
        const shared = readings.get(organization) ?? { answers: new Map(), isConditional: areKnown, trees: new Map() };
        readings.set(organization, shared);
        return { ...connection, shared };
      },
    connectToApply: async (project, at) => (await open(project, at))[1],
    async close() {
      const services = await Promise.allSettled(opened.values());
      for (const service of services) if (service.status === "fulfilled") await service.value.way.close();
    },
  };
}

/** A service as text: equal for one address, and for one data file of the bundled service; a service without one belongs to its folder. */
export async function servicePlace(url: string, root: string): Promise<string> {
  if (/^https?:/i.test(url) && URL.canParse(url)) return new URL(url).href.replace(/\/+$/, "");
  const file = url.slice("memory:".length);
  return file === "" ? `memory of ${root}` : `memory:${await realPlace(resolve(root, file))}`;
}

async function openShared(project: ServiceOwner, at: ConnectOptions): Promise<SharedService> {
  const way = await openWay(project, at);
  const transport = way.transport ?? httpTransport(project.service.url, at.system.env, connections);
  const close = async () => {
    await transport.close?.();
    await way.close();
  };
  return { way: { ...way, transport: withoutClose(transport), close }, answers: new Map(), readings: new Map() };
}

/** A client that closes must not end what others use. */
function withoutClose(transport: Transport): Transport {
  return { send: (request) => transport.send(request) };
}

/** An API that asks for the same thing once, for all projects. */
function askedOnce(api: Api, answers: SharedService["answers"]): Api {
  return {
    call<R extends RouteKey>(route: R) {
      const answer = answers.get(route) ?? api.call(route);
      answers.set(route, answer);
      return answer as Promise<Answer<R>>;
    },
  };
}
