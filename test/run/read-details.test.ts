import { describe, expect, it } from "vitest";
import { bareDetails, detailsOf } from "../../src/run/read-details.ts";
import { runBench } from "./run-bench.ts";

const script = `const https = require("https");
https.get("https://shop.example.com/fails", (response) => response.resume());
log.error("no luck");
log.info("luck");`;

describe("the details of a run", () => {
  it("are its intervals, in all and by region, its resources and what it logged", async () => {
    const bench = await runBench({ script });
    const ended = await bench.run();
    const details = await detailsOf(bench.api, ended);
    const { requests } = ended.run.summary;
    const sum = (intervals: readonly { readonly requests: number | null }[]) =>
      intervals.reduce((all, each) => all + (each.requests ?? 0), 0);
    expect(sum(details.intervals)).toBe(requests);
    expect(details.intervals.map(({ at }) => at)).toEqual([...details.intervals.keys()].map((index) => index * 10_000));
    expect(details.regions).toMatchObject([{ name: "cloud-us-east-1" }]);
    expect(sum(details.regions[0]?.intervals ?? [])).toBe(requests);
    expect(details.resources).toMatchObject([
      { name: "GET https://shop.example.com/fails", requests, failedPercent: 0 },
    ]);
    expect(details.logLines).toEqual([{ level: "Error", message: "no luck", count: 1 }]);
    expect(details.run.warnings).toEqual([]);
  });

  it.each([
    ["intervals", "/executions/:id/intervals", "the intervals"],
    ["log", "/executions/:id/logs", "the log"],
    ["figures of a region", "/executions/:id/regions/:regionId/intervals", "cloud-us-east-1"],
    ["response codes", "/executions/:id/summary", "the response codes"],
  ])("lack the %s that cannot be read, saying so", async (_, path, what) => {
    const bench = await runBench();
    const ended = await bench.run();
    await bench.rig.setFaults([{ method: "GET", path, times: 100, status: 500 }]);
    const details = await detailsOf(bench.api, ended);
    expect(details.run).toMatchObject({ verdict: "passed", warnings: [`not read: ${what}`] });
  });

  it("of a run that was not started ask for nothing", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([{ method: "POST", path: "/test-confs/:confId/executions", status: 400 }]);
    const ended = await bench.run();
    const asked = bench.rig.service.requests.length;
    expect(await detailsOf(bench.api, ended)).toEqual(bareDetails(ended));
    expect(bench.rig.service.requests.length).toBe(asked);
  });
});
