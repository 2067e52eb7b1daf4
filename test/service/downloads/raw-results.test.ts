import { describe, expect, it } from "vitest";
import { sampleOf } from "../../support/deep.ts";
import { mergeTest } from "../../support/merge-test.ts";
import { type Rig, start } from "../support/rig.ts";
import {
  makeCompletedRun,
  makeRunShop,
  putProbe,
  type Row,
  tally,
  threeTests as tests,
  textOf,
  uuid,
} from "../support/run-rig.ts";

/** The same run serves all tests that only read. */
const shared = makeCompletedRun({ tests, withTwoRequests: true });

const failing = { match: "*", latencyMs: { p50: 50, p99: 200 }, errorRate: 1, capacity: null };

async function rows(path: string, rig?: Rig): Promise<readonly Row[]> {
  return await (rig ?? (await shared)).ok("GET", path);
}

describe("raw results", () => {
  it("are as many as the summary counts, with its failures and codes", async () => {
    const rig = await shared;
    const all = await rows("/executions/1/results");
    const { count, metrics } = await rig.ok("GET", "/executions/1/summary");
    const buckets = (name: string) => metrics.find((each: Row) => each["metricDef"] === name).metricValueMap;
    expect(all).toHaveLength(count);
    expect(count).toBeGreaterThan(100);
    expect(tally(all, "outcome")).toEqual(buckets("outcome"));
    expect(tally(all, "responseCode")).toEqual(buckets("responseCode"));
    expect(buckets("outcome").failure).toBeGreaterThan(0);
  });

  it("add up to the bytes and times of the summary", async () => {
    const rig = await shared;
    const all = await rows("/executions/1/results");
    const { metrics } = await rig.ok("GET", "/executions/1/summary");
    const sum = (name: string) => all.reduce((total, row) => total + Number(row[name]), 0);
    for (const { metricDef, metricType, metricValue, metricValueMap } of metrics.slice(0, 11)) {
      if (metricType === "Counter") expect(sum(metricDef), metricDef).toBe(metricValue);
      if (metricDef === "firstReceivedMs") expect(sum(metricDef)).toBeCloseTo(metricValueMap.sum, 2);
    }
  });

  it("stand in the order in which the requests ended", async () => {
    const times = (await rows("/executions/1/results")).map((row) => Number(row["timestamp"]));
    expect(times).toEqual([...times].sort((left, right) => left - right));
    expect(times[0]).toBeGreaterThan(Date.parse(start));
  });

  it("are split between the regions, with their names, runners and users", async () => {
    const all = await rows("/executions/1/results");
    const parts = [await rows("/executions/1/regions/1/results"), await rows("/executions/1/regions/2/results")];
    expect(parts.map((part) => tally(part, "regionName"))).toEqual([
      { "cloud-us-east-1": parts[0]!.length },
      { "cloud-eu-west-1": parts[1]!.length },
    ]);
    expect(parts.map((part) => Object.keys(tally(part, "globalClientIndex")))).toEqual([
      ["0", "1"],
      ["2", "3"],
    ]);
    expect(parts.map((part) => Object.keys(tally(part, "chunkId")))).toEqual([["1"], ["2"]]);
    expect(all).toHaveLength(parts[0]!.length + parts[1]!.length);
    const { regions } = await (await shared).ok("GET", "/executions/1");
    expect(new Set(all.map((row) => row["agent"]))).toEqual(
      new Set(regions.map((each: { chunks: readonly Row[] }) => each.chunks[0]!["agent"])),
    );
  });

  it("are split between the resources, which count them alike", async () => {
    const rig = await shared;
    const resources = await rig.ok("GET", "/executions/1/resources");
    for (const { id, name, count } of resources)
      expect(tally(await rows(`/executions/1/resources/${id}/results`), "resource")).toEqual({ [name]: count });
    expect(resources).toHaveLength(2);
  });

  it("have a thread for each user and a connection for each request, all UUIDs", async () => {
    const all = await rows("/executions/1/results");
    const connections = new Set(all.map((row) => String(row["connectionId"])));
    const threads = new Set(all.map((row) => `${row["globalClientIndex"]} ${row["threadId"]}`));
    expect(connections.size).toBe(all.length);
    expect(threads.size).toBe(4);
    for (const id of [...connections, ...threads].map((each) => each.split(" ").at(-1))) expect(id).toMatch(uuid);
  });

  it("grow at their end while the run goes on, and agree with the intervals that have closed", async () => {
    const rig = await makeRunShop();
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await rows("/executions/1/results", rig)).toEqual([]);
    await rig.service.advance(20_000);
    const early = await rows("/executions/1/results", rig);
    const { count } = await rig.ok("GET", "/executions/1/summary");
    expect(early).toHaveLength(count);
    await rig.service.advance(13_333);
    const later = await rows("/executions/1/results", rig);
    expect(later.slice(0, early.length)).toEqual(early);
    expect(later.length).toBeGreaterThan(early.length);
  });

  it("number users that were added after all planned ones", async () => {
    const rig = await makeRunShop();
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(20_000);
    await rig.ok("POST", "/executions/1/add-users", { concurrentClients: 1, regionId: 1 });
    await rig.service.advance(20_000);
    const parts = [
      await rows("/executions/1/regions/1/results", rig),
      await rows("/executions/1/regions/2/results", rig),
    ];
    expect(parts.map((part) => Object.keys(tally(part, "globalClientIndex")))).toEqual([
      ["0", "1", "4"],
      ["2", "3"],
    ]);
  });

  it("are none before the run has begun", async () => {
    const rig = await makeRunShop({ settings: { allocation: { afterMs: 60_000 } } });
    await rig.ok("POST", "/test-confs/1/executions");
    await putProbe(rig, 1, { tests });
    for (const path of ["results", "suite-results", "suite-summaries", "suite-errors"])
      expect(await rows(`/executions/1/${path}`, rig), path).toEqual([]);
  });

  it("of requests that fail have no content type and no bytes", async () => {
    const rig = await makeRunShop({
      conf: { iterations: 1, durationSecs: null },
      settings: { targets: [failing] },
    });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(10_000);
    const all = await rows("/executions/1/results", rig);
    expect(all).toHaveLength(4);
    expect(all[0]).toMatchObject({ outcome: "failure", responseCode: "500", httpContentType: null, bytesReceived: 0 });
  });

  mergeTest("are at most 100,000; the summary tells that there are more", async () => {
    const conf = { concurrentClients: 400, durationSecs: 300 };
    const rig = await makeCompletedRun({ withTwoRequests: true }, { conf, settings: { accountMaximum: 5_000 } });
    await rig.service.advance(300_000);
    const counts = {
      "results.csv": (text: string) => text.split("\r\n").length - 2,
      results: (text: string) => JSON.parse(text).length,
    };
    for (const [name, count] of sampleOf(Object.entries(counts)))
      expect(count(await textOf(rig, `/executions/1/${name}`)), name).toBe(100_000);
    expect((await rig.ok("GET", "/executions/1/summary")).count).toBeGreaterThan(110_000);
  });
});
