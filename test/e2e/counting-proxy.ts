import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "../support/asked.ts";

/**
 * A way to a service that sees every write arrive; being in the test's process, it knows of all bytes that left before.
 * Every request needs a connection of its own, so that many wait for one at any time.
 */
export interface CountingProxy {
  readonly url: string;
  /** Writes that arrived so far. */
  readonly writes: () => number;
  /** Called when a write arrives, with its number from 1, before it is passed on. */
  onWrite: (count: number) => void;
  readonly close: () => Promise<void>;
}

/** Starts one before the service at `url`. */
export async function startProxy(url: string): Promise<CountingProxy> {
  const agent = new Agent({ keepAlive: true });
  const state = { writes: 0, onWrite: (_count: number): void => undefined };
  const server = createServer((asked, answer) => {
    if (asked.method !== "GET" && asked.method !== "HEAD") state.onWrite(++state.writes);
    passOn(asked, answer, { url, agent });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes: () => state.writes,
    get onWrite() {
      return state.onWrite;
    },
    set onWrite(next) {
      state.onWrite = next;
    },
    close() {
      agent.destroy();
      return closeServer(server);
    },
  };
}

function passOn(asked: IncomingMessage, answer: ServerResponse, to: { readonly url: string; readonly agent: Agent }) {
  const { method, headers } = asked;
  const onward = request(`${to.url}${asked.url ?? ""}`, { method, headers, agent: to.agent }, (came) => {
    answer.writeHead(came.statusCode ?? 502, { ...came.headers, connection: "close" });
    came.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
}
