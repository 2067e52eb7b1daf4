import { describe, expect, it } from "vitest";
import type { Api } from "../../src/api/routes.ts";
import { ServiceError } from "../../src/model/service-error.ts";
import { startRun } from "../../src/run/start-run.ts";
import type { Fault } from "../../src/service/index.ts";
import { literalApi, type RunBench, runBench } from "./run-bench.ts";

const start: Pick<Fault, "method" | "path"> = { method: "POST", path: "/test-confs/:confId/executions" };
const list = { method: "GET", path: "/test-confs/:confId/executions" } as const;

const order = ({ configurationId }: Pick<RunBench, "configurationId">, signal = new AbortController().signal) => ({
  ...{ configurationId, params: { pace: "slow" }, timeoutMs: 30_000, signal },
});
const started = (bench: RunBench) => startRun(bench.api, bench.rig.system, order(bench));
const lost = (id: number) => ({ is: "started", id, warning: expect.stringContaining(`the only new run, ${id}`) });
const starts = ({ rig }: RunBench) =>
  rig.service.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/executions")).length;

describe("a start at the service", () => {
  it("sends the parameters as they are", async () => {
    const bench = await runBench();
    expect(await started(bench)).toEqual({ is: "started", id: 1, simulated: true });
    const { scriptParams } = await bench.api.call("GET /executions/:id", { params: { id: 1 } });
    expect(scriptParams).toContain("slow");
  });

  it.each<[string, Partial<Fault>, object, number]>([
    ["whose answer is lost", { drop: "after" }, lost(1), 1],
    ["that is lost itself", { drop: "before" }, { is: "in-doubt", reason: expect.stringContaining("no new run") }, 0],
    ["that takes effect late", { drop: "after", effectDelayMs: 20_000 }, lost(1), 1],
    ["that takes effect too late", { drop: "after", effectDelayMs: 60_000 }, { is: "in-doubt" }, 1],
    ["whose answer is cut", { truncate: 20 }, lost(1), 1],
    ["whose answer is empty", { status: 200, body: "" }, { is: "in-doubt" }, 0],
    ["whose answer has no id", { status: 200, body: { createdAt: "2026-11-20T10:00:00Z" } }, { is: "in-doubt" }, 0],
    ["whose id is text", { status: 200, body: { id: "7", createdAt: "2026-11-20T10:00:00Z" } }, { is: "in-doubt" }, 0],
    ["that is refused with 400", { status: 400 }, { is: "refused", reason: expect.stringContaining("400") }, 0],
    ["that is refused with 429", { status: 429, retryAfterSecs: 1 }, { is: "refused" }, 0],
    ["that is refused with 500", { status: 500 }, { is: "refused", reason: expect.stringContaining("500") }, 0],
    ["that is refused with 503", { status: 503, retryAfterSecs: 1 }, { is: "refused" }, 0],
  ])("%s", async (_, fault, expected, runs) => {
    const bench = await runBench();
    await bench.rig.setFaults([{ ...start, ...fault }]);
    expect(await started(bench)).toMatchObject(expected);
    await bench.rig.service.advance(120_000);
    expect([await bench.ids(), starts(bench)]).toMatchObject([{ length: runs }, 1]);
  });

  it("that is lost is looked for until 15 s after its time, every 2 s", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([{ ...start, drop: "before" }]);
    const before = bench.rig.system.now();
    await started(bench);
    expect(bench.rig.system.now() - before).toBe(45_000);
    expect(bench.rig.service.requests.filter(({ method }) => method === "GET").length).toBeGreaterThan(22);
  });

  it("is found although the runs cannot be listed for a while", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([
      { ...start, drop: "after" },
      { ...list, after: 1, times: 12, status: 500 },
    ]);
    expect(await started(bench)).toMatchObject(lost(1));
  });

  it("whose runs cannot be listed at all is in doubt, and says so", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([
      { ...start, drop: "after" },
      { ...list, after: 1, times: 1_000, status: 500 },
    ]);
    expect(await started(bench)).toMatchObject({
      is: "in-doubt",
      reason: expect.stringContaining("could not be listed"),
    });
  });
});

/** A service whose starts make these runs and answer that. */
function serviceWith(
  before: readonly unknown[],
  made: readonly unknown[],
  answer: () => unknown,
): Api & { calls: string[] } {
  let runs = [...before];
  return literalApi({
    "GET /test-confs/:confId/executions": () => runs,
    "POST /test-confs/:confId/executions": () => {
      runs = [...made, ...runs];
      return answer();
    },
  });
}

const clock = () => {
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  return { now: () => now, sleep };
};
const connectionLost = () => {
  throw new ServiceError("cut", { route: "", method: "POST", path: "", arrival: "maybe-done" });
};

describe("an answer that makes no sense", () => {
  it.each<[string, unknown[], unknown[], () => unknown, object]>([
    ["an old id", [{ id: 3 }, { id: 5 }], [{ id: 6 }], () => ({ id: 3 }), lost(6)],
    ["an id below the newest", [{ id: 5 }], [{ id: 6 }], () => ({ id: 4 }), lost(6)],
    ["an id that is text", [{ id: 5 }], [{ id: 6 }], () => ({ id: "6" }), lost(6)],
    ["an id with a fraction", [], [{ id: 6 }], () => ({ id: 6.5 }), lost(6)],
    ["a list", [], [{ id: 6 }], () => [{ id: 6 }], lost(6)],
    ["nothing", [], [{ id: 6 }], () => undefined, lost(6)],
    ["null", [], [{ id: 6 }], () => null, lost(6)],
    [
      "a start that was carried out twice",
      [],
      [{ id: 6 }, { id: 7 }],
      connectionLost,
      { is: "in-doubt", reason: expect.stringMatching(/6, 7|7, 6/) },
    ],
    ["entries without ids", [{ name: "x" }], [{ name: "y" }, { id: "8" }, { id: 6 }], connectionLost, lost(6)],
    ["entries that are none", [null, 5], ["a", { id: 6 }], connectionLost, lost(6)],
  ])("%s", async (_, before, made, answer, expected) => {
    const api = serviceWith(before, made, answer);
    expect(await startRun(api, clock(), order({ configurationId: 1 }))).toMatchObject(expected);
    expect(api.calls.filter((route) => route.startsWith("POST"))).toHaveLength(1);
  });

  it("a list of runs that is none starts nothing", async () => {
    const api = literalApi({ "GET /test-confs/:confId/executions": { total: 0 } });
    await expect(startRun(api, clock(), order({ configurationId: 1 }))).rejects.toThrow("is no list");
    expect(api.calls).toEqual(["GET /test-confs/:confId/executions"]);
  });
});

describe("a signal", () => {
  it("before a start sends nothing", async () => {
    const api = serviceWith([], [{ id: 6 }], () => ({ id: 6 }));
    const signal = AbortSignal.abort();
    expect(await startRun(api, clock(), order({ configurationId: 1 }, signal))).toMatchObject({ is: "refused" });
    expect(api.calls).toEqual(["GET /test-confs/:confId/executions"]);
  });

  it("during a start waits for its answer", async () => {
    const controller = new AbortController();
    const api = serviceWith([], [{ id: 6 }], () => {
      controller.abort();
      return { id: 6 };
    });
    expect(await startRun(api, clock(), order({ configurationId: 1 }, controller.signal))).toEqual({
      is: "started",
      id: 6,
      simulated: false,
    });
  });

  it("during a start that is not answered looks for its run after 3 s", async () => {
    const controller = new AbortController();
    const slept: number[] = [];
    const api = serviceWith([], [{ id: 6 }], () => {
      setTimeout(() => controller.abort());
      return new Promise(() => undefined);
    });
    const sleep = async (ms: number) => void slept.push(ms);
    const world = { now: () => 0, sleep };
    expect(await startRun(api, world, order({ configurationId: 1 }, controller.signal))).toMatchObject(lost(6));
    expect(slept).toEqual([3_000]);
  });
});
