import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "../support/asked.ts";

/** What may be done at a request: before the service sees it, once the service has answered it, once its sender has the answer. */
interface Moments {
  /** Answers false when the service is not to see the request. */
  readonly arrived?: (line: string, count: number) => Promise<boolean>;
  /** Answers false when its sender is not to see the answer. */
  readonly answered?: (line: string, count: number) => Promise<boolean>;
  readonly delivered?: (line: string, count: number) => void;
}

/** Starts a way to the service at `url` that holds each request at its moments; requests are counted from 1. */
export async function startCuttingProxy(url: string, moments: Moments) {
  const lines: string[] = [];
  const server = createServer((asked, answer) => {
    const line = `${asked.method} ${asked.url}`;
    const count = lines.push(line);
    pass(asked, answer).catch(() => answer.destroy());
    async function pass(from: IncomingMessage, to: ServerResponse) {
      const body = await wholeOf(from);
      if ((await moments.arrived?.(line, count)) === false) return void to.destroy();
      const came = await forward(`${url}${from.url}`, from, body);
      const text = await wholeOf(came);
      if ((await moments.answered?.(line, count)) === false) return void to.destroy();
      to.writeHead(came.statusCode ?? 502, { ...came.headers, connection: "close" });
      to.end(text, () => moments.delivered?.(line, count));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines: lines as readonly string[],
    close: () => closeServer(server),
  };
}

function forward(url: string, { method, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const onward = request(url, { method, headers: { ...headers, connection: "close" } }, resolve);
    onward.once("error", reject);
    onward.end(body);
  });
}

async function wholeOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
