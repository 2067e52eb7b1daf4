import { describe, expect, it } from "vitest";
import { plainGate } from "../../src/model/gates/gate.ts";
import { ServiceError } from "../../src/model/service-error.ts";
import { baselineProblem, findBaseline } from "../../src/run/find-baseline.ts";
import { readRun } from "../../src/run/read-run.ts";
import { kpi, literalApi, runBench } from "./run-bench.ts";

/** A run of a service; its only figures are its requests. */
interface Past {
  readonly id: number;
  readonly count?: number;
  readonly tags?: unknown;
  readonly more?: object;
}

/** The service of these runs, the newest first as it lists them. */
function serviceOf(runs: readonly Past[]) {
  const wire = ({ id, tags, more }: Past) => ({
    ...{ id, completed: true, cancelledByUser: false, concurrentClients: 5, rampupSecs: 60 },
    ...(tags !== undefined && { tags }),
    ...more,
  });
  const of = (input: { params: { id: number } }) => runs.find(({ id }) => id === input.params.id);
  return literalApi({
    "GET /test-confs/:confId/executions": [...runs].reverse().map(wire),
    "GET /executions/:id": (input: { params: { id: number } }) => {
      const run = of(input);
      return run && wire(run);
    },
    "GET /executions/:id/summary": (input: { params: { id: number } }) => ({
      metrics: [{ metricDef: "count", metricType: "Counter", metricValue: of(input)?.count ?? 100 }],
    }),
  });
}

async function baselineOf(runs: readonly Past[], gate: object = {}) {
  const api = serviceOf(runs);
  const state = await readRun(api, runs.at(-1)?.id ?? 0);
  if (state === undefined) throw new Error("there is no run");
  const found = await findBaseline(api, { state, configurationId: 1 }, { ...plainGate("a"), ...gate });
  return { ids: found.ids, warning: found.warning, count: await found.figure({ name: "count" }) };
}

describe("the previous run", () => {
  it.each<[string, Past[], number[]]>([
    ["is the newest before", [{ id: 1 }, { id: 2 }, { id: 3 }], [2]],
    ["is none that is later", [{ id: 5 }, { id: 4 }], []],
    ["has completed", [{ id: 1 }, { id: 2, more: { completed: false } }, { id: 3 }], [1]],
    ["was not cancelled", [{ id: 1 }, { id: 2, more: { cancelledByUser: true } }, { id: 3 }], [1]],
    ["did not fail", [{ id: 1 }, { id: 2, more: { success: false } }, { id: 3 }], [1]],
    ["may say nothing of success", [{ id: 1 }, { id: 2, more: { success: null } }, { id: 3 }], [2]],
    ["has as many users", [{ id: 1 }, { id: 2, more: { concurrentClients: 6 } }, { id: 3 }], [1]],
    ["has as many iterations", [{ id: 1 }, { id: 2, more: { iterations: 6 } }, { id: 3 }], [1]],
    ["has as long a ramp-up", [{ id: 1 }, { id: 2, more: { rampupSecs: 6 } }, { id: 3 }], [1]],
    ["has as long pauses", [{ id: 1 }, { id: 2, more: { iterationSleepSecs: 6 } }, { id: 3 }], [1]],
    ["met the gate's KPIs", [{ id: 1 }, { id: 2, count: 5 }, { id: 3 }], [1]],
    ["measured the minimum", [{ id: 1 }, { id: 2, count: 49 }, { id: 3 }], [1]],
    ["may be missing", [{ id: 3 }], []],
  ])("%s", async (_, runs, ids) => {
    const gate = { kpis: [kpi("count > 10")], minimumRequests: 50 };
    expect((await baselineOf(runs, gate)).ids).toEqual(ids);
  });

  it("is not judged by what the command line asks beside the gate", async () => {
    const kpis = [kpi("count > 10"), { ...kpi("count > 1000"), isAsked: true }];
    expect((await baselineOf([{ id: 1 }, { id: 2 }], { kpis })).ids).toEqual([1]);
  });
});

describe("the last runs", () => {
  const runs = [40, 10, 30, 20].map((count, index) => ({ id: index + 1, count }));
  it.each([
    [1, [4], 20, undefined],
    [2, [4, 3], 25, undefined],
    [3, [4, 3, 2], 20, undefined],
    [4, [4, 3, 2, 1], 25, undefined],
    [9, [4, 3, 2, 1], 25, "the baseline is the median of 4 instead of 9 runs"],
  ])("of %i", async (count, ids, median, warning) => {
    const found = await baselineOf([...runs, { id: 5 }], { baseline: { is: "last", count } });
    expect(found).toEqual({ ids, warning, count: median });
  });
});

describe("another baseline", () => {
  const tagged = [
    { id: 1, tags: ["a"] },
    { id: 2, tags: [{ name: "b" }, { id: 7, tag: { name: "c" } }] },
    { id: 3, tags: [] },
    { id: 4, tags: ["x"] },
  ];

  it.each([
    ["a", [1], undefined],
    ["b", [2], undefined],
    ["c", [2], undefined],
    ["d", [], "no earlier run that can be compared carries the tag d; there are the tags a, b, c"],
  ])("by the tag %s", async (tag, ids, warning) => {
    expect(await baselineOf(tagged, { baseline: { is: "tag", tag } })).toMatchObject({ ids, warning });
  });

  it("by a tag that only a run of another load has", async () => {
    const runs = [
      { id: 1, tags: ["a"], more: { concurrentClients: 9 } },
      { id: 2, tags: [] },
    ];
    expect(await baselineOf(runs, { baseline: { is: "tag", tag: "a" } })).toMatchObject({
      ...{ ids: [], warning: "no run with the tag a is earlier, came to its end and had the same load" },
    });
  });

  it("is a run by its id, whatever became of it", async () => {
    const runs = [{ id: 1, count: 5, more: { success: false, concurrentClients: 9 } }, { id: 2 }];
    const found = await baselineOf(runs, { baseline: { is: "execution", id: 1 }, kpis: [kpi("count > 10")] });
    expect(found).toMatchObject({ ids: [1], count: 5 });
  });

  it("is none", async () => {
    expect(await baselineOf([{ id: 1 }, { id: 2 }], { baseline: { is: "none" } })).toMatchObject({
      ids: [],
      count: undefined,
    });
  });
});

describe("before a start", () => {
  it.each([
    [{ is: "previous" } as const, undefined],
    [{ is: "execution", id: 2 } as const, undefined],
    [
      { is: "execution", id: 9 } as const,
      "the baseline is run 9, which the service does not have; the newest of the configuration are 2, 1",
    ],
    [
      { is: "tag", tag: "a" } as const,
      "the baseline is the newest run with the tag a, and runs do not tell their tags",
    ],
  ])("the baseline %o is known", async (baseline, expected) => {
    const bench = literalApi({
      "GET /test-confs/:confId/executions": [{ id: 1 }, { id: 2 }],
      "GET /executions/:id": ({ params }: { params: { id: number } }) => {
        if (params.id > 2) throw missing;
        return { id: params.id };
      },
    });
    expect(await baselineProblem(bench, 1, baseline)).toBe(expected);
  });

  it("a tag may be the first of its kind", async () => {
    const bench = await runBench();
    const tag = { is: "tag", tag: "new" } as const;
    expect(await baselineProblem(bench.api, bench.configurationId, tag)).toBeUndefined();
    await bench.complete();
    expect(await baselineProblem(bench.api, bench.configurationId, tag)).toBeUndefined();
  });
});

const missing = new ServiceError("none", { route: "", method: "GET", path: "", arrival: "answered", status: 404 });
