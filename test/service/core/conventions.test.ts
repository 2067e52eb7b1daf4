import { describe, expect, it } from "vitest";
import { mountedRoutes } from "../../../src/service/core/router.ts";
import { fieldsOf, flat, makeRig, makeShop, type Way } from "../support/rig.ts";

describe.each<Way>(["in process", "over HTTP"])("every route %s", (way) => {
  it("answers HEAD with 200 or 404 and no body, on every object", async () => {
    const rig = await makeShop({ way });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.ok("POST", "/gateways/1/recordings", { name: "Take" });
    for (const path of [
      "/test-cases/",
      "/test-confs/",
      "/scripts/",
      "/script/",
      "/gateways/",
      "/recordings/",
      "/recording/",
      "/executions/",
    ]) {
      expect(await rig.call("HEAD", `${path}1`), path).toMatchObject({ status: 200, body: undefined });
      expect(await rig.call("HEAD", `${path}9`), path).toMatchObject({ status: 404, body: undefined });
    }
    expect((await rig.call("HEAD", "/providers/0")).status).toBe(200);
    expect((await rig.call("HEAD", "/orgs/1")).status).toBe(200);
    await rig.close();
  });

  it("answers HEAD so where an object has no GET of its own, too (conventions 4)", async () => {
    const rig = await makeShop({ way });
    const hourly = { scheduleType: "Recurring", recurringInterval: "Hour" };
    await rig.ok("PUT", "/test-confs/1", { schedules: [hourly] });
    await rig.ok("PUT", "/scripts/1", { tags: ["nightly"] });
    await rig.ok("POST", "/agents", { instanceIds: "i-1", regionName: "office" });
    const asked = async (id: number) => [
      await rig.call("HEAD", `/test-schedules/${id}`),
      await rig.call("HEAD", `/users/${id}`),
      await rig.call("HEAD", `/orgs/1/tags/${id}`),
      await rig.call("HEAD", `/agents/${id}`),
    ];
    expect((await asked(1)).map(({ status, body }) => [status, body])).toEqual(Array(4).fill([200, undefined]));
    expect((await asked(9)).map(({ status, body }) => [status, body])).toEqual(Array(4).fill([404, undefined]));
    await rig.close();
  });

  it("answers under /api too, with or without a slash at the end", async () => {
    const rig = await makeShop({ way });
    const plain = await rig.ok("GET", "/test-cases/1");
    for (const path of ["/api/test-cases/1", "/test-cases/1/", "/api/test-cases/1/?key=local"])
      expect(await rig.ok("GET", path)).toEqual(plain);
    await rig.close();
  });

  it("is 404 for what does not exist, 405 with Allow for another method", async () => {
    const rig = await makeShop({ way });
    expect(await rig.call("GET", "/test-cases/9")).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND", message: expect.stringContaining("9") },
    });
    expect((await rig.call("GET", "/test-cases/x")).status).toBe(404);
    expect((await rig.call("GET", "/nowhere")).status).toBe(404);
    const wrong = await rig.call("DELETE", "/test-cases");
    expect(wrong).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
    expect(wrong.headers["allow"]).toBe("GET, HEAD, POST");
    await rig.close();
  });
});

describe("requests", () => {
  it("are 400 without a body, with one that is no JSON, or no object", async () => {
    const rig = await makeRig();
    for (const body of [undefined, "", "{", "[1]", "7", "null"]) {
      const answer = await rig.call("POST", "/test-cases", body);
      expect(answer, String(body)).toMatchObject({ status: 400, body: { code: "INVALID" } });
    }
  });

  it("name what is wrong within a list, and not the list too", async () => {
    const rig = await makeShop();
    const body = { ...flat, providers: [{ providerId: "0" }], triggers: [{ conditions: 1, actions: [] }] };
    const answer = await rig.call("POST", "/test-cases/1/confs", { ...body, profileType: "BreakingPoint" });
    expect(fieldsOf(answer)).toEqual(["providers[0].providerId", "triggers[0].conditions"]);
  });

  it("are 415 for another media type, and 413 for too much", async () => {
    const rig = await makeRig({ settings: { bodyLimit: 100 } });
    expect(
      (await rig.call("POST", "/test-cases", "name=a", { "content-type": "application/x-www-form-urlencoded" })).status,
    ).toBe(415);
    expect((await rig.call("POST", "/test-cases", JSON.stringify({ name: "x".repeat(200), org: 1 }))).status).toBe(413);
    const over = await makeRig({ way: "over HTTP", settings: { bodyLimit: 100 } });
    expect((await over.call("POST", "/test-cases", { name: "x".repeat(2000), org: 1 })).status).toBe(413);
    await over.close();
  });

  it("are 400 for a query that cannot be read", async () => {
    const rig = await makeShop();
    for (const query of ["down=yes", "limit=x", "offset=1.5"])
      expect((await rig.call("GET", `/test-confs/1?${query}`)).status, query).toBe(400);
  });

  it("may carry values as they are, which the service does not share", async () => {
    const rig = await makeRig();
    const metadata = { zone: "a", nested: { list: [1] } };
    await rig.ok("POST", "/providers", { name: "Cloud", organizationId: 1, providerType: "CloudOnDemand", metadata });
    metadata.nested.list.push(2);
    const answer = await rig.ok("GET", "/providers/1");
    answer.metadata.nested.list.push(3);
    expect((await rig.ok("GET", "/providers/1")).metadata).toEqual({ zone: "a", nested: { list: [1] } });
  });
});

describe("unknown fields and parameters", () => {
  it("are recorded, nested ones with their path", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1?dry=true", {
      colour: "red",
      schedules: [{ scheduleType: "Recurring", recurringInterval: "Day", tz: "UTC" }],
    });
    expect(rig.service.requests.at(-1)).toMatchObject({
      unknownFields: ["?dry", "colour", "schedules[0].tz"],
      route: "PUT /test-confs/:confId",
    });
  });

  it("are 400 in strict mode, and nothing is written", async () => {
    const rig = await makeShop({ strict: true });
    const answer = await rig.call("PUT", "/test-confs/1", { name: "New", colour: "red" });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: "colour" }] } });
    expect(await rig.ok("GET", "/test-confs/1")).toMatchObject({ name: "Smoke" });
    expect(
      (
        await rig.call("PUT", "/test-confs/1", {
          rampupSecs: 1,
          profileType: "Step",
          step: 1,
          startConcurrentClients: 1,
        })
      ).status,
    ).toBe(400);
    expect((await rig.call("GET", "/test-cases?deeper=true")).status).toBe(400);
  });
});

describe("the same calls", () => {
  it("make the same bytes", async () => {
    const run = async () => {
      const rig = await makeShop();
      await rig.ok("POST", "/orgs/1/vcs-roots", {
        name: "A",
        url: "https://g.test",
        vcsAuthType: "Username",
        username: "u",
        password: "p",
      });
      await rig.service.advance(5000);
      await rig.ok("POST", "/test-confs/1/share");
      return JSON.stringify([rig.service.snapshot(), await rig.ok("GET", "/test-cases?down=true&deep=true")]);
    };
    expect(await run()).toBe(await run());
  });

  it("reach every mounted route's handler", () => {
    expect(mountedRoutes().length).toBeGreaterThan(175);
  });
});
