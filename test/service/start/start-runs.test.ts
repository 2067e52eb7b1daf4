import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "../support/rig.ts";
import { execution, stateOf } from "../support/started-shop.ts";

/** A run that a form has started, by its fields. */
async function started(fields: Readonly<Record<string, string>>): Promise<Rig> {
  const rig = await makeRig();
  const form = new FormData();
  form.set("code", new Blob(["http.get('http://shop.test/')"]), "main.js");
  const all = { concurrent_users: "10", duration_mins: "2", ...fields };
  for (const [name, value] of Object.entries(all)) form.set(name, value);
  const answer = await rig.service.fetch("/start", { method: "POST", headers: { "x-api-key": "local" }, body: form });
  expect([answer.status, await answer.text()]).toEqual([200, "1"]);
  return rig;
}

describe("POST /start starts an execution that lives as any other", () => {
  it("at once", async () => {
    const rig = await started({});
    expect(await stateOf(rig)).toEqual([true, true, false]);
    await rig.service.advance(3_600_000);
    expect(await execution(rig)).toMatchObject({ completed: true, success: true, concurrentClients: 10 });
  });

  it("manual_start: allocated, and waiting until it is started", async () => {
    const rig = await started({ manual_start: "true" });
    expect(await stateOf(rig)).toEqual([true, false, false]);
    await rig.service.advance(60_000);
    expect(await rig.ok("PUT", "/executions/1/manual-start")).toMatchObject({
      running: true,
      startedAt: "2026-11-20T10:08:30.000Z",
    });
    expect((await rig.call("PUT", "/executions/1/manual-start")).status).toBe(409);
  });

  it("manual_start: a stop while it waits completes it", async () => {
    const rig = await started({ manual_start: "true" });
    expect(await rig.ok("PUT", "/executions/1/stop")).toMatchObject({
      ...{ completed: true, cancelledByUser: true, allocated: true },
    });
    expect((await rig.call("PUT", "/executions/1/manual-start")).status).toBe(409);
  });

  it("kpis decide about success", async () => {
    const rig = await started({ "kpis[0].expr": "Outcome[success] > 95%", "kpis[1].expr": "count > 1e9" });
    await rig.service.advance(3_600_000);
    expect(await execution(rig)).toMatchObject({ completed: true, success: false });
    expect(await rig.ok("POST", "/executions/1/evaluate-kpis")).toMatchObject({
      success: false,
      kpis: [{ success: true }, { success: false }],
    });
  });

  it("kpis[*].break_on_fail ends the run after its first minute", async () => {
    const rig = await started({ "kpis[0].expr": "count > 1e9", "kpis[0].break_on_fail": "true" });
    await rig.service.advance(3_600_000);
    const done = await execution(rig);
    expect(done).toMatchObject({ completed: true, success: false, cancelledByUser: false });
    expect(Date.parse(done.finishedAt) - Date.parse(done.startedAt)).toBeLessThan(62_000);
  });

  it("kpis that cannot be read are 400 with their column", async () => {
    const rig = await makeRig();
    const form = new FormData();
    form.set("code", new Blob(["1"]), "main.js");
    form.set("kpis[0].expr", "count >");
    form.set("iterations", "1");
    const answer = await rig.service.fetch("/start", { method: "POST", headers: { "x-api-key": "local" }, body: form });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: [{ field: "kpis[0].expr", message: expect.stringContaining("column 8: ") }],
      }),
    ]);
  });

  it("percentiles are told beside the documented ones", async () => {
    const rig = await started({ percentiles: "90, 99.9" });
    await rig.service.advance(3_600_000);
    const { metricValueMap } = await rig.ok("GET", "/executions/1/metric?name=firstReceivedMs");
    expect(Object.keys(metricValueMap).slice(-5)).toEqual(["p50", "p95", "p99", "p90", "p99.9"]);
  });

  it("results_tags are the execution's beside its scenario's", async () => {
    expect((await execution(await started({ results_tags: "a, b" }))).tags).toMatchObject([
      { name: "a" },
      { name: "b" },
    ]);
  });

  it("max_duration_mins stops it hard", async () => {
    const rig = await started({ duration_mins: "30", max_duration_mins: "1" });
    await rig.service.advance(3_600_000);
    const done = await execution(rig);
    expect(Date.parse(done.finishedAt) - Date.parse(done.startedAt)).toBeLessThan(62_000);
  });

  it("note is found by a search", async () => {
    const rig = await started({ note: "after the move" });
    expect(await rig.ok("POST", "/search", { query: "MOVE" })).toMatchObject({ total: 1 });
  });

  it("X-Loadform-Engine names who carries it out; another word is 400", async () => {
    const rig = await makeRig();
    const form = new FormData();
    form.set("code", new Blob(["1"]), "main.js");
    form.set("iterations", "1");
    const headers = { "x-api-key": "local", "x-loadform-engine": "magic" };
    const answer = await rig.service.fetch("/start", { method: "POST", headers, body: form });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("expected model, script, live");
  });
});
