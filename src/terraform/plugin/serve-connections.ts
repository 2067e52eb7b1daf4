import type { Server as NetServer, Socket } from "node:net";
import { Server, type ServerCredentials } from "@grpc/grpc-js";
import { ProviderService } from "../../../gen/tfplugin6.js";
import type { Provider, ProviderSession } from "../provider-session.ts";
import { providerService } from "../rpc/provider-service.ts";
import { ProviderTypes } from "../rpc/served-provider.ts";
import { addPluginServices } from "./plugin-services.ts";

export interface ConnectionOptions {
  readonly provider: Provider;
  readonly credentials: ServerCredentials;
  /** Terraform asks the process to end. */
  readonly shutdown: () => void;
  /** Defects and whatever else sessions throw. */
  readonly threw?: (thrown: unknown) => void;
}

/** Counts of connections and calls. */
export interface Connections {
  readonly open: () => number;
  /** Connections so far. */
  readonly seen: () => number;
  /** Calls that have not been answered. */
  readonly calls: () => number;
  /** Ends what sessions wait for. */
  readonly stop: () => void;
}

/** The default of 4 MB is less than a data store. */
const settings = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  // Statistics of every call and message, which nobody asks for.
  "grpc.enable_channelz": 0,
};

/** Serves a provider to each connection of a server: a session each, since gRPC does not tell connections apart. */
export function serveConnections(server: NetServer, options: ConnectionOptions): Connections {
  const types = new ProviderTypes(options.provider);
  const stops = new Map<Socket, () => void>();
  let calls = 0;
  let seen = 0;
  const watch = {
    began: () => {
      calls += 1;
    },
    ended: () => {
      calls -= 1;
    },
    threw: options.threw ?? (() => {}),
  };
  server.on("connection", (socket) => {
    seen += 1;
    const { session, stop } = openLate(options.provider);
    const rpcs = new Server(settings);
    rpcs.addService(ProviderService, providerService({ types, session }, watch));
    addPluginServices(rpcs, options.shutdown);
    stops.set(socket, stop);
    socket.on("error", () => {});
    socket.once("close", () => {
      stops.delete(socket);
      // Its answers no longer reach anybody.
      stop();
      rpcs.forceShutdown();
    });
    rpcs.createConnectionInjector(options.credentials).injectConnection(socket);
  });
  return {
    open: () => stops.size,
    seen: () => seen,
    calls: () => calls,
    stop: () => {
      for (const stop of stops.values()) stop();
    },
  };
}

/** A session that is opened on its first use, and stopped if it was. */
function openLate(provider: Provider): {
  readonly session: () => Promise<ProviderSession>;
  readonly stop: () => void;
} {
  let opened: Promise<ProviderSession> | undefined;
  return {
    session: () => {
      opened ??= provider.openSession();
      return opened;
    },
    stop: () => void opened?.then((session) => session.stop()).catch(() => {}),
  };
}
