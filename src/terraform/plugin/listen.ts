import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { join } from "node:path";

/** Where a server listens, and how its traces are removed. */
export interface Listening {
  readonly network: "unix" | "tcp";
  readonly address: string;
  /** Synchronous: it runs when the process exits. */
  readonly remove: () => void;
}

/** A longer path of a socket is cut silently by the system. */
const longestPath = 107;

/** Listens on a socket in a fresh folder that only this user may enter; on a loopback port where its path would be too long. */
export async function listen(server: Server, temporary: string): Promise<Listening> {
  const folder = openFolder(temporary);
  if (folder === undefined) return listenOnPort(server);
  const address = join(folder, "provider.sock");
  await listening(server, () => server.listen(address));
  return { network: "unix", address, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function openFolder(temporary: string): string | undefined {
  const prefix = join(temporary, "loadform-");
  if (Buffer.byteLength(join(`${prefix}XXXXXX`, "provider.sock")) > longestPath) return undefined;
  try {
    return mkdtempSync(prefix);
  } catch {
    // A port needs no folder.
    return undefined;
  }
}

async function listenOnPort(server: Server): Promise<Listening> {
  await listening(server, () => server.listen(0, "127.0.0.1"));
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : undefined;
  return { network: "tcp", address: `127.0.0.1:${port}`, remove: () => {} };
}

function listening(server: Server, start: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    start();
  });
}
