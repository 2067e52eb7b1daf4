import type { IncomingMessage, Server } from "node:http";

/** What a test's server was asked. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

/** A request, read to its end. */
export async function readAsked(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? "/", "http://server");
  return { method: request.method ?? "", url, body: Buffer.concat(chunks).toString(), headers: request.headers };
}

/** Closes a server with every connection to it. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
