import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClientOptions, createClient, ServiceError } from "../../src/client/index.ts";
import { serviceTransport } from "../../src/project/open-client.ts";
import { createService } from "../../src/service/index.ts";
import { closeServer } from "../support/asked.ts";

let connections = 0;
const arrived: string[] = [];
const server = createServer((asked, answer) => {
  arrived.push(String(asked.method));
  answer.setHeader("content-type", "application/json");
  asked
    .resume()
    .on("end", () => answer.end(JSON.stringify({ id: 1, createdAt: "2026-01-01T00:00:00.000Z", name: "G" })));
}).on("connection", () => connections++);

beforeEach(async () => {
  connections = 0;
  arrived.length = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => closeServer(server));

const create = { params: { testCaseId: 1 }, body: { name: "G", url: "https://shop.example.com" } } as const;

/** A client that may write from the n-th question on. */
function clientFrom(allowed: number, options: Partial<ClientOptions> = {}) {
  const asked = { proofs: 0, looks: 0 };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({
    url,
    apiKey: "key",
    clock: { now: Date.now, sleep: async () => undefined },
    beforeWrite: async () => void asked.proofs++,
    mayWrite: () => ++asked.looks >= allowed,
    ...options,
  });
  return { client, asked };
}

describe("a write whose proof of the lock grew old before its first byte could leave", () => {
  it("is not sent, and is sent after another proof over the same connection, also a create", async () => {
    const { client, asked } = clientFrom(3);
    await client.call("POST /test-cases/:testCaseId/gateways", create);
    expect(arrived).toEqual(["POST"]);
    expect(asked).toEqual({ proofs: 3, looks: 4 });
    expect(connections).toBe(1);
    await client.close();
  });

  it.each([
    { what: "a body", call: ["POST /test-cases/:testCaseId/gateways", create] as const },
    { what: "a head alone", call: ["DELETE /gateways/:id", { params: { id: 1 } }] as const },
  ])("is asked about once more when its bytes are handed over: $what", async ({ call: [route, input] }) => {
    let looks = 0;
    const { client } = clientFrom(0, { mayWrite: () => ++looks !== 2 });
    await client.call(route, input as never);
    expect([looks, arrived]).toEqual([4, [route.split(" ")[0]]]);
    await client.close();
  });

  it("is told as not sent when that never ends", async () => {
    const { client } = clientFrom(Number.POSITIVE_INFINITY);
    const problem = await client
      .call("POST /test-cases/:testCaseId/gateways", create)
      .catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(ServiceError);
    expect(problem).toMatchObject({ arrival: "not-sent", tries: 5 });
    expect(arrived).toEqual([]);
    await client.close();
  });

  it("stops where the lock is lost", async () => {
    const lost = new Error("lost");
    const proofs = [undefined, lost];
    const { client } = clientFrom(2, {
      beforeWrite: async () => {
        const problem = proofs.shift();
        if (problem) throw problem;
      },
    });
    await expect(client.call("POST /test-cases/:testCaseId/gateways", create)).rejects.toBe(lost);
    expect(arrived).toEqual([]);
    await client.close();
  });

  it("is none of a read's business", async () => {
    const { client, asked } = clientFrom(Number.POSITIVE_INFINITY);
    await client.call("GET /scripts/:id", { params: { id: 1 } });
    expect([arrived, asked]).toEqual([["GET"], { proofs: 0, looks: 0 }]);
    await client.close();
  });

  it("does not reach the service in the same process either", async () => {
    const service = createService();
    const { client, asked } = clientFrom(2, { transport: serviceTransport(service), apiKey: service.apiKey });
    await client.call("POST /test-cases", { body: { name: "a", org: 1 } });
    expect(asked).toEqual({ proofs: 2, looks: 2 });
    expect(service.requests.map(({ method }) => method)).toEqual(["POST"]);
    await service.close();
  });
});
