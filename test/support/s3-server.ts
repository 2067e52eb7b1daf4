import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An object of the bucket. */
interface BucketObject {
  readonly text: string;
  readonly etag: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * GetObject and PutObject of S3 for one bucket, written from its public description: `If-Match` and `If-None-Match: *` on
 * PUT, 412 when they do not hold, 404 for `If-Match` on nothing. The SDK that asks is the real one.
 */
export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, BucketObject>;
  readonly put: (key: string, text: string) => void;
  /** How far the clock of the server is ahead of ours. */
  aheadMs: number;
  /** Conditions that are not looked at, as by services that do not know them. */
  ignores: "if-match" | "if-none-match" | undefined;
  /** What happens to the next writes, first to last: an error, or the answer of a write that took effect is lost. */
  readonly faults: (S3Fault | undefined)[];
  /** What happens to writes of an object, whoever makes them, first to last; the last again and again, until it is deleted. */
  readonly failing: Map<string, S3Fault[]>;
  /** Method and key of each request. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** An error as S3 answers it, or a connection that is cut after the request took effect. */
type S3Fault = { readonly status: number; readonly code: string } | "cut";

export const bucketName = "states";

/** What signs requests to it, and keeps the SDK from looking at this machine's settings. */
export const awsVariables = {
  AWS_ACCESS_KEY_ID: "example-id",
  AWS_SECRET_ACCESS_KEY: "example-key",
  AWS_CONFIG_FILE: "/nonexistent",
  AWS_SHARED_CREDENTIALS_FILE: "/nonexistent",
  AWS_EC2_METADATA_DISABLED: "true",
};

/** Starts a server on loopback. */
export async function startS3Server(): Promise<S3Server> {
  const server: { -readonly [Member in keyof S3Server]: S3Server[Member] } = {
    endpoint: "",
    objects: new Map(),
    put: (key, text) => server.objects.set(key, newObject(text, Date.now() + server.aheadMs)),
    aheadMs: 0,
    ignores: undefined,
    faults: [],
    failing: new Map(),
    asked: [],
    close: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
  const http = createServer((request, response) => void answer(server, request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

async function answer(server: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const [, bucket, ...steps] = new URL(request.url ?? "/", "http://s3").pathname.split("/").map(decodeURIComponent);
  const key = steps.join("/");
  server.asked.push(`${request.method} ${key}`);
  response.setHeader("date", new Date(Date.now() + server.aheadMs).toUTCString());
  const fault = request.method === "PUT" ? faultOf(server, key) : undefined;
  if (fault !== undefined && fault !== "cut") return refuse(response, fault);
  const refusal = refusalOf(request, bucket, body);
  if (refusal) return refuse(response, refusal);
  if (request.method === "GET") return read(server.objects.get(key), response);
  if (request.method !== "PUT") return refuse(response, { status: 405, code: "MethodNotAllowed" });
  const unmet = unmetCondition(server, request.headers, key);
  if (unmet) return refuse(response, unmet);
  const object = newObject(body.toString(), Date.now() + server.aheadMs);
  server.objects.set(key, object);
  if (fault === "cut") return void request.socket.destroy();
  response.setHeader("etag", object.etag).end();
}

function faultOf({ faults, failing }: S3Server, key: string): S3Fault | undefined {
  const own = failing.get(key);
  if (own === undefined) return faults.shift();
  return own.length > 1 ? own.shift() : own[0];
}

function newObject(text: string, at: number): BucketObject {
  return { text, etag: `"${createHash("md5").update(text).digest("hex")}"`, at };
}

function refusalOf({ headers }: IncomingMessage, bucket: string | undefined, body: Buffer) {
  if (!headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=")) return { status: 403, code: "AccessDenied" };
  const sum = headers["x-amz-content-sha256"];
  if (sum !== createHash("sha256").update(body).digest("hex"))
    return { status: 400, code: "XAmzContentSHA256Mismatch" };
  return bucket === bucketName ? undefined : { status: 404, code: "NoSuchBucket" };
}

function unmetCondition({ objects, ignores }: S3Server, headers: IncomingMessage["headers"], key: string) {
  const found = objects.get(key);
  const unmet = { status: 412, code: "PreconditionFailed" };
  if (headers["if-none-match"] === "*" && ignores !== "if-none-match" && found) return unmet;
  const wanted = headers["if-match"];
  if (wanted === undefined || ignores === "if-match") return undefined;
  if (found === undefined) return { status: 404, code: "NoSuchKey" };
  return found.etag === wanted ? undefined : unmet;
}

function read(object: BucketObject | undefined, response: ServerResponse): void {
  if (object === undefined) refuse(response, { status: 404, code: "NoSuchKey" });
  else
    response
      .setHeader("etag", object.etag)
      .setHeader("last-modified", new Date(object.at).toUTCString())
      .end(object.text);
}

function refuse(response: ServerResponse, { status, code }: { readonly status: number; readonly code: string }): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code} it is</Message></Error>`;
  response.writeHead(status, { "content-type": "application/xml" }).end(text);
}
