import type { IncomingMessage, ServerResponse } from "node:http";
import type { Instance } from "../instance.ts";
import { headerOf, headersOf, rawHeaders } from "../recordings/http-headers.ts";
import { KeptBytes } from "../recordings/kept-bytes.ts";
import { type CloseReason, recordEnd, recordSent, roomLeft, runningRecording } from "../recordings/record-traffic.ts";
import { plainAddress, sendToTarget, type TargetExchange } from "../recordings/send-to-target.ts";
import type { TargetAddress } from "../recordings/target-address.ts";
import { Refusal } from "../refusal.ts";
import type { TrafficRecord } from "../store/records/gateways.ts";
import type { GatewayKeys, Located } from "./locate-gateway.ts";
import { proxiedLinks } from "./proxied-links.ts";
import { answerHeaders, requestHeaders } from "./rewrite-headers.ts";
import { decodePage, pageLimit, rewritePage } from "./rewrite-page.ts";
import { pipeRequest, writeChunk } from "./stream-bodies.ts";

/** A request that is forwarded, and where to. */
export interface Forwarded {
  readonly instance: Instance;
  readonly keys: GatewayKeys;
  readonly located: Located;
  readonly address: TargetAddress;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Forwards a request and its answer, and records both while a recording of the gateway runs. Rejects where no answer came. */
export async function forwardRequest(forwarded: Forwarded, seen: (exchange: TargetExchange) => void): Promise<void> {
  const { instance, address, located, keys, request, response } = forwarded;
  const method = request.method ?? "GET";
  const headers = requestHeaders(headersOf(request.rawHeaders), { address, located, keys });
  const clientIp = plainAddress(request.socket.remoteAddress);
  const exchange = await sendToTarget({ address, method, headers, clientIp, now: () => instance.clock.iso() });
  seen(exchange);
  const leave = () => response.writableFinished || exchange.stream.destroy();
  response.once("close", leave);
  const record = recorder(forwarded, { exchange, headers });
  exchange.onSent(() => void record.sent());
  void pipeRequest(request, exchange.stream, {
    limit: instance.settings.bodyLimit,
    seen: (chunk) => record.body.add(chunk),
  });
  try {
    const answer = await exchange.answer;
    await record.sent();
    await sendAnswer(forwarded, answer, record);
  } catch (thrown) {
    await record.ended(response.destroyed ? "ClientInitiated" : "Error");
    throw thrown;
  }
}

interface Recorder {
  readonly body: KeptBytes;
  readonly received: KeptBytes;
  readonly sent: () => Promise<unknown>;
  readonly answered: (answer: IncomingMessage) => void;
  readonly ended: (reason: CloseReason) => Promise<void>;
}

/** Records an exchange for the recording that ran when it began; each part once. */
function recorder(
  { instance, located, address, request }: Forwarded,
  { exchange, headers }: { readonly exchange: TargetExchange; readonly headers: ReturnType<typeof requestHeaders> },
): Recorder {
  const scope = instance.scope();
  const recording = runningRecording(located.gatewayId, scope);
  const room = roomLeft(recording, scope);
  const [body, received] = [new KeptBytes(room), new KeptBytes(room)];
  let sent: Promise<TrafficRecord | undefined> | undefined;
  let head: IncomingMessage | undefined;
  let isEnded = recording === undefined;
  const write = () => {
    const parts = { method: request.method ?? "GET", path: address.path, headers, body: body.body() };
    const connection = exchange.connection();
    return instance.write((now) => recording && recordSent(recording.id, { connection, request: parts }, now));
  };
  return {
    body,
    received,
    sent: () => {
      sent ??= recording ? write() : Promise.resolve(undefined);
      // Whoever waits for it hears that the disk refuses it.
      sent.catch(() => undefined);
      return sent;
    },
    answered: (answer) => {
      head = answer;
    },
    async ended(reason) {
      const opened = isEnded ? undefined : await sent;
      if (isEnded || opened === undefined) return;
      isEnded = true;
      const answer = head && receivedAnswer(head, received);
      await instance.write((now) => recordEnd(opened, { answer, reason }, now));
    },
  };
}

function receivedAnswer({ statusCode = 0, statusMessage = "", rawHeaders: raw }: IncomingMessage, received: KeptBytes) {
  return { status: statusCode, statusText: statusMessage, headers: headersOf(raw), body: received.body() };
}

/** Passes an answer on as it arrives; it ends for the client only when its record is durable. */
async function sendAnswer(forwarded: Forwarded, answer: IncomingMessage, record: Recorder): Promise<void> {
  const { response } = forwarded;
  record.answered(answer);
  const chunks = answer.iterator({ destroyOnReturn: false });
  const page = isPage(forwarded.request, answer) ? await readPage(chunks, record.received) : undefined;
  const body = page?.isWhole ? page.bytes : undefined;
  const rewritten = body && (await pageLinks(forwarded, answer, body));
  await writeHead(forwarded, answer, rewritten?.length);
  let last: Uint8Array | undefined = rewritten ?? page?.bytes;
  if (!page?.isWhole)
    for await (const chunk of chunks) {
      record.received.add(chunk);
      if (last) await writeChunk(response, last);
      // A client that knows the length takes the last byte for the end.
      last = isLastOf(answer, record.received) ? chunk : await writeChunk(response, chunk);
    }
  if (!answer.complete) throw new Error("the target broke off its answer");
  await record.ended("ServerInitiated");
  response.end(last);
}

function isLastOf(answer: IncomingMessage, received: KeptBytes): boolean {
  return Number(answer.headers["content-length"] ?? Number.NaN) <= received.body().length;
}

function isPage({ method }: IncomingMessage, answer: IncomingMessage): boolean {
  return isHtml(answer) && method !== "HEAD" && answer.statusCode !== 206;
}

function isHtml({ headers }: IncomingMessage): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "");
}

interface ReadPage {
  readonly bytes: Uint8Array;
  /** False where it is larger than what is rewritten: more follows. */
  readonly isWhole: boolean;
}

async function readPage(chunks: AsyncIterator<Buffer>, received: KeptBytes): Promise<ReadPage> {
  const read: Buffer[] = [];
  let length = 0;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    received.add(next.value);
    read.push(next.value);
    length += next.value.length;
    if (length > pageLimit) return { bytes: Buffer.concat(read), isWhole: false };
  }
  return { bytes: Buffer.concat(read), isWhole: true };
}

/** A page with its links rewritten, without content encoding; undefined where it cannot be read. */
async function pageLinks(
  { instance, located }: Forwarded,
  answer: IncomingMessage,
  bytes: Uint8Array,
): Promise<Uint8Array | undefined> {
  if (!answer.complete) return undefined;
  const decoded = await decodePage(bytes, answer.headers["content-encoding"] ?? "identity");
  return decoded && (await instance.write((scope) => rewritePage(decoded, proxiedLinks(located, scope))));
}

async function writeHead(
  { instance, located, request, response }: Forwarded,
  answer: IncomingMessage,
  length: number | undefined,
): Promise<void> {
  const { statusCode = 502, statusMessage = "" } = answer;
  const all = headersOf(answer.rawHeaders);
  const headers = await instance.write((scope) => answerHeaders(all, located, proxiedLinks(located, scope)));
  // A page of which only the head was asked for would come with another length.
  const changes = length !== undefined || (request.method === "HEAD" && isHtml(answer));
  const dropped = changes ? ["content-length", "content-encoding"] : [];
  const kept = headers.filter(([name]) => !dropped.includes(name.toLowerCase()));
  const measured = length === undefined ? [] : ([["Content-Length", String(length)]] as const);
  response.writeHead(statusCode, statusMessage, rawHeaders([...kept, ...measured]));
}

/** Why nothing was forwarded, where the client asks for more than a proxy of requests does. */
export function refuseUpgrade(request: IncomingMessage): void {
  const upgrade = headerOf(headersOf(request.rawHeaders), "upgrade");
  if (upgrade?.toLowerCase().includes("websocket"))
    throw new Refusal(
      400,
      "found a request for a web socket; expected an HTTP request: web sockets are not recorded, connect to the target itself",
    );
}
