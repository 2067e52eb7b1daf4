import { describe, expect, it } from "vitest";
import { madeOnce } from "../../support/made-once.ts";
import { fieldsOf, grid, makeShop, type Rig, start } from "../support/rig.ts";
import { execution, startedShop } from "../support/started-shop.ts";

const begun = Date.parse(start);

describe("search (API 2, POST /search)", () => {
  const found = async (rig: Rig, search: object) => {
    const { total, results } = await rig.ok("POST", "/search", search);
    return [total, results.map((each: { id: number }) => each.id)];
  };
  it.each([{ limit: -7 }, { offset: -1 }])("refuses the bounds %j", async (bounds) => {
    const rig = await makeShop();
    expect((await rig.call("POST", "/search", bounds)).status).toBe(400);
  });

  /** Three runs, which all searches share: they only read. */
  const three = madeOnce(async () => {
    const rig = await makeShop();
    await rig.ok("POST", "/test-cases/1/confs", {
      name: "Peak",
      scriptId: 1,
      concurrentClients: 1,
      durationSecs: 10,
      providers: grid,
    });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(3_600_000);
    await rig.ok("POST", "/test-confs/2/executions");
    await rig.service.advance(3_600_000);
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.ok("POST", "/executions/3/tags", ["release"]);
    return rig;
  });

  it("finds all, newest first", async () => {
    expect(await found(await three(), {})).toEqual([3, [3, 2, 1]]);
  });

  it.each([
    [{ query: "peak" }, [1, [2]]],
    [{ query: "checkout SMOKE" }, [2, [3, 1]]],
    [{ query: "nothing" }, [0, []]],
    [{ tags: ["release"] }, [1, [3]]],
    [{ tags: ["release", "nightly"] }, [1, [3]]],
    [{ tags: ["absent"] }, [0, []]],
    [{ confId: 2 }, [1, [2]]],
    [{ testCaseId: 1 }, [3, [3, 2, 1]]],
    [{ testCaseId: 9 }, [0, []]],
    [{ success: true }, [2, [2, 1]]],
    [{ start: begun + 1 }, [2, [3, 2]]],
    [{ end: begun }, [1, [1]]],
    [{ limit: 1, offset: 1 }, [3, [2]]],
    [{ limit: -1 }, [3, [3, 2, 1]]],
  ])("%j", async (search, expected) => {
    expect(await found(await three(), search)).toEqual(expected);
  });
});

describe("histories (API 1, Test configurations)", () => {
  /** Three days with a run each, which all tests share: they only read. */
  const history = madeOnce(async () => {
    const rig = await makeShop();
    for (let run = 0; run < 3; run++) {
      await rig.ok("POST", "/test-confs/1/executions");
      await rig.service.advance(24 * 3_600_000);
    }
    return rig;
  });
  const ids = async (rig: Rig, query: string) =>
    (await rig.ok("GET", `/test-confs/1/summary-history?${query}`)).map(
      (each: { executionId: number }) => each.executionId,
    );

  it("summary-history: one summary for each run, newest first, with metrics where asked for", async () => {
    const rig = await history();
    const [plain] = await rig.ok("GET", "/test-confs/1/summary-history");
    expect(plain).not.toHaveProperty("metrics");
    const whole = await rig.ok("GET", "/test-confs/1/summary-history?down=true");
    expect(whole[0]).toEqual(await rig.ok("GET", "/executions/3/summary"));
    expect(await ids(rig, "")).toEqual([3, 2, 1]);
  });

  it.each([
    ["maxExecutionId=2", [2, 1]],
    ["limit=1", [3]],
    ["limit=1&offset=1", [2]],
    ["region=1", [3, 2, 1]],
    ["region=5", []],
    ["period=7d", [3, 2, 1]],
    [`start=${begun + 3_600_000}`, [3, 2]],
    [`end=${begun}`, [1]],
  ])("summary-history?%s", async (query, expected) => {
    expect(await ids(await history(), query)).toEqual(expected);
  });

  it("summary-history of a region has its numbers", async () => {
    const rig = await history();
    const [first] = (await rig.ok("GET", "/executions/3")).regions;
    expect((await rig.ok("GET", "/test-confs/1/summary-history?region=1&down=true"))[0]).toEqual(first.summary);
  });

  it("report.csv: newest first, with the documented columns", async () => {
    const rig = await history();
    const answer = await rig.service.handle({
      method: "GET",
      path: "/test-confs/1/report.csv?limit=2",
      headers: { "x-api-key": "local" },
    });
    const lines = String(answer.body()).split("\r\n");
    expect(lines[0]).toBe(
      "executionId,startedAt,passed,maxConcurrentUsers,p50ResponseTimeMs,p99ResponseTimeMs,requestSuccessRate,assertionPassRate",
    );
    expect(lines[1]).toMatch(/^3,2026-11-22T10:07:30.000Z,true,20,[\d.]+,[\d.]+,100,$/);
    expect(lines).toHaveLength(4);
    expect(answer.headers["content-type"]).toContain("text/csv");
  });
});

describe("share links of executions (API 2, POST /orgs/:orgId/tokens)", () => {
  it("have targetType Execution, and are the same when shared again", async () => {
    const rig = await startedShop();
    const link = await rig.ok("POST", "/orgs/1/tokens", { executionId: 1, tz: "Europe/Berlin" });
    expect(link).toMatchObject({ targetType: "Execution", targetId: 1, active: true });
    expect(JSON.parse(link.description)).toEqual({ dashboardId: null, tz: "Europe/Berlin" });
    expect(await rig.ok("POST", "/orgs/1/tokens", { executionId: 1 })).toMatchObject({ id: link.id, name: link.name });
    expect((await rig.ok("GET", "/orgs/1")).data.tokens).toMatchObject([{ id: link.id, targetType: "Execution" }]);
    const latest = await rig.ok("POST", "/test-confs/1/share");
    expect([latest.targetType, latest.name === link.name]).toEqual(["GetLatestExecution", false]);
  });

  it("are refused for what is no execution of the organization, and for a wrong time zone", async () => {
    const rig = await startedShop();
    expect(fieldsOf(await rig.call("POST", "/orgs/1/tokens", { executionId: 9 }))).toEqual(["executionId"]);
    expect(fieldsOf(await rig.call("POST", "/orgs/1/tokens", { executionId: 1, tz: "Mars/Base" }))).toEqual(["tz"]);
  });
});

describe("what runs leave in other answers", () => {
  it("requests of a run cannot be changed by the configuration afterwards", async () => {
    const rig = await startedShop();
    await rig.ok("PUT", "/test-confs/1", { concurrentClients: 99 });
    expect(await execution(rig)).toMatchObject({ concurrentClients: 20 });
  });

  it("a run whose configuration is deleted is deleted with it", async () => {
    const rig = await startedShop();
    await rig.ok("DELETE", "/test-confs/1");
    expect((await rig.call("GET", "/executions/1")).status).toBe(404);
    await rig.service.advance(3_600_000);
  });
});
