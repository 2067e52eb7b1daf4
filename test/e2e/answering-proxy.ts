import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "../support/asked.ts";

/** A request on its way, and how it may be answered in place of the service. */
interface Passing {
  readonly line: string;
  readonly answer: ServerResponse;
  /** Hands the request on to the service; resolves with the status and the body of its answer. */
  readonly forward: () => Promise<{ readonly status: number; readonly body: Buffer }>;
}

/** Starts a way to the service at `url` on which `intercept` may answer a request itself: then it answers true. */
export async function startAnsweringProxy(url: string) {
  const rule: { intercept: (passing: Passing) => Promise<boolean> } = { intercept: async () => false };
  const server = createServer(async (asked, answer) => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part as Buffer);
    const { method, headers } = asked;
    const forward = () =>
      new Promise<{ status: number; body: Buffer; type: string }>((resolve, reject) => {
        const onward = request(`${url}${asked.url}`, { method, headers: { ...headers, connection: "close" } });
        onward.once("error", reject);
        onward.once("response", async (came) => {
          const body: Buffer[] = [];
          for await (const part of came) body.push(part as Buffer);
          const type = came.headers["content-type"] ?? "application/json";
          resolve({ status: came.statusCode ?? 502, body: Buffer.concat(body), type });
        });
        onward.end(Buffer.concat(parts));
      });
    const line = `${method} ${asked.url}`;
    if (await rule.intercept({ line, answer, forward })) return;
    const { status, body, type } = await forward();
    answer.writeHead(status, { "content-type": type, connection: "close" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    rule,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => closeServer(server),
  };
}
