import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/index.ts";
import { ClientBench, failureOf } from "../support/client-bench.ts";
import { type Behaviour, closedPort } from "../support/misbehaving-server.ts";

const bench = new ClientBench();
afterEach(() => bench.closeAll());

const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  GET: (client) => client.call("GET /providers"),
  HEAD: (client) => client.call("HEAD /scripts/:id", { params: { id: 1 } }),
  PUT: (client) => client.call("PUT /scripts/:id", { params: { id: 1 }, body: { name: "N" } }),
  DELETE: (client) => client.call("DELETE /scripts/:id", { params: { id: 1 } }),
  PATCH: (client) => client.call("PATCH /gateways/:id", { params: { id: 1 }, body: { name: "N" } }),
  "POST test case": (client) => client.call("POST /test-cases", { body: { name: "N", org: 1 } }),
  "POST region": (client) =>
    client.call("POST /orgs/:orgId/regions", { params: { orgId: 1 }, body: { name: "N", providerId: 2 } }),
  "POST others": (client) =>
    client.call("POST /test-cases/:testCaseId/scripts", { params: { testCaseId: 1 }, body: { name: "N" } }),
  "POST run": (client) => client.call("POST /scripts/:id/run", { params: { id: 1 } }),
  "POST copy": (client) =>
    client.call("POST /test-cases/:testCaseId/copy", { params: { testCaseId: 1 }, query: { name: "N" } }),
};

const retried = 5;
const reported = 1;
/** Each of the four repetitions of a re-read write is preceded by a read, which here answers that it was not done. */
const looked = 9;
/** An update in doubt is read once, after its last try. */
const lookedAtLast = 6;

// docs/engine.md, Retries, written a second time: requests that arrive when every write meets the same trouble.
const rows: readonly [call: string, throttled: number, unavailable: number, inDoubt: number][] = [
  ["GET", retried, retried, retried],
  ["HEAD", retried, retried, retried],
  ["PUT", retried, lookedAtLast, lookedAtLast],
  ["DELETE", retried, retried, retried],
  ["PATCH", retried, retried, looked],
  ["POST test case", retried, retried, looked],
  ["POST region", retried, retried, looked],
  ["POST others", retried, reported, reported],
  ["POST run", reported, reported, reported],
  ["POST copy", reported, reported, reported],
];

const columns: readonly [trouble: string, behaviour: Behaviour, column: 1 | 2 | 3][] = [
  ["429", { status: 429 }, 1],
  ["503 with Retry-After", { status: 503, headers: { "retry-after": "2" } }, 2],
  ["503", { status: 503 }, 3],
  ["500", { status: 500 }, 3],
  ["408", { status: 408 }, 3],
  ["a reset", { reset: true }, 3],
];

describe.each(columns)("after %s", (_, behaviour, column) => {
  it.each(rows.map((row) => [row[0], row[column]] as const))("%s arrives so often: %i", async (name, expected) => {
    const trouble = (request: { readonly method: string; readonly url: string }) =>
      isReRead(name, request.method) ? { body: request.url.includes("orgs") ? [] : { id: 1, name: "Old" } } : behaviour;
    const { client, server } = await bench.setUp([trouble]);
    await failureOf(calls[name]?.(client) ?? Promise.resolve());
    expect(server.arrived).toHaveLength(expected);
  });
});

function isReRead(name: string, method: string): boolean {
  return method === "GET" && name !== "GET";
}

describe("when nothing can be reached", () => {
  it.each(rows.map(([name]) => [name, /run|copy/.test(name) ? reported : retried] as const))(
    "%s is tried so often: %i",
    async (name, expected) => {
      // One that has answered before may be restarting; else it is not there.
      const { client, server, events: all } = await bench.setUp([{ body: [] }]);
      await client.call("GET /providers");
      await server.close();
      const error = await failureOf(calls[name]?.(client) ?? Promise.resolve());
      expect(error.arrival).toBe("not-sent");
      expect(all).toHaveLength(1 + expected);
    },
  );

  it.each(rows.map(([name]) => name))("%s is tried once where nothing was ever reached", async (name) => {
    const { client, events } = bench.clientOf(await closedPort());
    const error = await failureOf(calls[name]?.(client) ?? Promise.resolve());
    expect([error.arrival, events.length]).toEqual(["not-sent", 1]);
  });
});

describe("a doubt", () => {
  it("is not forgotten when later tries are throttled", async () => {
    const { client } = await bench.setUp([{ reset: true }, { status: 429 }]);
    const error = await failureOf(client.call("PUT /scripts/:id", { params: { id: 1 }, body: { name: "N" } }));
    expect(error).toMatchObject({ arrival: "maybe-done", status: 429 });
  });

  it("is none when every try was throttled", async () => {
    const { client } = await bench.setUp([{ status: 429 }]);
    const error = await failureOf(client.call("PUT /scripts/:id", { params: { id: 1 }, body: { name: "N" } }));
    expect(error).toMatchObject({ arrival: "answered", status: 429 });
  });
});
