import { createServer } from "node:net";
import { ServerCredentials } from "@grpc/grpc-js";
import type { Provider } from "../provider-session.ts";
import { protocolVersion } from "./handshake.ts";
import { listen } from "./listen.ts";
import { serveConnections } from "./serve-connections.ts";

/** A provider that this process serves to a Terraform which it starts itself. */
export interface HostedProvider {
  /** The value of TF_REATTACH_PROVIDERS by which Terraform finds it. */
  readonly reattach: string;
  /** Ends what sessions wait for. */
  readonly stop: () => void;
  readonly close: () => void;
}

export interface HostOptions {
  /** Where the folder of the socket is made. */
  readonly temporary: string;
  /** The value that TF_REATTACH_PROVIDERS has already: other providers in it remain. */
  readonly earlier?: string;
  readonly threw?: (thrown: unknown) => void;
}

/** Serves a provider without TLS, in a folder that only this user may enter: each alias and each walk is a connection of its own. */
export async function hostProvider(provider: Provider, options: HostOptions): Promise<HostedProvider> {
  const others = parseReattach(options.earlier);
  const server = createServer();
  const connections = serveConnections(server, {
    provider,
    credentials: ServerCredentials.createInsecure(),
    // Terraform leaves a provider that it was given as it is; another client may not end this process either.
    shutdown: () => {},
    ...(options.threw && { threw: options.threw }),
  });
  const { network, address, remove } = await listen(server, options.temporary);
  const own = {
    Protocol: "grpc",
    ProtocolVersion: protocolVersion,
    Pid: process.pid,
    Test: true,
    Addr: { Network: network, String: address },
  };
  process.once("exit", remove);
  return {
    reattach: JSON.stringify({ ...others, "loadform/loadform": own }),
    stop: connections.stop,
    close: () => {
      process.off("exit", remove);
      server.close();
      remove();
    },
  };
}

/** Thrown when TF_REATTACH_PROVIDERS is set to something that is no object. */
export class ReattachProblem extends Error {
  override readonly name = "ReattachProblem";
}

function parseReattach(text: string | undefined): object {
  if (text === undefined || text.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed;
  } catch {
    // The same problem.
  }
  throw new ReattachProblem("It must be a JSON object as providers print it: set it to one, or unset it");
}
