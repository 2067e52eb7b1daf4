import { describe, expect, it } from "vitest";
import type { Api } from "../../src/api/routes.ts";
import type { Connection } from "../../src/project/connect.ts";
import { withProject } from "../../src/project/connect.ts";
import { loadFolder } from "../../src/project/open-project.ts";
import { processSystem } from "../../src/project/system.ts";
import { createService } from "../../src/service/index.ts";
import { projectFolder, smallProject } from "../support/small-project.ts";

async function connected<T>(cwd: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const system = { ...processSystem(), env: { LOADFORM_API_KEY: "local" }, cwd };
  const project = await loadFolder({ dir: cwd, vars: {} }, system, "error");
  expect(project.diagnostics).toEqual([]);
  return withProject(project, { system }, ({ connection }) => use(connection));
}

/** A started run of a minute. */
async function startRun(api: Api): Promise<number> {
  const { id } = await api.call("POST /test-cases", { body: { name: "Checkout", org: 1 } });
  const params = { testCaseId: Number(id) };
  const script = await api.call("POST /test-cases/:testCaseId/scripts", { params, body: { name: "a", main: "1;" } });
  const load = { concurrentClients: 5, durationSecs: 60, rampupSecs: 0, providers: [{ providerId: 0, numRegions: 1 }] };
  const body = { name: "b", scriptId: Number(script.id), ...load };
  const made = await api.call("POST /test-cases/:testCaseId/confs", { params, body });
  const run = await api.call("POST /test-confs/:confId/executions", { params: { confId: Number(made.id) } });
  return Number(run.id);
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
