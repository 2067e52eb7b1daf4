// engine: bodies come over sockets
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { Dispatcher } from "undici";
import { afterEach, describe, expect, it, vi } from "vitest";
import { httpTransport } from "../../src/client/http-transport.ts";
import { LastLook, openDispatcher } from "../../src/client/open-dispatcher.ts";
import { certificate, privateKey } from "../service/support/loopback-certificate.ts";
import { check } from "../support/deep.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0).reverse()) await close();
});

/** Bytes that differ from place to place and from seed to seed. */
function bytesOf(size: number, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; at++) bytes[at] = at * 31 + (at >> 8) * 7 + seed * 101;
  return bytes;
}

/** Answers `/SIZE/SEED/FORM/PIECE` with those bytes, written in pieces. */
const answer: RequestListener = (request, response) => {
  const [size = 0, seed = 0, form = "", piece = 1] = (request.url ?? "").slice(1).split("/");
  const plain = bytesOf(Number(size), Number(seed));
  const bytes = form === "gzip" ? gzipSync(plain) : plain;
  if (form === "gzip") response.setHeader("content-encoding", "gzip");
  if (form === "length") response.setHeader("content-length", bytes.length);
  if (form === "refusal") response.statusCode = 404;
  const write = (at: number) => {
    if (at >= bytes.length) return void response.end();
    response.write(bytes.subarray(at, at + Number(piece)));
    setImmediate(write, at + Number(piece));
  };
  write(0);
};

async function served(scheme: "http" | "https"): Promise<string> {
  const server =
    scheme === "http" ? createServer(answer) : createTlsServer({ cert: certificate, key: privateKey }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Wish {
  readonly size: number;
  readonly seed: number;
  readonly form: string;
  /** Bytes of one write. */
  readonly piece: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  size: fc.oneof(fc.nat(50), fc.nat(300_000), fc.constantFrom(65_535, 65_536, 65_537, 131_072)),
  seed: fc.nat(1_000),
  form: fc.constantFrom("length", "chunked", "gzip", "refusal"),
  piece: fc.constantFrom(1_000_000, 65_536, 40_000),
});

describe("the body of an answer", () => {
  it.each(["http", "https"] as const)(
    "has the bytes that were sent over %s, however many come at once",
    async (scheme) => {
      if (scheme === "https") vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
      const transport = httpTransport(await served(scheme), {}, 3);
      closing.push(() => transport.close?.());
      const ask = async ({ size, seed, form, piece }: Wish) => {
        const path = `/${size}/${seed}/${form}/${piece}`;
        const request = { method: "GET", path, query: {}, headers: {}, timeoutMs: 60_000 };
        const body = await (await transport.send(request)).body();
        expect(Buffer.compare(Buffer.from(body), bytesOf(size, seed))).toBe(0);
      };
      await check(
        `bodies over ${scheme}`,
        fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 12 }), async (wishes) => {
          await Promise.all(wishes.map(ask));
        }),
        { few: 20, deep: 500 },
      );
    },
  );

  it.each(["http", "https"] as const)("is whole over %s where its reader pauses after each piece", async (scheme) => {
    if (scheme === "https") vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const origin = await served(scheme);
    const dispatcher = await openDispatcher({ origin, connections: 1, proxy: undefined, lastLook: new LastLook() });
    closing.push(() => dispatcher.destroy());
    for (const [seed, form] of ["length", "chunked"].entries()) {
      const path = `/700000/${seed}/${form}/1000000`;
      const pieces: Buffer[] = [];
      await new Promise<void>((resolve, reject) => {
        const handler: Dispatcher.DispatchHandler = {
          onRequestStart: () => undefined,
          onResponseData: (controller, piece) => {
            pieces.push(Buffer.from(piece));
            controller.pause();
            setTimeout(() => controller.resume(), 1);
          },
          onResponseEnd: () => resolve(),
          onResponseError: (_, error) => reject(error),
        };
        dispatcher.dispatch({ origin, path, method: "GET" }, handler);
      });
      expect(Buffer.compare(Buffer.concat(pieces), bytesOf(700_000, seed))).toBe(0);
    }
  });

  it("is parsed once where it is large, and kept where it is no JSON", async () => {
    const value = JSON.stringify({ long: "ü".repeat(1_000_000) });
    const bodies: Record<string, string> = { "/json": value, "/other": `${value}]` };
    const server = createServer(({ url = "" }, response) => {
      const body = bodies[url] ?? "";
      response.setHeader("content-length", Buffer.byteLength(body)).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => server.close());
    const transport = httpTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, 1);
    closing.push(() => transport.close?.());
    const ask = (path: string) => transport.send({ method: "GET", path, query: {}, headers: {}, timeoutMs: 60_000 });
    const json = await ask("/json");
    expect(json.json()).toEqual(JSON.parse(value));
    expect((await json.body()).length).toBe(0);
    const other = await ask("/other");
    expect(() => other.json()).toThrow(SyntaxError);
    expect((await other.body()).length).toBe(Buffer.byteLength(value) + 1);
  });
});
