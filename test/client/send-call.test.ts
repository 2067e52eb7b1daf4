import { afterEach, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/index.ts";
import { ClientBench, failureOf } from "../support/client-bench.ts";
import { type Behaviour, closedPort } from "../support/misbehaving-server.ts";

const bench = new ClientBench();
afterEach(() => bench.closeAll());

const createdAt = "2026-11-20T10:00:00.000Z";
const found: Behaviour = { body: { id: 7, createdAt, name: "G" } };

describe("a read survives", () => {
  const cases: readonly [string, readonly Behaviour[], readonly number[]][] = [
    ["resets", [{ reset: true }, { reset: true }, found], [250, 500]],
    ["a cut answer", [{ ...found, truncate: 5 }, found], [250]],
    ["a cut compressed answer", [{ ...found, gzip: true, truncate: 12 }, found], [250]],
    ["an answer that is no JSON", [{ body: '{"id":' }, found], [250]],
    ["an empty answer", [{}, found], [250]],
    [
      "500, 502, 408 and 503",
      [{ status: 500 }, { status: 502 }, { status: 408 }, { status: 503 }, found],
      [250, 500, 1000, 2000],
    ],
    ["429 with Retry-After in seconds", [{ status: 429, headers: { "retry-after": "7" } }, found], [7000]],
    [
      "503 with a Retry-After date",
      [{ status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" } }, found],
      [9000],
    ],
    ["a Retry-After beyond patience", [{ status: 429, headers: { "retry-after": "4000" } }, found], [120_000]],
    ["a compressed answer", [{ ...found, gzip: true }], []],
  ];
  it.each(cases)("%s", async (_, plan, expected) => {
    const { client, sleeps, server } = await bench.setUp(plan);
    expect(await client.call("GET /test-cases/:testCaseId", { params: { testCaseId: 7 } })).toEqual(found.body);
    expect(sleeps).toEqual(expected);
    expect(server.arrived).toHaveLength(plan.length);
  });

  it("slow answers, each attempt having its own time", async () => {
    const { client, server } = await bench.setUp([{ delayMs: 5000, ...found }, found], { timeoutMs: 200 });
    expect(await client.call("GET /scripts/:id", { params: { id: 7 } })).toEqual(found.body);
    expect(server.arrived).toHaveLength(2);
  });

  it("five tries and not one more", async () => {
    const { client, sleeps, server } = await bench.setUp([
      { status: 500, body: { code: "BROKEN", message: "disk full" } },
    ]);
    const error = await failureOf(client.call("GET /providers"));
    expect(error).toMatchObject({ status: 500, code: "BROKEN", serviceMessage: "disk full", route: "GET /providers" });
    expect(error.message).toBe("GET /providers: the service answered 500: disk full (after 5 tries)");
    expect([server.arrived.length, sleeps.length]).toEqual([5, 4]);
  });
});

describe("a create", () => {
  const create = { params: { testCaseId: 1 }, body: { name: "G", url: "https://shop.example.com" } } as const;
  const doubts: readonly [string, Behaviour][] = [
    ["a reset", { reset: true }],
    ["a cut answer", { ...found, truncate: 3 }],
    ["an unreadable answer", { body: "<html>", headers: { "content-type": "text/html" } }],
    ["a 500", { status: 500 }],
    ["a 408", { status: 408 }],
    ["a 503 with Retry-After", { status: 503, headers: { "retry-after": "1" } }],
  ];
  it.each(doubts)("is sent once and reported as maybe done after %s", async (_, behaviour) => {
    const { client, server, sleeps } = await bench.setUp([behaviour, found]);
    const error = await failureOf(
      client.call("POST /test-cases/:testCaseId/gateways", create, { address: "testCase.a/gateway.g" }),
    );
    expect(error).toMatchObject({
      arrival: "maybe-done",
      route: "POST /test-cases/:testCaseId/gateways",
      method: "POST",
      path: "/test-cases/1/gateways",
      address: "testCase.a/gateway.g",
    });
    expect([server.arrived.length, sleeps.length]).toEqual([1, 0]);
  });

  it("is reported as maybe done when its time is over", async () => {
    // The request has to arrive within it, on a busy machine too.
    const timeoutMs = 1_000;
    const { client, server } = await bench.setUp([{ delayMs: 5_000 }], { timeoutMs });
    const error = await failureOf(client.call("POST /test-cases/:testCaseId/gateways", create));
    expect(error.arrival).toBe("maybe-done");
    expect(error.message).toContain("no complete answer came within 1000 ms");
    expect(server.arrived).toHaveLength(1);
  });

  it("is sent again after 429", async () => {
    const { client, server } = await bench.setUp([{ status: 429 }, found]);
    expect(await client.call("POST /test-cases/:testCaseId/gateways", create)).toEqual(found.body);
    expect(server.arrived).toHaveLength(2);
  });

  it.each(["a closed port", "a server without TLS"])("is reported as not sent at once at %s", async (where) => {
    const server = await bench.server([found]);
    const url = where === "a closed port" ? await closedPort() : server.url.replace("http:", "https:");
    const { client, sleeps } = bench.clientOf(url);
    const error = await failureOf(client.call("POST /test-cases/:testCaseId/gateways", create));
    expect(error).toMatchObject({ arrival: "not-sent" });
    expect(error.status).toBeUndefined();
    expect(error.message).toContain("the service was not reached");
    expect([sleeps.length, server.arrived.length]).toEqual([0, 0]);
  });

  it("is refused with the service's own words, once", async () => {
    const errors = [
      { field: "name", message: "found nothing" },
      { field: "url", message: "found ftp" },
    ];
    const { client, server } = await bench.setUp([
      { status: 400, body: { code: "INVALID", message: "two fields", errors } },
    ]);
    const error = await failureOf(client.call("POST /test-cases/:testCaseId/gateways", create));
    expect(error).toMatchObject({ arrival: "answered", status: 400, code: "INVALID", fields: errors });
    expect(error.message).toContain("two fields (name: found nothing; url: found ftp)");
    expect(server.arrived).toHaveLength(1);
  });
});

describe("a refusal whose message names the field already", () => {
  it("does not say it twice", async () => {
    const [first, second] = [
      { field: "name", message: "found nothing" },
      { field: "url", message: "found ftp" },
    ];
    const body = { code: "INVALID", message: "name: found nothing (and 1 more)", errors: [first, second] };
    const { client } = await bench.setUp([{ status: 400, body }]);
    const error = await failureOf(client.call("GET /providers"));
    expect(error.message).toContain("400: name: found nothing (and 1 more) (url: found ftp)");
  });
});

describe("what starts something", () => {
  it.each([{ status: 429 }, { status: 500 }, { reset: true }] satisfies Behaviour[])(
    "is never sent twice after %j",
    async (behaviour) => {
      const { client, server } = await bench.setUp([behaviour]);
      await failureOf(client.call("POST /test-confs/:confId/executions", { params: { confId: 1 } }));
      await failureOf(client.call("POST /scripts/:id/copy", { params: { id: 1 }, query: { name: "Twin" } }));
      expect(server.arrived).toHaveLength(2);
    },
  );
});

describe("a delete", () => {
  it("that meets 404 after a doubtful attempt has succeeded", async () => {
    const { client } = await bench.setUp([{ reset: true }, { status: 404 }]);
    expect(await client.call("DELETE /scripts/:id", { params: { id: 1 } })).toBeUndefined();
  });

  it("that meets 404 at once says so", async () => {
    const { client } = await bench.setUp([{ status: 404, body: { code: "NOT_FOUND", message: "no scenario 1" } }]);
    expect(await failureOf(client.call("DELETE /scripts/:id", { params: { id: 1 } }))).toMatchObject({ status: 404 });
  });
});

it("a change that is refused after an attempt in doubt is reported as maybe done", async () => {
  const { client } = await bench.setUp([{ reset: true }, { status: 409 }]);
  const change = { params: { id: 7 }, body: { name: "G" } };
  const error = await failureOf(client.call("PUT /scripts/:id", change));
  expect(error).toMatchObject({ arrival: "maybe-done", status: 409 });
});

it("a web page is no answer to a write that answers nothing", async () => {
  const page: Behaviour = { body: "<html>", headers: { "content-type": "text/html" } };
  const { client, server } = await bench.setUp([page, {}]);
  await client.call("PUT /test-schedules/:scheduleId", { params: { scheduleId: 1 }, body: { active: false } });
  expect(server.arrived).toHaveLength(2);
});

it("an upsert whose look fails is reported as maybe done", async () => {
  const testCase = { body: { name: "Checkout", org: 1, description: "Buying" } } as const;
  const { client } = await bench.setUp([{ reset: true }, { status: 403 }]);
  expect(await failureOf(client.call("POST /test-cases", testCase))).toMatchObject({ arrival: "maybe-done" });
});

describe("an answer to a write that is about no object, or about another one", () => {
  const senseless: readonly [string, Behaviour][] = [
    ["{}", { body: {} }],
    ["[]", { body: [] }],
    ["a text", { body: '""' }],
    ["0", { body: "0" }],
    ["null", { body: "null" }],
    ["nothing", {}],
    ["204", { status: 204 }],
    ["[null]", { body: "[null]" }],
    ["no id", { body: { id: null, createdAt, name: "G" } }],
    ["an id that is a text", { body: { id: "7", createdAt, name: "G" } }],
    ["an id below 0", { body: { id: -1, createdAt, name: "G" } }],
    ["half an id", { body: { id: 7.5, createdAt, name: "G" } }],
    ["an object in another one", { body: { data: { id: 7, createdAt, name: "G" } } }],
    ["no creation time", { body: { id: 7, name: "G" } }],
    ["a creation time that is none", { body: { id: 7, createdAt: "soon", name: "G" } }],
    ["another name", { body: { id: 7, createdAt, name: "Other" } }],
  ];

  it.each(senseless)("is not believed of a create: %s", async (_, behaviour) => {
    const { client, server } = await bench.setUp([behaviour, found]);
    const create = { params: { testCaseId: 1 }, body: { name: "G", url: "https://shop.example.com" } };
    const error = await failureOf(client.call("POST /test-cases/:testCaseId/gateways", create));
    expect(error).toMatchObject({ arrival: "maybe-done" });
    expect(server.arrived).toHaveLength(1);
  });

  it.each([...senseless, ["another id", { body: { id: 8, createdAt, name: "G" } }] as const])(
    "is asked for again of a change: %s",
    async (_, behaviour) => {
      const { client, server } = await bench.setUp([behaviour, found]);
      const change = { params: { id: 7 }, body: { name: "G" } };
      expect(await client.call("PUT /scripts/:id", change)).toEqual(found.body);
      expect(server.arrived).toHaveLength(2);
    },
  );

  it("may spell the name in another case, or leave it out of a change", async () => {
    const { client } = await bench.setUp([{ body: { id: 7, createdAt, name: "g" } }, { body: { id: 7, createdAt } }]);
    const change = { params: { id: 7 }, body: { name: "G" } };
    expect(await client.call("PUT /scripts/:id", change)).toMatchObject({ name: "g" });
    expect(await client.call("PUT /scripts/:id", change)).toMatchObject({ id: 7 });
  });
});

describe("a write that can be looked up", () => {
  const rename = { params: { id: 4 }, body: { name: "New" } } as const;
  const testCase = { body: { name: "Checkout", org: 1, description: "Buying" } } as const;
  const regions = { params: { orgId: 1 }, body: { name: "dc-1", description: "Rack 4", providerId: 2 } } as const;
  const cases: readonly [string, (client: Client) => Promise<unknown>, readonly Behaviour[], readonly string[]][] = [
    [
      "PATCH done",
      (client) => client.call("PATCH /gateways/:id", rename),
      [{ reset: true }, { body: { id: 4, createdAt, name: "New" } }],
      ["PATCH /gateways/4", "GET /gateways/4"],
    ],
    [
      "PATCH not done",
      (client) => client.call("PATCH /gateways/:id", rename),
      [{ status: 500 }, { body: { id: 4, createdAt, name: "Old" } }, { body: { id: 4, createdAt, name: "New" } }],
      ["PATCH /gateways/4", "GET /gateways/4", "PATCH /gateways/4"],
    ],
    [
      "test case done",
      (client) => client.call("POST /test-cases", testCase),
      [
        { reset: true },
        {
          body: [
            { id: 3, createdAt, name: "Other" },
            { id: 4, createdAt, name: "Checkout", description: "Buying" },
          ],
        },
      ],
      ["POST /test-cases", "GET /orgs/1/test-cases?down=false"],
    ],
    [
      "test case absent",
      (client) => client.call("POST /test-cases", testCase),
      [
        { reset: true },
        { body: [{ id: 3, createdAt, name: "Other" }] },
        { body: { id: 4, createdAt, name: "Checkout" } },
      ],
      ["POST /test-cases", "GET /orgs/1/test-cases?down=false", "POST /test-cases"],
    ],
    [
      "test case with its old description",
      (client) => client.call("POST /test-cases", testCase),
      [
        { reset: true },
        { body: [{ id: 4, createdAt, name: "Checkout", description: "Old" }] },
        { body: { id: 4, createdAt, name: "Checkout" } },
      ],
      ["POST /test-cases", "GET /orgs/1/test-cases?down=false", "POST /test-cases"],
    ],
    [
      "region done",
      (client) => client.call("POST /orgs/:orgId/regions", regions),
      [{ status: 502 }, { body: { id: 2, regions: [{ id: 4, createdAt, name: "dc-1", description: "Rack 4" }] } }],
      ["POST /orgs/1/regions", "GET /providers/2?down=true&activeRegionsOnly=true"],
    ],
    [
      "region absent in its grid",
      (client) => client.call("POST /orgs/:orgId/regions", regions),
      [{ status: 502 }, { body: { id: 2, regions: [] } }, { body: { id: 4, createdAt, name: "dc-1" } }],
      ["POST /orgs/1/regions", "GET /providers/2?down=true&activeRegionsOnly=true", "POST /orgs/1/regions"],
    ],
  ];
  it.each(cases)("is read before it is sent again: %s", async (_, call, plan, expected) => {
    const { client, server } = await bench.setUp(plan);
    expect(await call(client)).toMatchObject({ id: 4 });
    expect(server.arrived.map(({ method, url }) => `${method} ${url}`)).toEqual(expected);
  });
});
