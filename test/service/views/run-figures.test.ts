import { describe, expect, it } from "vitest";
import type { Rig } from "../support/rig.ts";
import { finishedScript, inRegions, scriptRig, startedScript } from "../support/run-script.ts";

interface Interval {
  readonly count: number;
  readonly iterationsExecuted: number;
  readonly concurrentClients: number;
  readonly actualConcurrentClients: number;
}

const intervals = (rig: Rig): Promise<readonly Interval[]> => rig.ok("GET", "/executions/1/intervals");
const iterations = async (rig: Rig) => (await intervals(rig)).map((each) => each.iterationsExecuted);

describe("the intervals of a completed run", () => {
  it("hold what ends at its very end, where that is the end of one of them", async () => {
    expect(await iterations(await finishedScript("log.info(1)", { iterations: 2 }))).toEqual([1, 1]);
    const main = "await new Promise((resolve) => setTimeout(resolve, 9_000)); await fetch('http://one.test/')";
    const rig = await finishedScript(main);
    expect((await intervals(rig)).map(({ count }) => count)).toEqual([0, 1]);
    expect(await rig.ok("GET", "/executions/1/results")).toHaveLength(1);
  });

  it("read the same after the state was restored, and after many other runs were read", async () => {
    const rig = await finishedScript("log.info(1)", { iterations: 3, iterationSleepSecs: 1, concurrentClients: 4 });
    const before = await intervals(rig);
    expect(await iterations(rig)).toEqual([12]);
    expect(before[0]?.actualConcurrentClients).toBe(0);
    await rig.service.restore(rig.service.snapshot());
    expect(await intervals(rig)).toEqual(before);
    for (let id = 2; id <= 18; id++) await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(60_000);
    for (let id = 2; id <= 18; id++) await rig.ok("GET", `/executions/${id}/intervals`);
    expect(await intervals(rig)).toEqual(before);
  });
});

describe("the figures of a run", () => {
  it("count a user that is there for no time, and users of an interval as they were when it closed", async () => {
    const silent = await finishedScript("log.info(1)", { concurrentClients: 3 });
    expect((await silent.ok("GET", "/executions/1/summary")).maxConcurrentClients).toBe(3);
    const rig = await startedScript("await fetch('http://one.test/')", { durationSecs: 60, concurrentClients: 5 });
    await rig.service.advance(20_000);
    const before = await intervals(rig);
    await rig.ok("POST", "/executions/1/add-users", { concurrentClients: 7 });
    expect(await intervals(rig)).toEqual(before);
    await rig.service.advance(10_000);
    expect((await intervals(rig)).map((each) => each.concurrentClients)).toEqual([5, 5, 12]);
  });

  it("tell of its chunks what is counted of it: the intervals that have closed, and no more than there is so far", async () => {
    const conf = {
      iterations: 5,
      concurrentClients: 150,
      iterationSleepSecs: 1,
      providers: inRegions("us-east-1", "eu-west-1"),
    };
    const rig = await startedScript("await fetch('http://wide.test/')", conf);
    let earlier = 0;
    for (let step = 0; step < 40; step++) {
      await rig.service.advance(7_000);
      const { regions, summary } = await rig.ok("GET", "/executions/1");
      const chunks = regions.flatMap((each: { chunks: readonly { completedIterations: number }[] }) => each.chunks);
      const sum = chunks.reduce(
        (total: number, each: { completedIterations: number }) => total + each.completedIterations,
        0,
      );
      expect(sum).toBe(summary.iterationsExecuted);
      expect(sum).toBeGreaterThanOrEqual(earlier);
      earlier = sum;
    }
    expect(earlier).toBe(1_500);
  });

  it("of a script that reports ten thousand values are read in well under a second", async () => {
    const main = "for (let i = 0; i < 10_000; i++) results().timing('row', i)";
    const rig = await finishedScript(main, { durationSecs: 600 });
    const before = process.cpuUsage();
    const all = await intervals(rig);
    const { user, system } = process.cpuUsage(before);
    expect(all).toHaveLength(60);
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});

describe("a run whose test is broken", () => {
  const broken = "describe('a', () => { it('b', () => { throw new Error('x') }) })";

  it("fails, wherever it is shown", async () => {
    const rig = await finishedScript(broken, { iterations: 3 });
    expect(await rig.ok("GET", "/executions/1")).toMatchObject({ completed: true, success: false });
    const { results } = await rig.ok("POST", "/search", { success: false });
    expect(results).toHaveLength(1);
    expect(await rig.ok("POST", "/scripts/1/run")).toMatchObject({ success: false });
  });

  it("succeeds when it passes or is skipped", async () => {
    const rig = await finishedScript("describe('a', () => { it('b', () => {}); it.skip('c', () => { throw 1 }) })");
    expect(await rig.ok("GET", "/executions/1")).toMatchObject({ success: true });
  });
});

describe("a metered metric of a script", () => {
  it("has as total the peaks of all runners at work", async () => {
    const main = "results().metered('heap', 'h', 9, 'MB')";
    const providers = inRegions("us-east-1", "eu-west-1");
    const rig = await finishedScript(main, { providers, concurrentClients: 150 });
    const { metricValueMap } = await rig.ok("GET", "/executions/1/metric?name=heap");
    // 300 users, two runners in each of the two regions.
    expect(metricValueMap).toEqual({ largest: 9, total: 36 });
    const { kpis } = await rig.ok("POST", "/executions/1/evaluate-kpis", { kpis: [{ expr: "heap[total] >= 36" }] });
    expect(kpis[0].success).toBe(true);
    const { regions } = await rig.ok("GET", "/executions/1");
    const totals = regions.map(({ summary }: { summary: { metrics: readonly { metricDef: string }[] } }) =>
      summary.metrics.find(({ metricDef }) => metricDef === "heap"),
    );
    expect(totals).toMatchObject([{ metricValueMap: { total: 18 } }, { metricValueMap: { total: 18 } }]);
  });
});

describe("the numbers of a region", () => {
  const main = "await fetch('http://wide.test/')";
  const conf = { concurrentClients: 5, iterations: 4 };
  const rowsIn = async (rig: Rig, regionName: string, id = 1) => {
    const rows: readonly { regionName: string; threadId: string; firstReceivedMs: number }[] = await rig.ok(
      "GET",
      `/executions/${id}/results`,
    );
    return rows
      .filter((row) => row.regionName === `cloud-${regionName}`)
      .map(({ threadId, firstReceivedMs }) => [threadId, firstReceivedMs]);
  };

  it("do not change with another region, wherever that is named", async () => {
    const two = await finishedScript(main, { ...conf, providers: inRegions("us-east-1", "eu-west-1") });
    const three = await finishedScript(main, { ...conf, providers: inRegions("us-east-1", "us-west-2", "eu-west-1") });
    for (const name of ["us-east-1", "eu-west-1"]) {
      expect(await rowsIn(two, name)).toHaveLength(20);
      expect(await rowsIn(three, name)).toEqual(await rowsIn(two, name));
    }
    expect(await rowsIn(three, "us-west-2")).not.toEqual(await rowsIn(three, "us-east-1"));
  });

  it("do not change with the regions of a run before", async () => {
    const second = async (...before: readonly string[]) => {
      const rig = await scriptRig(main, { ...conf, providers: inRegions(...before) });
      await rig.ok("POST", "/test-confs/1/executions");
      await rig.ok("PUT", "/test-confs/1", { providers: inRegions("eu-west-1") });
      await rig.ok("POST", "/test-confs/1/executions");
      await rig.service.advance(3_600_000);
      return rowsIn(rig, "eu-west-1", 2);
    };
    expect(await second("us-east-1", "us-west-2", "eu-west-1")).toEqual(await second("us-east-1"));
  });

  it("of a second provider configuration for the same region are its own", async () => {
    const providers = [...inRegions("us-east-1"), ...inRegions("us-east-1")];
    const rig = await finishedScript(main, { ...conf, providers });
    const { regions } = await rig.ok("GET", "/executions/1");
    const [first, second] = regions.map(({ summary }: { summary: { metrics: unknown } }) => summary.metrics);
    expect(second).not.toEqual(first);
  });
});
