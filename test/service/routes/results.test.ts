import { describe, expect, it } from "vitest";
import { fieldsOf, makeShop, start } from "../support/rig.ts";
import { execution, startedShop } from "../support/started-shop.ts";

const begun = Date.parse(start);

describe("intervals (API 2, Interval)", () => {
  it("are those of 10 seconds that have closed; advancing by one adds exactly one", async () => {
    const rig = await startedShop();
    const intervals = () => rig.ok("GET", "/executions/1/intervals");
    expect(await intervals()).toEqual([]);
    await rig.service.advance(9_999);
    expect(await intervals()).toHaveLength(0);
    await rig.service.advance(1);
    const first = await intervals();
    expect(first).toMatchObject([{ intervalStart: begun, timespan: 10, executionId: 1 }]);
    expect(await intervals()).toEqual(first);
    await rig.service.advance(10_000);
    expect(await intervals()).toEqual([first[0], expect.objectContaining({ intervalStart: begun + 10_000 })]);
  });

  it("add up to the summary", async () => {
    const rig = await startedShop();
    await rig.service.advance(3_600_000);
    const intervals = await rig.ok("GET", "/executions/1/intervals");
    const { summary } = await execution(rig);
    const sum = (name: string) =>
      intervals.reduce((total: number, each: Record<string, number>) => total + (each[name] ?? 0), 0);
    expect([sum("count"), sum("iterationsExecuted")]).toEqual([summary.count, summary.iterationsExecuted]);
  });

  it("are the latest N, or those since a moment", async () => {
    const rig = await startedShop();
    await rig.service.advance(60_000);
    const startsOf = async (query: string) =>
      (await rig.ok("GET", `/executions/1/intervals?${query}`)).map(
        (each: { intervalStart: number }) => (each.intervalStart - begun) / 1000,
      );
    expect(await startsOf("numIntervals=2")).toEqual([40, 50]);
    expect(await startsOf(`since=${begun + 30_000}`)).toEqual([30, 40, 50]);
    expect(await startsOf(`since=${begun + 30_000}&numIntervals=1`)).toEqual([50]);
    expect(await startsOf("numIntervals=0")).toEqual([]);
  });

  it("exist for each region", async () => {
    const providers = [{ providerId: 0, params: { regions: "cloud-us-east-1,cloud-eu-west-1", weight: "1,3" } }];
    const rig = await startedShop({ conf: { providers } });
    await rig.service.advance(3_600_000);
    const { regions, summary } = await execution(rig);
    const counts = await Promise.all(
      regions.map(async ({ id }: { id: number }) =>
        (await rig.ok("GET", `/executions/1/regions/${id}/intervals`)).reduce(
          (sum: number, each: { count: number }) => sum + each.count,
          0,
        ),
      ),
    );
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(summary.count);
    expect(counts).toEqual(regions.map((each: { summary: { count: number } }) => each.summary.count));
    expect((await rig.call("GET", "/executions/1/regions/99/intervals")).status).toBe(404);
  });
});

describe("summary and metric (API 1, Metric summary and metric)", () => {
  it("hold every metric of the system with its type and units", async () => {
    const rig = await startedShop();
    await rig.service.advance(60_000);
    const { metrics } = await rig.ok("GET", "/executions/1/summary");
    const types = Object.fromEntries(
      metrics.map((each: { metricDef: string; metricType: string }) => [each.metricDef, each.metricType]),
    );
    expect(types).toMatchObject({
      count: "Counter",
      outcome: "Histogram",
      responseCode: "Histogram",
      httpContentType: "Histogram",
      firstReceivedMs: "Timing",
      dnsLookupMs: "Timing",
      connectionOpenMs: "Timing",
      connectionCloseMs: "Timing",
      bytesSent: "Counter",
      bytesReceived: "Counter",
      bandwidth: "Counter",
      actualConcurrentClients: "Counter",
      maxConcurrentClients: "Counter",
      cpu: "Metered",
      memory: "Metered",
    });
  });

  it("are the same in the execution, at its summary route and by each metric's name", async () => {
    const rig = await startedShop();
    await rig.service.advance(3_600_000);
    const summary = await rig.ok("GET", "/executions/1/summary");
    expect((await execution(rig)).summary).toEqual(summary);
    for (const metric of summary.metrics)
      expect(
        await rig.ok("GET", `/executions/1/metric?ns=${metric.namespace}&name=${encodeURIComponent(metric.metricDef)}`),
      ).toEqual(metric);
  });

  it("of a timing have the documented keys", async () => {
    const rig = await startedShop();
    await rig.service.advance(60_000);
    const { metricValueMap } = await rig.ok("GET", "/executions/1/metric?ns=System&name=firstReceivedMs");
    expect(Object.keys(metricValueMap)).toEqual([
      "count",
      "mean",
      "min",
      "max",
      "sd",
      "var",
      "sum",
      "p50",
      "p95",
      "p99",
    ]);
    expect(metricValueMap.p50).toBeLessThan(metricValueMap.p95);
    expect(metricValueMap.p95).toBeLessThanOrEqual(metricValueMap.max);
  });

  it("of charts are found by name", async () => {
    const rig = await startedShop();
    await rig.service.advance(60_000);
    expect(await rig.ok("GET", "/executions/1/metric?name=outcome-success-percent")).toMatchObject({
      metricValue: 100,
    });
    expect((await rig.ok("GET", "/executions/1/metric?name=throughput")).metricValue).toBeGreaterThan(0);
    expect((await rig.ok("GET", "/executions/1/metric?name=peakRequestsPerSec")).metricValue).toBeGreaterThan(0);
  });

  it("of another name are 404 with those that there are; without a name 400", async () => {
    const rig = await startedShop();
    const missing = await rig.call("GET", "/executions/1/metric?name=nope");
    expect([missing.status, missing.body.message]).toEqual([404, expect.stringContaining("System/firstReceivedMs")]);
    expect(fieldsOf(await rig.call("GET", "/executions/1/metric"))).toEqual(["name"]);
  });

  it("of resources add up to the whole", async () => {
    const rig = await startedShop();
    await rig.service.advance(3_600_000);
    const resources = await rig.ok("GET", "/executions/1/resources");
    const { count } = await rig.ok("GET", "/executions/1/summary");
    expect(resources.reduce((sum: number, each: { count: number }) => sum + each.count, 0)).toBe(count);
    expect(await rig.ok("GET", `/executions/1/resources/${resources[0].id}`)).toEqual(resources[0]);
    expect((await rig.call("GET", "/executions/1/resources/99")).status).toBe(404);
  });
});

describe("evaluate-kpis (API 2, KPIs)", () => {
  it("evaluates given KPIs on a running and on a completed execution", async () => {
    const rig = await startedShop({
      settings: { targets: [{ match: "*", latencyMs: { p50: 100, p99: 100 }, errorRate: 0, capacity: null }] },
    });
    const kpis = [
      { expr: "Response Time[Median] < 300ms" },
      { expr: "Outcome[success] > 95%" },
      { expr: "count > 1e9" },
    ];
    const evaluate = () => rig.ok("POST", "/executions/1/evaluate-kpis", { kpis });
    expect(await evaluate()).toEqual({
      success: false,
      kpis: [
        { expr: kpis[0]?.expr, value: null, success: false },
        { expr: kpis[1]?.expr, value: null, success: false },
        { expr: kpis[2]?.expr, value: 0, success: false },
      ],
    });
    await rig.service.advance(60_000);
    expect(await evaluate()).toMatchObject({
      success: false,
      kpis: [{ value: 100, success: true }, { value: 100, success: true }, { success: false }],
    });
    await rig.service.advance(3_600_000);
    expect(await rig.ok("POST", "/executions/1/evaluate-kpis", { kpis: kpis.slice(0, 2) })).toMatchObject({
      success: true,
    });
  });

  it("evaluates the run's own without a body", async () => {
    expect(await (await startedShop()).ok("POST", "/executions/1/evaluate-kpis")).toEqual({ success: true, kpis: [] });
  });

  it("names the column of what cannot be read, all at once", async () => {
    const rig = await startedShop();
    const { status, body } = await rig.call("POST", "/executions/1/evaluate-kpis", {
      kpis: [{ expr: "count" }, { expr: "a > b" }],
    });
    expect([status, body.errors]).toEqual([
      400,
      [
        { field: "kpis[0].expr", message: expect.stringContaining("column 6: ") },
        { field: "kpis[1].expr", message: expect.stringContaining("column 5: ") },
      ],
    ]);
  });
});

describe("logs (API 2, Executions)", () => {
  it("are the probe iteration's lines, as JSON and as text of one line each", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/scripts/1", { main: "log.info('first'); log.error('second')" });
    await rig.ok("POST", "/test-confs/1/executions");
    expect(await rig.ok("GET", "/executions/1/logs")).toMatchObject([
      { level: "Info", message: "first", iteration: 0, globalClientIndex: 0 },
      { level: "Error", message: "second" },
    ]);
    const { body } = await rig.service.handle({
      method: "GET",
      path: "/executions/1/logs.txt",
      headers: { "x-api-key": "local" },
    });
    expect(String(body())).toMatch(
      /^2026-11-20T10:07:30\.\d{3}Z Info first\n2026-11-20T10:07:30\.\d{3}Z Error second\n$/,
    );
  });

  it("say why a script failed, and the run completes without success", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/scripts/1", { main: "throw new Error('no stock')" });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(60_000);
    expect(await rig.ok("GET", "/executions/1")).toMatchObject({ completed: true, success: false });
    expect(JSON.stringify(await rig.ok("GET", "/executions/1/logs"))).toContain("no stock");
    expect(await rig.ok("GET", "/executions/1/metric?name=outcome")).toMatchObject({
      metricValueMap: { success: 0, failure: 1 },
    });
  });

  it("hold no value of an encrypted parameter", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/scripts/1", {
      main: "log.info(params.token); http.get('http://shop.test/' + params.token)",
      paramsConfig: [{ name: "token", encrypted: true }],
    });
    await rig.ok("POST", "/test-confs/1/executions", { token: "canary" });
    expect(await rig.ok("GET", "/executions/1/logs")).toMatchObject([{ message: "***" }]);
    expect(JSON.stringify(rig.service.snapshot())).not.toContain("canary");
  });
});

describe("custom metrics (API 1, Metric definition)", () => {
  it("are reported by each iteration, and defined in their test case", async () => {
    const rig = await makeShop();
    await rig.ok("PUT", "/scripts/1", {
      main: "results().counter('orders', 2); results().timing('cart', 120); results().histogram('colour', 'red')",
    });
    await rig.ok("POST", "/test-confs/1/executions");
    await rig.service.advance(3_600_000);
    const { iterationsExecuted } = await rig.ok("GET", "/executions/1/summary");
    const metric = (name: string) => rig.ok("GET", `/executions/1/metric?ns=User&name=${name}`);
    expect(await metric("orders")).toMatchObject({ metricType: "Counter", metricValue: 2 * iterationsExecuted });
    expect(await metric("cart")).toMatchObject({ metricValueMap: { count: iterationsExecuted, p95: 120 } });
    expect(await metric("colour")).toMatchObject({ metricValueMap: { red: iterationsExecuted } });
    expect((await rig.ok("GET", "/test-cases/1")).metricDefs).toMatchObject([
      { id: 1, name: "orders", metricType: "Counter" },
      { id: 2, name: "cart", metricType: "Timing" },
      { id: 3, name: "colour", metricType: "Histogram" },
    ]);
  });
});
