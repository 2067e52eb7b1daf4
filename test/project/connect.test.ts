import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Api } from "../../src/api/routes.ts";
import { type Connection, withProject } from "../../src/project/connect.ts";
import { loadFolder } from "../../src/project/open-project.ts";
import { processSystem } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { projectFolder, smallProject } from "../support/small-project.ts";

const shopTargets = "targets: [{ match: GET http://shop.test/*, latencyMs: { p50: 700, p99: 900 }, errorRate: 0.5 }]";

async function connected<T>(cwd: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const system = { ...processSystem(), env: { LOADFORM_API_KEY: "local" }, cwd };
  const project = await loadFolder({ dir: cwd, vars: {} }, system, { unsetEnv: "error" });
  expect(project.diagnostics).toEqual([]);
  return withProject(project, { system }, ({ connection }) => use(connection));
}

/** A started run of a minute. */
async function startRun(api: Api): Promise<number> {
  const { id } = await api.call("POST /test-cases", { body: { name: "Checkout", org: 1 } });
  const params = { testCaseId: Number(id) };
  const script = await api.call("POST /test-cases/:testCaseId/scripts", {
    params,
    body: { name: "a", main: 'http.get("http://shop.test/")' },
  });
  const load = { concurrentClients: 5, durationSecs: 60, rampupSecs: 0, providers: [{ providerId: 0, numRegions: 1 }] };
  const body = { name: "b", scriptId: Number(script.id), ...load };
  const made = await api.call("POST /test-cases/:testCaseId/confs", { params, body });
  return startAgain(api, Number(made.id));
}

async function startAgain(api: Api, confId = 1): Promise<number> {
  return Number((await api.call("POST /test-confs/:confId/executions", { params: { confId } })).id);
}

describe("a connection", () => {
  it("carries a run of memory:FILE through at once, and the next one finds it completed", async () => {
    const cwd = projectFolder();
    const id = await connected(cwd, async ({ api, advanceRun }) => {
      const run = await startRun(api);
      await advanceRun?.(run, 30_000);
      expect(await api.call("GET /executions/:id", { params: { id: run } })).toMatchObject({ running: true });
      await advanceRun?.(run, 60_000);
      return run;
    });
    const found = await connected(cwd, ({ api }) => api.call("GET /executions/:id", { params: { id } }));
    expect(found).toMatchObject({ completed: true, success: true, summaryCalculated: true });
    expect(Date.parse(String(found.finishedAt))).toBeGreaterThan(Date.now());
  });

  it("opens the bundled service with the targets of the project, as long as it has them", async () => {
    const cwd = projectFolder(smallProject.replace('service.json" }', `service.json", ${shopTargets} }`));
    const measured = (start: (api: Api) => Promise<number>) =>
      connected(cwd, async ({ api, advanceRun }) => {
        const id = await start(api);
        await advanceRun?.(id, 120_000);
        const body = { kpis: [{ expr: "firstReceivedMs[p50] > 0" }] };
        const { kpis } = await api.call("POST /executions/:id/evaluate-kpis", { params: { id }, body });
        return { id, p50: Number(kpis?.[0]?.value) };
      });
    const slow = await measured(startRun);
    expect(slow.p50).toBeGreaterThan(500);
    writeFileSync(join(cwd, "loadform.yaml"), smallProject);
    const again = await measured(async (api) => {
      expect(await api.call("GET /executions/:id", { params: { id: slow.id } })).toMatchObject({ completed: true });
      return startAgain(api);
    });
    expect(again.p50).toBeLessThan(100);
  });

  it("has nothing to carry runs through with at memory: and over HTTP", async () => {
    const service = createService();
    const { url } = await service.listen(0);
    for (const address of ["memory:", url]) {
      const cwd = projectFolder(smallProject.replace("memory:.loadform/service.json", address));
      const has = await connected(cwd, async (connection) => "advanceRun" in connection);
      expect([address, has]).toEqual([address, false]);
    }
    await service.close();
  });
});
