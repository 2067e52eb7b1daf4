import { afterEach, describe, expect, it } from "vitest";
import { requestLine } from "../../src/client/create-client.ts";
import { type Client, type ClientOptions, createClient, uploadForm } from "../../src/client/index.ts";
import { explainServiceError } from "../../src/model/service-error.ts";
import { ClientBench, failureOf, key } from "../support/client-bench.ts";
import type { Behaviour } from "../support/misbehaving-server.ts";

const bench = new ClientBench();
afterEach(() => bench.closeAll());

const createdAt = "2026-11-20T10:00:00.000Z";
const found: Behaviour = { body: { id: 7, createdAt, name: "Checkout" } };

describe("a read of what is known by its tag", () => {
  const read = (client: Client, unlessTag?: string) =>
    client.call("GET /test-cases", {}, unlessTag === undefined ? {} : { unlessTag });

  it("has no value while the service answers that it is the same", async () => {
    const { client, server } = await bench.setUp([{ status: 304 }, { body: [found.body] }]);
    expect([await read(client, '"v1"'), await read(client, '"v1"')]).toEqual([undefined, [found.body]]);
    expect(server.arrived.map(({ headers }) => headers["if-none-match"])).toEqual(['"v1"', '"v1"']);
  });

  it("cannot be answered so without a tag", async () => {
    const { client } = await bench.setUp([{ status: 304 }]);
    const error = await failureOf(read(client));
    expect(error).toMatchObject({ status: 304, route: "GET /test-cases" });
    expect(error.message).toBe("GET /test-cases: the service answered 304");
  });
});

describe("a call", () => {
  it("fills the path, the query, the header and the body below the base path", async () => {
    const server = await bench.server([{ body: { id: 7, createdAt, name: "Kasse ä" } }]);
    const { client } = bench.clientOf(`${server.url}/api/`);
    await client.call("POST /test-cases", { body: { name: "Kasse ä", org: 1 } });
    await client.call("DELETE /orgs/:orgId/tags-byname/:tagName", { params: { orgId: 1, tagName: "a b/ü?" } });
    await client.call("GET /test-cases", { query: { down: true, deep: false } });
    expect(server.arrived.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /api/test-cases",
      "DELETE /api/orgs/1/tags-byname/a%20b%2F%C3%BC%3F",
      "GET /api/test-cases?down=true&deep=false",
    ]);
    expect(server.arrived[0]?.headers).toMatchObject({ "x-api-key": key, "content-type": "application/json" });
    expect(JSON.parse(String(server.arrived[0]?.body))).toEqual({ name: "Kasse ä", org: 1 });
  });

  it("of a route that is in no table is refused with how routes are written, and nothing is sent", async () => {
    const { client, server } = await bench.setUp([]);
    const call = client.call("GET /test-cases/:id" as "GET /test-cases");
    await expect(call).rejects.toThrow(
      'There is no route GET /test-cases/:id. Routes are written as "GET /test-cases/:testCaseId"',
    );
    expect(server.arrived).toEqual([]);
  });

  it.each<[ClientOptions["auth"], string, string | undefined]>([
    [{ header: "X-Load-Key" }, "x-load-key", key],
    [{ header: "Authorization" }, "authorization", `Bearer ${key}`],
    [{ query: "token" }, "x-api-key", undefined],
  ])("puts the key where %j says", async (auth, header, value) => {
    const { client, server } = await bench.setUp([{ body: [] }], { ...(auth && { auth }) });
    await client.call("GET /test-cases");
    expect(server.arrived[0]?.headers[header]).toBe(value);
    const query = new URL(server.arrived[0]?.url ?? "", server.url).searchParams;
    expect(query.get("token")).toBe(auth && "query" in auth ? key : null);
  });

  it("logs in with the key as a query parameter, as the API documents say", async () => {
    const { client, server } = await bench.setUp([{ body: { user: { id: 1 }, orgs: [] } }]);
    await client.call("GET /login");
    expect(new URL(server.arrived[0]?.url ?? "", server.url).searchParams.get("key")).toBe(key);
  });

  it("answers bytes, text, nothing and JSON as the route says", async () => {
    const bytes = Buffer.from([0, 200, 10]);
    const { client } = await bench.setUp([
      { body: bytes },
      { body: "<h1>docs</h1>", headers: { "content-type": "text/html" } },
      { headers: { "content-type": "text/plain" } },
      {},
      { body: [{ id: 0 }] },
    ]);
    expect(await client.call("GET /data-stores/:id/download", { params: { id: 1 } })).toEqual(bytes);
    expect(await client.call("GET /_loadform/docs")).toBe("<h1>docs</h1>");
    expect(
      await client.call("PUT /test-schedules/:scheduleId", { params: { scheduleId: 1 }, body: { active: false } }),
    ).toBeUndefined();
    expect(await client.call("HEAD /scripts/:id", { params: { id: 1 } })).toBeUndefined();
    expect(await client.call("GET /providers")).toEqual([{ id: 0 }]);
  });

  it("uploads files as a multipart form that can be sent again", async () => {
    const { client, server } = await bench.setUp([{ status: 429 }, { body: { files: [] } }]);
    const body = uploadForm([{ name: "users.csv", contents: "a,b\r\n1,2\n" }]);
    await client.call("POST /scripts/:id/data-stores", { params: { id: 3 }, body });
    expect(server.arrived).toHaveLength(2);
    const form = await new Response(new Uint8Array(server.arrived[1]?.body ?? []), {
      headers: { "content-type": String(server.arrived[1]?.headers["content-type"]) },
    }).formData();
    const file = form.get("file") as File;
    expect([file.name, await file.text()]).toEqual(["users.csv", "a,b\r\n1,2\n"]);
  });

  it("refuses a missing path parameter before anything is sent", async () => {
    const { client, server } = await bench.setUp([found]);
    await expect(client.call("GET /scripts/:id")).rejects.toThrow("GET /scripts/:id needs the path parameter id");
    expect(server.arrived).toHaveLength(0);
  });
});

describe("wrong addresses", () => {
  it("a page instead of the API is named at once", async () => {
    const page = { body: "<!doctype html>", headers: { "content-type": "text/html; charset=utf-8" } };
    const { client, server } = await bench.setUp([page]);
    const error = await failureOf(client.call("GET /providers"));
    expect(error.message).toBe(
      "GET /providers: the answer is a web page, not JSON: most likely the API has another address",
    );
    expect(explainServiceError(error)).toMatchObject({
      summary: "there is no such service at this address (status 200)",
      detail: expect.stringMatching(
        /address\. Check service\.url and \$LOADFORM_URL: most likely their path is wrong$/,
      ),
    });
    expect(server.arrived).toHaveLength(1);
  });

  it("a redirection is not followed", async () => {
    const { client } = await bench.setUp([
      { status: 302, headers: { location: "https://elsewhere.example.com/login" } },
    ]);
    const error = await failureOf(client.call("GET /providers"));
    expect(error.message).toContain(
      "the service redirects (302) to https://elsewhere.example.com/login. Most likely the API is there",
    );
    expect(error.message).not.toContain("service.url");
    expect(explainServiceError(error).detail).toContain("Check service.url and $LOADFORM_URL");
  });

  it.each(["ftp://x", "load.example.com", ""])("%j is no service address", (url) => {
    expect(() => createClient({ url, apiKey: key })).toThrow("must begin with http:// or https://");
  });
});

describe("the key", () => {
  it("never stands in an error or a log line, whatever the service echoes", async () => {
    const echo = ({ url, headers }: { readonly url: string; readonly headers: object }) => ({
      status: 400,
      body: {
        code: key,
        message: `bad ${url} ${JSON.stringify(headers)} ${Buffer.from(key).toString("base64")}`,
        errors: [{ field: "key", message: key }],
      },
    });
    const { client, lines } = await bench.setUp([echo], { auth: { query: "key" } });
    const error = await failureOf(client.call("GET /login"));
    const seen = JSON.stringify([error.message, error.stack, { ...error }, lines]);
    for (const spelling of [key, encodeURIComponent(key), Buffer.from(key).toString("base64").replace(/=+$/, "")])
      expect(seen).not.toContain(spelling);
    expect(error.serviceMessage).toContain("***");
  });
});

describe("a key in a path", () => {
  it("is hidden in the error's path and message", async () => {
    const { client } = await bench.setUp([{ status: 404 }]);
    const params = { orgId: 1, tagName: key };
    const error = await failureOf(client.call("DELETE /orgs/:orgId/tags-byname/:tagName", { params }));
    expect([error.path, error.message]).toEqual([
      "/orgs/1/tags-byname/***",
      "DELETE /orgs/1/tags-byname/***: the service answered 404",
    ]);
  });
});

describe("requests in flight", () => {
  const reads = (client: Client, count: number) =>
    Promise.all(Array.from({ length: count }, () => client.call("GET /providers")));

  it.each([
    [undefined, 8],
    [3, 3],
    [20, 20],
  ])("with parallelism %s are at most %i", async (parallelism, expected) => {
    // On a busy machine it takes a while until so many are under way.
    const delayMs = expected * 10;
    const { client, server } = await bench.setUp([{ body: [], delayMs }], parallelism ? { parallelism } : {});
    await reads(client, 30);
    expect(server.mostAtOnce()).toBe(expected);
  });

  it("listen to one signal without a warning of the runtime", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on("warning", note);
    const { signal } = new AbortController();
    const { client } = await bench.setUp([{ body: [], delayMs: 30 }], { parallelism: 20, signal });
    await reads(client, 30);
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  it("grow with clean answers", async () => {
    const { client, server } = await bench.setUp([{ body: [], delayMs: 20 }]);
    await reads(client, 150);
    expect(server.mostAtOnce()).toBeGreaterThan(8);
  });

  it("are halved when the service is busy", async () => {
    const { client, server } = await bench.setUp([{ status: 429 }, { body: [], delayMs: 20 }]);
    await reads(client, 1);
    await reads(client, 30);
    expect(server.mostAtOnce()).toBe(4);
  });

  it("ask for compressed answers", async () => {
    const { client, server } = await bench.setUp([{ body: [] }]);
    await client.call("GET /providers");
    expect(server.arrived[0]?.headers["accept-encoding"]).toContain("gzip");
  });

  it("are cut when their time is over, so that the service can stop", async () => {
    const { client, server } = await bench.setUp([{ delayMs: 3000 }], { timeoutMs: 60 });
    await failureOf(client.call("POST /test-cases/:testCaseId/scripts", { params: { testCaseId: 1 } }));
    await expect.poll(() => server.givenUp()).toBe(1);
  });
});

describe("what a client tells", () => {
  it("counts every attempt and explains it in a line", async () => {
    const { client, lines, events } = await bench.setUp([{ status: 500 }, { body: [] }, found]);
    await client.call("GET /scripts/:id/data-stores", { params: { id: 1 }, query: { down: true } });
    await client.call(
      "PUT /scripts/:id",
      { params: { id: 7 }, body: { name: "Checkout" } },
      { address: "testCase.a/scenario.b" },
    );
    expect(client.stats()).toEqual({ requests: 3, reads: 2, writes: 1 });
    expect(lines).toEqual([
      "GET /scripts/1/data-stores?down=true: 500 in 0 ms, again in 250 ms",
      "GET /scripts/1/data-stores?down=true: 200 in 0 ms, try 2",
      "PUT /scripts/7 for testCase.a/scenario.b: 200 in 0 ms",
    ]);
    expect(events.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 200],
      [1, 200],
    ]);
  });
});

describe("a log line", () => {
  it("hides the parameters that open links", () => {
    const event = { method: "GET", path: "/x", query: { sid: "abc", down: "true" }, attempt: 1, durationMs: 1.4 };
    expect(requestLine({ ...event, failure: "reset" })).toBe("GET /x?sid=***&down=true: failed: reset in 1 ms");
  });
});

describe("an interrupted command", () => {
  it("cuts a request in flight and does not retry", async () => {
    const { client, server, sleeps } = await bench.setUp([{ delayMs: 5000 }]);
    const interrupt = new AbortController();
    const call = failureOf(client.call("GET /providers", {}, { signal: interrupt.signal }));
    while (server.arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    interrupt.abort();
    expect((await call).message).toContain("the command was interrupted");
    expect(sleeps).toEqual([]);
  });

  it("ends a pause between two tries", async () => {
    const never = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };
    const { client, server, events } = await bench.setUp([{ status: 500 }], { clock: never });
    const interrupt = new AbortController();
    const call = failureOf(client.call("GET /providers", {}, { signal: interrupt.signal }));
    while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    interrupt.abort();
    expect(await call).toMatchObject({ status: 500 });
    expect(server.arrived).toHaveLength(1);
  });

  it("sends nothing once interrupted", async () => {
    const { client, server } = await bench.setUp([found]);
    const error = await failureOf(client.call("POST /providers", {}, { signal: AbortSignal.abort() }));
    expect([error.arrival, server.arrived.length]).toEqual(["not-sent", 0]);
  });

  it("gives up a call that has a signal of its own, too", async () => {
    const interrupt = new AbortController();
    const { client, server } = await bench.setUp([{ delayMs: 5000 }], { signal: interrupt.signal });
    const own = { signal: new AbortController().signal };
    const call = failureOf(client.call("GET /providers", {}, own));
    while (server.arrived.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    interrupt.abort();
    expect((await call).message).toContain("the command was interrupted");
    expect((await failureOf(client.call("GET /providers", {}, own))).arrival).toBe("not-sent");
    expect(server.arrived).toHaveLength(1);
  });
});
