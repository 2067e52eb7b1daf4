import { describe, expect, it } from "vitest";
import { type Rig, start } from "../support/rig.ts";
import {
  failedTest,
  makeCompletedRun,
  makeRunShop,
  putProbe,
  type Row,
  tally,
  testOf,
  threeTests as tests,
  textOf,
  uuid,
} from "../support/run-rig.ts";

/** The same run serves all tests that only read. */
const shared = makeCompletedRun({ tests, withTwoRequests: true });

async function rows(path: string, rig?: Rig): Promise<readonly Row[]> {
  return await (rig ?? (await shared)).ok("GET", path);
}

describe("suite results", () => {
  it("repeat the tests of the probe iteration for every iteration that ended", async () => {
    const all = await rows("/executions/1/suite-results");
    const { iterationsExecuted } = await (await shared).ok("GET", "/executions/1/summary");
    expect(all).toHaveLength(3 * iterationsExecuted);
    expect(tally(all, "iterationId")).toSatisfy((counts: object) => Object.values(counts).every((each) => each === 3));
    expect(tally(all, "name")).toEqual({
      opens: iterationsExecuted,
      pays: iterationsExecuted,
      waits: iterationsExecuted,
    });
  });

  it("have the fields of a finished test at the times that it had in its iteration", async () => {
    const [first, second] = await rows("/executions/1/suite-results");
    expect(first).toMatchObject({ suiteName: "Shop", name: "opens", state: "passed", duration: 25.5, error: null });
    expect(first).toMatchObject({ started: Date.parse(start) + 10, finished: Date.parse(start) + 36 });
    expect(second).toMatchObject({ state: "failed", errorType: "AssertionError", errorTrace: "at line 3\nat line 9" });
    expect(first!["iterationId"]).toMatch(uuid);
  });

  it("have the threads of the raw results", async () => {
    const threads = new Set((await rows("/executions/1/results")).map((row) => row["threadId"]));
    expect(new Set((await rows("/executions/1/suite-results")).map((row) => row["threadId"]))).toEqual(threads);
  });

  it("are those of one thread where it is given", async () => {
    const all = await rows("/executions/1/suite-results");
    const threadId = all.at(-1)!["threadId"];
    const own = await rows(`/executions/1/suite-results?threadId=${threadId}`);
    expect(own).toEqual(all.filter((row) => row["threadId"] === threadId));
    expect(own.length).toBeLessThan(all.length);
    expect(await rows("/executions/1/suite-results?threadId=nobody")).toEqual([]);
    expect(await rows(`/executions/1/failed-suite-results?threadId=${threadId}`)).toHaveLength(own.length / 3);
  });

  it("page by limit and offset", async () => {
    const all = await rows("/executions/1/suite-results");
    expect(await rows("/executions/1/suite-results?limit=2&offset=3")).toEqual(all.slice(3, 5));
    expect(await rows("/executions/1/suite-results?limit=-1")).toEqual(all);
    expect(await rows("/executions/1/suite-results?limit=0")).toEqual([]);
    expect(await rows(`/executions/1/suite-results?offset=${all.length}`)).toEqual([]);
    expect((await textOf(await shared, "/executions/1/suite-results.csv?limit=2")).split("\r\n")).not.toHaveLength(
      4 + all.length,
    );
  });

  it("refuse a limit below -1, a negative offset and what is no number, all at once", async () => {
    const answer = await (await shared).call("GET", "/executions/1/suite-results?limit=-2&offset=-1");
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: "limit" }, { field: "offset" }] } });
    expect((await (await shared).call("GET", "/executions/1/command-streams?limit=x")).status).toBe(400);
  });

  it("that failed are the failed ones of all", async () => {
    const all = await rows("/executions/1/suite-results");
    expect(await rows("/executions/1/failed-suite-results")).toEqual(all.filter(({ state }) => state === "failed"));
  });

  it("are split between the regions", async () => {
    const all = await rows("/executions/1/suite-results");
    const parts = [
      await rows("/executions/1/regions/1/suite-results"),
      await rows("/executions/1/regions/2/suite-results"),
    ];
    expect(parts[0]!.length + parts[1]!.length).toBe(all.length);
    expect(parts.map((part) => Object.keys(tally(part, "threadId")).length)).toEqual([2, 2]);
  });

  it("of iterations without requests are repeated too", async () => {
    const rig = await makeRunShop();
    await rig.ok("POST", "/test-confs/1/executions");
    const [row] = rig.service.snapshot().tables["execution"] as unknown as { plan: { iteration: object } }[];
    const plan = { ...row!.plan, iteration: { ...row!.plan.iteration, requests: [], restMs: 500 } };
    await putProbe(rig, 1, { tests, record: { plan } as never });
    await rig.service.advance(120_000);
    const all = await rows("/executions/1/suite-results", rig);
    // Every 1.5 s of a minute an iteration, by four users.
    expect(all).toHaveLength(3 * 4 * 40);
    expect(await rows("/executions/1/suite-summaries", rig)).toMatchObject([
      { total: 160 },
      { total: 160 },
      { total: 160 },
    ]);
    expect(await rows("/executions/1/results", rig)).toEqual([]);
  });

  it("are at most 100,000; the summaries count all", async () => {
    const conf = { concurrentClients: 300, durationSecs: 300 };
    const rig = await makeCompletedRun({ tests }, { conf });
    await rig.service.advance(300_000);
    const text = await textOf(rig, "/executions/1/suite-results.csv");
    expect(text.match(/\r\n/g)).toHaveLength(100_001);
    const [opens] = await rows("/executions/1/suite-summaries", rig);
    expect(Number(opens!["total"])).toBeGreaterThan(100_000 / 3);
  });

  it("are none of a run without tests", async () => {
    const rig = await makeCompletedRun();
    for (const path of ["suite-results", "failed-suite-results", "suite-summaries", "suite-errors"])
      expect(await rows(`/executions/1/${path}`, rig), path).toEqual([]);
  });
});

describe("suite summaries and errors", () => {
  it("count every test by its state, with its durations", async () => {
    const { iterationsExecuted: total } = await (await shared).ok("GET", "/executions/1/summary");
    const duration = { durationP50: 25.5, durationP95: 25.5, durationMax: 25.5 };
    expect(await rows("/executions/1/suite-summaries")).toEqual([
      { suiteName: "Shop", name: "opens", total, passed: total, failed: 0, skipped: 0, ...duration },
      { suiteName: "Shop", name: "pays", total, passed: 0, failed: total, skipped: 0, ...duration },
      {
        suiteName: "Shop",
        name: "waits",
        total,
        passed: 0,
        failed: 0,
        skipped: total,
        durationP50: 0,
        durationP95: 0,
        durationMax: 0,
      },
    ]);
  });

  it("name the errors only where they are asked for", async () => {
    const [opens, pays] = await rows("/executions/1/suite-summaries?includeErrors=true");
    expect(opens!["errors"]).toEqual([]);
    expect(pays!["errors"]).toEqual([
      { errorType: "AssertionError", error: 'expected 1, found "2"', count: pays!["total"] },
    ]);
    expect((await rows("/executions/1/suite-summaries?includeErrors=false"))[0]).not.toHaveProperty("errors");
  });

  it("count the errors of a region by its iterations", async () => {
    const rig = await shared;
    const { regions } = await rig.ok("GET", "/executions/1");
    for (const { id, summary } of regions)
      expect(await rows(`/executions/1/regions/${id}/suite-errors`)).toEqual([
        {
          suiteName: "Shop",
          name: "pays",
          errorType: "AssertionError",
          error: 'expected 1, found "2"',
          count: summary.iterationsExecuted,
        },
      ]);
  });

  it("put tests of one name together, with percentiles of their durations", async () => {
    const twice = [
      testOf("a"),
      failedTest("a", { finishedMs: 110 }),
      failedTest("a", { error: "other", finishedMs: 1_010 }),
    ];
    const rig = await makeCompletedRun({ tests: twice });
    const [summary, ...more] = await rows("/executions/1/suite-summaries?includeErrors=true", rig);
    expect(more).toEqual([]);
    expect(summary).toMatchObject({ durationP50: 100, durationP95: 1_000, durationMax: 1_000 });
    expect(summary!["errors"]).toHaveLength(2);
    expect(Number(summary!["failed"])).toBe(2 * Number(summary!["passed"]));
    expect(await rows("/executions/1/suite-errors", rig)).toHaveLength(2);
  });
});
