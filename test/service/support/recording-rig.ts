import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { createService, type ServiceOptions } from "../../../src/service/index.ts";
import { type Rig, rigOf, start } from "./rig.ts";

/** A request as a target saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** What a target answers beside the text `answer`. */
type Answer = (seen: Seen, response: ServerResponse) => void;

/** A real server on loopback that notes what it is asked. */
export interface Target {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Seen[];
  readonly close: () => Promise<void>;
}

export async function makeTarget(answer: Answer = (_, response) => void response.end("answer")): Promise<Target> {
  const seen: Seen[] = [];
  const server = createServer((incoming, response) => {
    void readAll(incoming).then((body) => {
      const { method = "", url = "", headers, rawHeaders } = incoming;
      const noted = { method, url, headers, rawHeaders, body };
      seen.push(noted);
      answer(noted, response);
    });
  });
  const port = await listening(server);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, port, seen, close };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function readAll(message: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** An answer as it came over the wire. */
export interface Raw {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Sends a request just as it is said, with nothing added. */
export function send(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string | Uint8Array } = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, (response) => {
      const { statusCode = 0, headers, rawHeaders } = response;
      readAll(response).then((text) => resolve({ status: statusCode, headers, rawHeaders, body: text }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A listening service with test case 1 and gateway 1, which leads to a target. */
export interface RecordingRig extends Rig {
  readonly target: Target;
  /** Where the service listens. */
  readonly base: string;
  readonly key: string;
  /** Where the proxy of the gateway begins. */
  readonly proxy: string;
  /** Starts a recording of the gateway. */
  readonly record: (name?: string) => Promise<void>;
}

export async function makeRecordingRig(
  options: ServiceOptions & { readonly answer?: Answer; readonly path?: string } = {},
): Promise<RecordingRig> {
  const { answer, path = "", ...rest } = options;
  const target = await makeTarget(answer);
  const service = createService({ clock: { mode: "frozen", now: start }, seed: "recordings", ...rest });
  const rig = await rigOf(service);
  const base = (await service.listen(0)).url;
  await rig.ok("POST", "/test-cases", { name: "Checkout", org: 1 });
  const gateway = await rig.ok("POST", "/test-cases/1/gateways", { name: "Shop", url: target.url + path });
  const key: string = gateway.keys[0].key;
  return {
    ...rig,
    target,
    base,
    key,
    proxy: `${base}/_gw/${key}`,
    record: async (name = "Take") => void (await rig.ok("POST", "/gateways/1/recordings", { name })),
    close: async () => {
      await rig.close();
      await target.close();
    },
  };
}
