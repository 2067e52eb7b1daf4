import { describe, expect, it } from "vitest";
import { runJunit } from "../../src/report/runs/run-junit.ts";
import type { RunProgress } from "../../src/run/follow-run.ts";
import { startRun } from "../support/start-run.ts";
import { kpi, noWorse, type RunBench, runBench, runOne } from "./run-bench.ts";

const nothing = { intervals: [], regions: [], resources: [], responseCodes: [], logLines: [] };
const asked = ({ rig }: RunBench, method: string, end: RegExp) =>
  rig.service.requests.filter((each) => each.method === method && end.test(each.path)).length;

describe("a run", () => {
  it("passes", async () => {
    const bench = await runBench();
    const { run } = await bench.run({ kpis: [kpi("Outcome[success] > 95%"), kpi("count > 100")] });
    expect(run).toMatchObject({
      ...{ gate: "release", execution: 1, verdict: "passed", reasons: [], warnings: [], simulated: true },
      kpis: [
        { ok: true, value: 100, unit: "%" },
        { ok: true, unit: null },
      ],
      summary: { usersPlanned: 5, usersPeak: 5, durationSecs: 180, failedPercent: 0 },
    });
    expect(run.summary.requests).toBeGreaterThan(100);
  });

  it("is asked for with less than one request every two seconds", async () => {
    const bench = await runBench({ fields: "durationSecs: 1200" });
    const before = bench.rig.service.requests.length;
    const { run } = await bench.run({
      kpis: [kpi("count > 1"), kpi("firstReceivedMs[p95] < 1s"), kpi("count > 1", { resource: "*" })],
    });
    const secs = run.summary.durationSecs ?? 0;
    expect(bench.rig.service.requests.length - before).toBeLessThanOrEqual(secs / 2 + 20);
  });

  it("fails by a KPI, and says what was measured", async () => {
    const bench = await runBench();
    const { run } = await bench.run({ kpis: [kpi("count < 10"), kpi("cuont > 1"), kpi("count > 1")] });
    expect(run.verdict).toBe("failed");
    expect(run.reasons).toEqual([
      `count < 10: it was ${run.summary.requests}`,
      expect.stringMatching(/^cuont > 1: cuont was not measured; measured were count, outcome/),
    ]);
  });

  it("gets its tags, whose refusal is a warning", async () => {
    const bench = await runBench();
    await bench.run({ tags: ["release-gate"] });
    const { tags } = await bench.api.call("GET /executions/:id", { params: { id: 1 } });
    expect(JSON.stringify(tags)).toContain("release-gate");
    await bench.rig.setFaults([{ method: "POST", path: "/executions/:id/tags", status: 500 }]);
    const { run } = await bench.run({ tags: ["release-gate"] });
    expect(run).toMatchObject({
      verdict: "passed",
      warnings: [expect.stringContaining("the tags release-gate were refused")],
    });
  });

  it("beside another one of its configuration warns of both", async () => {
    const bench = await runBench();
    await startRun(bench.rig, bench.configurationId);
    const { run } = await bench.run();
    expect(run.warnings).toEqual(["runs 2 and 1 of the configuration are under way at once"]);
  });

  it("that was not started is an error with the service's reason", async () => {
    const bench = await runBench();
    await bench.rig.setFaults([
      { method: "POST", path: "/test-confs/:confId/executions", status: 400, body: { message: "too many" } },
    ]);
    const details = await bench.run({ kpis: [kpi("count > 1")], noWorse: [noWorse("count", "-5%")] });
    expect(details.run).toMatchObject({
      verdict: "error",
      execution: null,
      reasons: [expect.stringContaining("too many")],
      kpis: [{ expr: "count > 1", value: null, ok: false }],
      noWorse: [{ metric: "count", value: null, ok: null }],
    });
    const junit = runJunit({ warnings: [], runs: [{ ...details, ...nothing }] });
    for (const name of ["count &gt; 1", "noWorse count"])
      expect(junit).toMatch(new RegExp(`name="${name}"[^>]*>\\s*<skipped>not judged: the verdict is error`));
    expect(await bench.ids()).toEqual([]);
  });

  it("whose configuration was deleted is an error", async () => {
    const bench = await runBench();
    await bench.api.call("DELETE /test-confs/:confId", { params: { confId: bench.configurationId } });
    expect((await bench.run()).run).toMatchObject({ verdict: "error", execution: null });
  });

  it("that somebody deletes is an error", async () => {
    const bench = await runBench();
    const remove = once(() => bench.api.call("DELETE /executions/:id", { params: { id: 1 } }));
    const { run } = await bench.run({}, { progress: (_, { elapsedSecs }) => void (elapsedSecs > 60 && remove()) });
    expect(run).toMatchObject({ verdict: "error", execution: 1, reasons: ["somebody deleted the run"] });
  });

  it("that somebody stops is stopped, and its figures are shown", async () => {
    const bench = await runBench();
    const stop = once(() => bench.api.call("PUT /executions/:id/stop", { params: { id: 1 } }));
    const { run } = await bench.run(
      { kpis: [kpi("count < 1")] },
      { progress: (_, { elapsedSecs }) => void (elapsedSecs > 60 && stop()) },
    );
    expect(run).toMatchObject({ verdict: "stopped", reasons: [expect.stringContaining("stopped before its end")] });
    expect(run.summary.requests).toBeGreaterThan(10);
  });

  it("that goes on after its time is left alone", async () => {
    const bench = await runBench();
    const { run } = await runOne(bench.request({ waitSecs: 60 }), bench.world());
    expect(run).toMatchObject({
      verdict: "unknown",
      execution: 1,
      simulated: true,
      reasons: [expect.stringContaining("after 60 s, and is still running")],
    });
    const flagged = await runOne(bench.request({ waitSecs: 60 }, { waitSecs: 30 }), bench.world());
    expect(flagged.run.reasons).toEqual([expect.stringContaining("after 30 s")]);
    expect(asked(bench, "PUT", /stop$/)).toBe(0);
  });

  it("that is simulated is waited for however long it takes", async () => {
    const bench = await runBench();
    const { run } = await runOne(bench.request({ waitSecs: 60 }), bench.world({ simulated: true }));
    expect(run.verdict).toBe("passed");
  });

  it("that is not waited for is only started", async () => {
    const bench = await runBench();
    const gate = { kpis: [kpi("count > 1", { breakOnFail: true })] };
    const { run } = await runOne(bench.request(gate, { noWait: true }), bench.world());
    expect(run).toMatchObject({
      verdict: "unknown",
      ...{ execution: 1, simulated: true },
      warnings: [expect.stringContaining("nobody stops the run when count > 1")],
    });
    expect(asked(bench, "GET", /executions\/1$/)).toBe(0);
  });

  it("that is interrupted is unknown", async () => {
    const bench = await runBench();
    const controller = new AbortController();
    const progress = (_: unknown, { elapsedSecs }: RunProgress) => void (elapsedSecs > 30 && controller.abort());
    const { run } = await bench.run({}, { signal: controller.signal, progress });
    expect(run).toMatchObject({ verdict: "unknown", execution: 1, reasons: [expect.stringContaining("interrupted")] });
  });
});

function once(work: () => Promise<unknown>): () => void {
  let isDone = false;
  return () => {
    if (!isDone) void work();
    isDone = true;
  };
}
