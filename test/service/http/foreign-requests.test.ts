import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../../../src/service/index.ts";

let service: Service;
let port = 0;
let before = "";
beforeAll(async () => {
  service = createService();
  ({ port } = await service.listen(0));
  const call = (method: string, path: string, body: object) =>
    service.handle({ method, path, headers: { "x-api-key": "local" }, body: body as never });
  await call("POST", "/test-cases", { name: "Shop", org: 1 });
  await call("POST", "/test-cases/1/scripts", { name: "Browse", main: "1" });
  before = JSON.stringify(service.snapshot());
});
afterAll(() => service.close());

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** A request with just these headers, as no fetch would send them. */
function send({ method = "GET", path, headers = {}, body }: Sent): Promise<{ status: number; headers: object }> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, method, path, headers: headers as Record<string, string> };
    const sent = request(options, (answer) => {
      answer.resume();
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const own = () => `http://127.0.0.1:${port}`;
const json = { "content-type": "application/json", "x-api-key": "local" };
const write = { method: "POST", path: "/test-cases", body: '{"name":"foreign","org":1}' };

describe("a request that a page of another origin made", () => {
  const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["another site", { origin: "https://evil.example" }],
    ["another port", { origin: "http://127.0.0.1:1" }],
    ["another name of this machine", { origin: "http://localhost:1" }],
    ["no origin that has a name", { origin: "null" }],
    ["a cross-site fetch", { "sec-fetch-site": "cross-site" }],
    ["another port of localhost", { "sec-fetch-site": "same-site" }],
    ["a word that no browser says", { "sec-fetch-site": "own" }],
    ["both", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
  ];

  it.each(foreign)("is refused before anything else is read: %s", async (_, headers) => {
    const refused = [
      { ...write, headers: { ...json, ...headers } },
      { ...write, headers },
      { ...write, path: "/test-cases?key=local", headers },
      { path: "/test-cases?key=local", headers },
      { method: "POST", path: "/_loadform/reset?key=local", headers },
      { method: "POST", path: "/scripts/1/run?key=local", headers },
      { method: "DELETE", path: "/test-cases/1?key=local", headers },
      { method: "HEAD", path: "/test-cases?key=local", headers },
      { method: "OPTIONS", path: "/test-cases", headers },
      { path: "/nowhere", headers },
      { path: "/_loadform/console", headers },
    ];
    for (const each of refused) {
      const answer = await send(each);
      expect([answer.status, each.method, each.path]).toEqual([403, each.method, each.path]);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(JSON.stringify(service.snapshot())).toBe(before);
  });

  it("may lead to what opens without a key, as a link does, and to nothing else", async () => {
    const navigation = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const to = async (path: string, headers = {}) =>
      (await send({ path, headers: { ...navigation, ...headers } })).status;
    for (const path of ["/_loadform/console", "/_loadform/docs"]) expect(await to(path), path).toBe(200);
    for (const path of ["/test-cases?key=local", "/_loadform/state?key=local", "/data-stores/1/contents"])
      expect(await to(path), path).toBe(403);
    expect(await to("/_loadform/console", { origin: "https://evil.example" })).toBe(403);
  });
});

describe("a Host", () => {
  it.each(["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.1.2.3", "shop.localhost"])(
    "of this machine is answered: %s",
    async (host) => {
      for (const name of [host, `${host}:${port}`])
        expect((await send({ path: "/test-cases", headers: { ...json, host: name } })).status, name).toBe(200);
    },
  );

  it.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "0.0.0.0", "[::2]"])(
    "that is not one is refused on loopback, whatever key comes with it: %j",
    async (host) => {
      expect((await send({ ...write, headers: { ...json, host } })).status).toBe(403);
      expect(JSON.stringify(service.snapshot())).toBe(before);
    },
  );

  it("that comes twice is not one of this machine", async () => {
    const socket = connect(port, "127.0.0.1");
    const answer = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.on("close", () => resolve(text));
    });
    const lines = ["GET /test-cases HTTP/1.1", "Host: 127.0.0.1", "Host: evil.example", "X-Api-Key: local"];
    socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
    expect(await answer).toMatch(/^HTTP\/1\.1 4\d\d/);
  });
});

describe("a key in the query", () => {
  it("is that of clients which are no browsers: they read and write with it", async () => {
    const node = { "sec-fetch-mode": "cors", "content-type": "application/json" };
    expect((await send({ path: "/test-cases?key=local" })).status).toBe(200);
    const body = '{"description":"by query"}';
    const put = { method: "PUT", path: "/scripts/1?key=local", body, headers: node };
    expect((await send(put)).status).toBe(200);
    before = JSON.stringify(service.snapshot());
  });

  it("opens only reads without effect to a browser, be it on the service's own pages", async () => {
    for (const headers of [{ origin: own() }, { "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }]) {
      const by = async (method: string, path: string) =>
        (await send({ method, path: `${path}?key=local`, headers: { ...headers, "content-type": "application/json" } }))
          .status;
      expect(await by("GET", "/test-cases")).toBe(200);
      for (const [method, path] of [
        ["POST", "/_loadform/reset"],
        ["DELETE", "/test-cases/1"],
        ["POST", "/scripts/1/run"],
        ["GET", "/recordings/1/load"],
        ["GET", "/data-stores/1/rows/iterators/any"],
      ] as const)
        expect([await by(method, path), path]).toEqual([401, path]);
    }
    expect(JSON.stringify(service.snapshot())).toBe(before);
  });

  it("is not needed where the header has it: the console writes", async () => {
    const headers = { ...json, origin: own(), "sec-fetch-site": "same-origin" };
    expect((await send({ method: "PUT", path: "/scripts/1", body: '{"description":"console"}', headers })).status).toBe(
      200,
    );
    before = JSON.stringify(service.snapshot());
  });
});

describe("a body", () => {
  it("needs a Content-Type: a page of another origin can send one without", async () => {
    expect((await send({ ...write, headers: { "x-api-key": "local" } })).status).toBe(415);
    const chunked = { "x-api-key": "local", "transfer-encoding": "chunked" };
    expect((await send({ ...write, headers: chunked })).status).toBe(415);
    expect((await send({ method: "PUT", path: "/_loadform/state", body: "{}", headers: chunked })).status).toBe(415);
    expect(JSON.stringify(service.snapshot())).toBe(before);
  });
});
