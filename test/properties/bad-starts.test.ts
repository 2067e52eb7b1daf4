import fc from "fast-check";
import { expect, test } from "vitest";
import type { Api } from "../../src/api/routes.ts";
import type { Verdict } from "../../src/run/run-document.ts";
import type { Fault } from "../../src/service/index.ts";
import { kpi, type RunBench, runBench, runOne } from "../run/run-bench.ts";
import { check } from "../support/deep.ts";

const start = { method: "POST", path: "/test-confs/:confId/executions" } as const;
const trouble: fc.Arbitrary<Partial<Fault>> = fc.oneof(
  fc.constantFrom<Partial<Fault>>(
    { drop: "before" },
    { drop: "after" },
    { truncate: 15 },
    { status: 200, body: "text" },
  ),
  fc.constantFrom<Partial<Fault>>({ status: 200, body: [] }, { status: 200, body: null }, { status: 204 }),
  fc.constantFrom<Partial<Fault>>({ status: 200, body: { id: 1, completed: true, createdAt: "2026-11-20T10:00:00Z" } }),
  fc.constantFrom(400, 404, 409, 429, 500, 502, 503).map((status) => ({ status })),
  fc.integer({ min: 0, max: 90_000 }).map((effectDelayMs) => ({ drop: "after" as const, effectDelayMs })),
);
const later = fc
  .record({
    path: fc.constantFrom(
      ...["/test-confs/:confId/executions", "/executions/:id", "/executions/:id", "/executions/:id/summary"],
      ...["/executions/:id/intervals", "/executions/:id/metric"],
    ),
    after: fc.integer({ min: 0, max: 12 }),
    times: fc.integer({ min: 1, max: 40 }),
    trouble,
  })
  .map(({ trouble: { effectDelayMs: _, ...fault }, ...rest }): Fault => ({ method: "GET", ...rest, ...fault }));

const cases = fc.record({
  /** A run of somebody else that has ended before. */
  hasPast: fc.boolean(),
  first: fc.oneof(fc.constantFrom(undefined, undefined, { drop: "after" as const }), trouble),
  faults: fc.oneof(fc.constant([]), fc.array(later, { maxLength: 3 })),
  /** Somebody stops or deletes the run in the middle. */
  meddling: fc.constantFrom("no", "no", "no", "PUT /executions/:id/stop", "DELETE /executions/:id"),
  /** The answer to the start is carried out twice. */
  isDoubled: fc.boolean(),
  expr: fc.constantFrom(
    "Outcome[success] > 95%",
    "count > 100",
    "count < 100",
    "firstReceivedMs[p90] < 1s",
    "User/x > 1",
  ),
  breakOnFail: fc.boolean(),
  script: fc.constantFrom(undefined, undefined, "fail();"),
});

/** A service that carries out a start twice. */
function doubling({ api, configurationId }: RunBench): Api {
  return {
    async call(route, input, options) {
      const first = await api.call(route, input, options);
      if (route !== "POST /test-confs/:confId/executions") return first;
      return api.call(route, { params: { confId: configurationId } } as never, options);
    },
  };
}

/** Whoever passed has ended by itself, and the service finds so too. */
async function expectPassed({ rig }: RunBench, execution: number | null, expr: string): Promise<void> {
  const params = { id: execution ?? 0 };
  const state = await rig.outside.call("GET /executions/:id", { params });
  expect(state).toMatchObject({ completed: true, cancelledByUser: false });
  const body = { kpis: [{ expr }, { expr: "count >= 1" }] };
  expect(await rig.outside.call("POST /executions/:id/evaluate-kpis", { params, body })).toMatchObject({
    success: true,
  });
}

/** One of a row of faults. */
const faultsOf = (first: Partial<Fault> | undefined, faults: readonly Fault[]): readonly Fault[] =>
  first === undefined ? faults : [{ ...start, ...first }, ...faults];

test("however a start ends: never two runs from one command, never a wrong passed", async () => {
  const seen: Partial<Record<Verdict, number>> = {};
  const property = fc.asyncProperty(
    cases,
    async ({ hasPast, first, faults, meddling, isDoubled, expr, breakOnFail, script }) => {
      const bench = await runBench(script === undefined ? {} : { script });
      const { rig } = bench;
      const isTwice = isDoubled && first === undefined;
      const past = hasPast ? [await bench.complete()] : [];
      const posts = () =>
        rig.service.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/executions"));
      const before = posts().length;
      await rig.setFaults(faultsOf(first, faults));
      let isMeddled = false;
      const meddle = (id: number) => {
        if (meddling === "no" || isMeddled) return;
        isMeddled = true;
        void rig.outside.call(meddling, { params: { id } }).catch(() => undefined);
      };
      const world = bench.world({
        progress: (_, { state, elapsedSecs }) => void (elapsedSecs > 40 && meddle(state.id)),
        ...(isTwice && { api: doubling(bench) }),
      });
      const asked = kpi(expr, { breakOnFail });
      const { run } = await runOne(bench.request({ kpis: [asked], waitSecs: 900 }), world);
      await rig.setFaults([]);
      await rig.service.advance(900_000);
      seen[run.verdict] = (seen[run.verdict] ?? 0) + 1;
      expect(posts().length - before).toBeLessThanOrEqual(isTwice ? 2 : 1);
      const made = (await bench.ids()).filter((id) => !past.includes(id));
      expect(made.length).toBeLessThanOrEqual(isTwice ? 2 : 1);
      if (run.execution !== null) expect(past).not.toContain(run.execution);
      if (run.verdict === "passed") await expectPassed(bench, run.execution, expr);
    },
  );
  const runs = await check("bad starts", property, { few: 90, deep: 300 });
  console.log(JSON.stringify(seen));
  expect(seen.passed).toBeGreaterThan(runs / 40);
  expect(Object.keys(seen).length).toBeGreaterThanOrEqual(3);
});
