import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/model/service-error.ts";
import { metricsOf, readMeasured } from "../../src/run/read-figures.ts";
import { literalApi } from "./run-bench.ts";

const missing = () => {
  throw new ServiceError("none", { route: "", method: "GET", path: "", arrival: "answered", status: 404 });
};
const count = { metricDef: "count", metricType: "Counter", metricUnits: "requests", metricValue: 7 };
const timing = {
  metricDef: { name: "firstReceivedMs", metricType: "Timing", metricUnits: "ms", namespace: "System" },
  metricValueMap: { count: 5, p50: 20, p95: "30" },
};

/** The figures of a service with this summary, where each metric is what it is asked for. */
function service(metrics: unknown, metric: (query: { ns: string; name: string }) => unknown = missing) {
  const asked: string[] = [];
  const api = literalApi({
    "GET /executions/:id/summary": metrics === undefined ? missing : { metrics },
    "GET /executions/:id/metric": ({ query }: { query: { ns: string; name: string } }) => {
      asked.push(`${query.ns}/${query.name}`);
      return metric(query);
    },
  });
  return { measured: readMeasured(api, 1), asked };
}

describe("a metric of an answer", () => {
  it.each([
    [
      "with text as its name",
      count,
      { namespace: "System", name: "count", type: "Counter", units: "requests", value: 7 },
    ],
    [
      "with an object",
      timing,
      { namespace: "System", name: "firstReceivedMs", type: "Timing", units: "ms", values: { count: 5, p50: 20 } },
    ],
    ["of a user", { ...count, namespace: "User" }, { namespace: "User", name: "count" }],
    ["whose value is text", { ...count, metricValue: "7" }, { name: "count", values: {} }],
    ["whose map is a list", { ...timing, metricValueMap: [1] }, { name: "firstReceivedMs", values: {} }],
    ["whose units are none", { ...count, metricUnits: null }, { units: "" }],
  ])("%s", (_, wire, expected) => expect(metricsOf([wire])).toMatchObject([expected]));

  it.each([
    ["without a name", { ...count, metricDef: null }],
    ["of another type", { ...count, metricType: "Gauge" }],
    ["that is none", 5],
    ["that is null", null],
  ])("%s is left out", (_, wire) => expect(metricsOf([wire as never, count])).toHaveLength(1));

  it.each([undefined, null, {}, "text"])("%o is no list of them", (list) =>
    expect(metricsOf(list as never)).toEqual([]),
  );
});

describe("a figure", () => {
  it("of the summary is not asked for", async () => {
    const { measured, asked } = service([count, timing]);
    const { figure, names } = await measured;
    expect(names).toEqual(["count", "firstReceivedMs"]);
    expect(await figure({ name: "Requests" }, false)).toEqual({ value: 7, unit: null });
    expect(await figure({ name: "firstReceivedMs", selector: "median" }, false)).toEqual({ value: 20, unit: "ms" });
    expect(asked).toEqual([]);
  });

  it("that the summary lacks is asked for once", async () => {
    const wide = { ...timing, metricValueMap: { count: 5, p90: 28 } };
    const { measured, asked } = service([count, timing], () => wide);
    const { figure } = await measured;
    const p90 = () => figure({ name: "Response Time", selector: "p90" }, false);
    expect(await p90()).toEqual({ value: 28, unit: "ms" });
    expect(await p90()).toEqual({ value: 28, unit: "ms" });
    expect(await figure({ name: "firstReceivedMs", selector: "p91" }, false)).toEqual({ value: null, unit: "ms" });
    expect(asked).toEqual(["System/firstReceivedMs"]);
  });

  it.each([
    [{ name: "cart" }, ["System/cart", "User/cart"]],
    [{ name: "Response Time" }, ["System/firstReceivedMs", "User/Response Time"]],
    [{ namespace: "User", name: "Response Time" }, ["User/Response Time"]],
    [{ namespace: "system", name: "COUNT" }, ["system/count"]],
  ])("%o that nobody knows was not measured", async (name, expected) => {
    const { measured, asked } = service(undefined);
    expect(await (await measured).figure(name, false)).toEqual({ value: null, unit: null });
    expect(asked).toEqual(expected);
  });

  it.each([null, 5, [], {}, { metricDef: 5 }])("asked for and answered with %o was not measured", async (answer) => {
    const { measured } = service([], () => answer);
    expect(await (await measured).figure({ name: "cart" }, false)).toEqual({ value: null, unit: null });
  });

  it("of a service that fails is no figure", async () => {
    const { measured } = service([], () => {
      throw new ServiceError("busy", { route: "", method: "GET", path: "", arrival: "answered", status: 500 });
    });
    await expect((await measured).figure({ name: "cart" }, false)).rejects.toThrow("busy");
  });
});
