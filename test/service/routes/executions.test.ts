import { describe, expect, it } from "vitest";
import { splitUsers } from "../../../src/service/executions/split-users.ts";
import { fieldsOf, makeShop, type Rig } from "../support/rig.ts";

const day = 24 * 3_600_000;

async function ids(rig: Rig, query: string): Promise<readonly number[]> {
  return (await rig.ok("GET", `/test-confs/1/executions?${query}`)).map((each: { id: number }) => each.id);
}

describe("executions", () => {
  it("run with the configuration's users split over its regions, and complete when the last iteration has ended", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", {
      providers: [
        {
          providerId: 0,
          params: { regions: "cloud-us-east-1,cloud-eu-west-1", weight: "1,3", concurrentClients: "10" },
        },
        { providerId: 0, numRegions: 2 },
      ],
    });
    const made = await rig.ok("POST", "/test-confs/1/executions");
    expect(made).toMatchObject({
      id: 1,
      running: true,
      completed: false,
      allocated: true,
      cancelledByUser: false,
      success: null,
      concurrentClients: 60,
      script: { id: 1 },
      summary: { executionId: 1, count: 0 },
      configuration: { id: 1 },
      testCase: { id: 1 },
      organization: { id: 1 },
    });
    expect(
      made.regions.map((each: { concurrentClients: number; region: { name: string } }) => [
        each.region.name,
        each.concurrentClients,
      ]),
    ).toEqual([
      ["cloud-us-east-1", 5],
      ["cloud-eu-west-1", 15],
      ["cloud-us-east-1", 20],
      ["cloud-us-west-2", 20],
    ]);
    expect(made.regions[0].chunks).toMatchObject([{ executionType: "Main", completed: false }]);
    expect(await rig.ok("GET", "/executions/1")).toEqual(made);
    await rig.service.advance(day);
    expect(await rig.ok("GET", "/executions/1")).toMatchObject({
      running: false,
      completed: true,
      summaryCalculated: true,
      success: true,
      actualConcurrentClients: 0,
    });
  });

  it("split by largest remainder, ties to the earlier", () => {
    expect(splitUsers(10, [1, 1, 1])).toEqual([4, 3, 3]);
    expect(splitUsers(5, [1, 3])).toEqual([1, 4]);
    expect(splitUsers(7, [0.5, 0.5])).toEqual([4, 3]);
    expect(splitUsers(0, [1, 2])).toEqual([0, 0]);
  });

  it("take parameters: query over body over configuration", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/test-confs/1", { scriptParams: '{"a":"conf","b":"conf","c":"conf"}' });
    const made = await rig.ok("POST", "/test-confs/1/executions?a=query&key=local", { a: "body", b: "body" });
    expect(JSON.parse(made.scriptParams)).toEqual({ a: "query", b: "body", c: "conf" });
    expect(rig.service.requests.at(-1)?.unknownFields).toEqual([]);
    expect(fieldsOf(await rig.call("POST", "/test-confs/1/executions", { a: 1 }))).toEqual(["a"]);
    expect((await rig.call("POST", "/test-confs/1/executions", [1])).status).toBe(400);
  });

  it("keep nothing of an encrypted parameter given to them", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/scripts/1", { paramsConfig: [{ name: "token", encrypted: true }] });
    const made = await rig.ok("POST", "/test-confs/1/executions?token=canary", { token: "canary" });
    expect(JSON.parse(made.scriptParams)).toEqual({ token: null });
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("canary");
  });

  it("list newest first, 15 by default, by period, start, end, limit and offset", async () => {
    const rig = await makeShop();
    for (let index = 0; index < 20; index++) {
      await rig.ok("POST", "/test-confs/1/executions");
      await rig.service.advance(day);
    }
    const now = Date.parse("2026-11-20T10:07:30.000Z") + 20 * day;
    const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);
    expect(await ids(rig, "")).toEqual(down(20, 6));
    expect(await ids(rig, "limit=2&offset=1")).toEqual([19, 18]);
    expect(await ids(rig, "limit=-1")).toEqual(down(20, 1));
    expect(await ids(rig, "period=7d")).toEqual(down(20, 14));
    expect(await ids(rig, "period=3m")).toEqual(down(20, 1));
    expect(await ids(rig, `end=${now}`)).toEqual(down(20, 1));
    expect(await ids(rig, `period=recent&end=${now}`)).toEqual(down(20, 6));
    expect(await ids(rig, `start=${now - 3 * day}`)).toEqual(down(20, 18));
    expect(await ids(rig, `start=${now - 3 * day}&end=${now - 2 * day}&period=3m`)).toEqual([19, 18]);
    expect((await rig.call("GET", "/test-confs/1/executions?period=1y")).status).toBe(400);
  });

  it("page within their configuration too", async () => {
    const rig = await makeShop();
    for (let index = 0; index < 3; index++) await rig.ok("POST", "/test-confs/1/executions");
    const { executions } = await rig.ok("GET", "/test-confs/1?down=true&limit=1&offset=1");
    expect(executions).toMatchObject([{ id: 2 }]);
  });

  it("show what is asked for", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions");
    const [bare] = await rig.ok(
      "GET",
      "/test-confs/1/executions?down=false&includeScript=false&includeSummary=false&includeResources=true",
    );
    expect(bare).toHaveProperty("resources");
    for (const name of ["regions", "script", "summary", "testCase"]) expect(bare).not.toHaveProperty(name);
  });

  it("are deleted and answered as they were", async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-confs/1/executions");
    expect((await rig.call("HEAD", "/executions/1")).status).toBe(200);
    expect(await rig.ok("DELETE", "/executions/1")).toMatchObject({ id: 1 });
    expect((await rig.call("HEAD", "/executions/1")).status).toBe(404);
    expect(await rig.ok("POST", "/test-confs/1/executions")).toMatchObject({ id: 2 });
  });
});
