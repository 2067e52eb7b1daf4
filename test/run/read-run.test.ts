import { describe, expect, it } from "vitest";
import { ServiceError } from "../../src/model/service-error.ts";
import { isPassing, listRuns, readRun, runsBefore, runsSince, runsUnderWay } from "../../src/run/read-run.ts";
import { literalApi, runBench } from "./run-bench.ts";

const answers = (answer: unknown, headers: Readonly<Record<string, string>> = {}) =>
  literalApi({
    "GET /executions/:id": (_: unknown, options: { answered: (headers: object) => void }) => {
      options.answered(headers);
      return answer;
    },
  });
const refusal = (status: number) =>
  new ServiceError("no", { route: "", method: "GET", path: "", arrival: "answered", status });

describe("a run", () => {
  it("of the bundled service is read as it is", async () => {
    const bench = await runBench();
    const id = await bench.complete();
    expect(await readRun(bench.api, id, true)).toMatchObject({
      ...{ id, completed: true, cancelled: false, success: true, summaryCalculated: true, simulated: true, tags: [] },
      load: { concurrentClients: 5, rampupSecs: 60 },
      regions: [{ name: "cloud-us-east-1" }],
      configuration: { id: bench.configurationId },
    });
    expect(await readRun(bench.api, 99)).toBeUndefined();
  });

  it.each([
    ["model", true],
    ["script", true],
    ["live", false],
  ])("of the engine %s is simulated: %s", async (engine, simulated) => {
    expect(await readRun(answers({ id: 7 }, { "x-loadform-engine": engine }), 7)).toMatchObject({ simulated });
  });

  it("whose answer names no engine is real", async () => {
    expect(await readRun(answers({ id: 7 }), 7)).toMatchObject({ simulated: false });
  });

  it("of other shapes is taken as far as it can be read", async () => {
    const wire = {
      completed: "yes",
      success: 1,
      tags: "a",
      regions: [{ id: 3 }, 5],
      startedAt: 12,
      concurrentClients: "5",
    };
    expect(await readRun(answers(wire), 7)).toMatchObject({
      ...{ id: 7, completed: false, success: undefined, tags: undefined, startedAt: undefined },
      ...{ regions: [{ id: 3, name: "region 3" }], load: { concurrentClients: undefined }, configuration: undefined },
    });
  });

  it.each([null, undefined, 5, "text", [], { id: 8 }, { id: "7" }])("is not what %o says", async (answer) => {
    const reading = readRun(answers(answer), 7);
    await expect(reading).rejects.toThrow("the answer about run 7");
    await reading.catch((problem: unknown) => expect(isPassing(problem)).toBe(true));
  });
});

it.each([
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [408, true],
  [429, true],
  [500, true],
  [503, true],
  [200, true],
])("status %i passes: %s", (status, passes) => expect(isPassing(refusal(status))).toBe(passes));

it("a defect is nothing that passes", () => expect(isPassing(new TypeError("x"))).toBe(false));

describe("the runs of a configuration", () => {
  const api = literalApi({
    "GET /test-confs/:confId/executions": ({ query }: { query: object }) =>
      "period" in query
        ? [{ id: 1, completed: false }, { id: 4 }, { id: 2, completed: true }]
        : [{ id: 1 }, {}, null, { id: 3 }],
  });
  it("are the newest first, without what is none", async () => {
    expect((await listRuns(api, 5)).map(({ id }) => id)).toEqual([3, 1]);
  });
  it("under way are those that have not completed", async () => {
    expect((await runsUnderWay(api, 5)).map(({ id }) => id)).toEqual([4, 1]);
  });
});

it("runs before one are asked for by its creation, and end before it", async () => {
  const asked: unknown[] = [];
  const call = async (_route: unknown, input: unknown) => {
    asked.push(input);
    return [5, 3, 4, 9].map((id) => ({ id }));
  };
  const createdAt = "2026-11-20T10:00:00.000Z";
  const run = { id: 5, createdAt } as Parameters<typeof runsBefore>[2];
  const before = await runsBefore({ call } as never, 7, run);
  expect(before.map(({ id }) => id)).toEqual([4, 3]);
  expect(asked).toMatchObject([{ params: { confId: 7 }, query: { end: Date.parse(createdAt), limit: 101 } }]);
});

it("all runs since a moment are found, however many they are", async () => {
  const bench = await runBench();
  const params = { confId: bench.configurationId };
  for (let run = 0; run < 105; run++)
    await bench.api.call("POST /test-confs/:confId/executions", { params, body: {} as never });
  expect(await listRuns(bench.api, bench.configurationId)).toHaveLength(100);
  const runs = await runsSince(bench.api, bench.configurationId, 0);
  expect(runs.map(({ id }) => id)).toEqual(Array.from({ length: 105 }, (_, index) => 105 - index));
  expect(await runsSince(bench.api, bench.configurationId, Date.parse("2999-01-01"))).toEqual([]);
});
