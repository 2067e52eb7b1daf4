import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ImportOutcome } from "../../src/import/import-files.ts";
import { type BenchOptions, type ImportBench, importBench } from "./import-bench.ts";
import type { Rig } from "./rig.ts";

/** A bench that is gone when the test is. */
export function bench(rig: Rig, options?: BenchOptions): ImportBench {
  const made = importBench(rig, options);
  onTestFinished(made.remove);
  return made;
}

/** A file of the project. */
export const textOf = ({ root }: ImportBench, path: string) => readFileSync(join(root, path), "utf8");

/** A test case that somebody made at the service. */
export const makeCase = (rig: Rig, name: string, description?: string) =>
  rig.outside.call("POST /test-cases", { body: { name, org: 1, ...(description && { description }) } });
/** A scenario of it. */
export const makeScript = (rig: Rig, testCaseId: number, body: Record<string, unknown>) =>
  rig.outside.call("POST /test-cases/:testCaseId/scripts", {
    params: { testCaseId },
    body: { main: "run()", ...body } as never,
  });
/** A configuration of it. */
export const makeConfiguration = (rig: Rig, testCaseId: number, body: Record<string, unknown>) =>
  rig.outside.call("POST /test-cases/:testCaseId/confs", {
    params: { testCaseId },
    body: {
      durationSecs: 60,
      concurrentClients: 5,
      providers: [{ providerId: 0, numRegions: 1, params: { regions: "cloud-us-east-1" } }],
      ...body,
    } as never,
  });

/** Plans without errors and without changes. */
export async function expectEmptyPlan(made: ImportBench, env: Readonly<Record<string, string>> = {}) {
  const { plan, diagnostics } = await made.plan(env);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(plan?.changes).toEqual([]);
}

/** Everything that an import had to say. */
export const warningsOf = ({ diagnostics }: ImportOutcome) =>
  diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);

/** A test case with a scenario, a configuration and a schedule. */
export async function shop(rig: Rig) {
  const { id } = await makeCase(rig, "Shop");
  const script = await makeScript(rig, id, { name: "browse" });
  const schedules = [{ scheduleType: "Single", nextScheduled: "2099-01-01T00:00:00Z" }];
  await makeConfiguration(rig, id, { name: "smoke", scriptId: script.id, schedules });
  return rig;
}

/** A gateway of a test case. */
export const makeGateway = (rig: Rig, testCaseId: number, name: string) =>
  rig.outside.call("POST /test-cases/:testCaseId/gateways", {
    params: { testCaseId },
    body: { name, url: "https://theirs.test" },
  });
/** A data store of a scenario. */
export const makeStore = (rig: Rig, id: number, name: string) =>
  rig.outside.call("POST /scripts/:id/data-stores/contents", {
    params: { id },
    body: { name, contents: Buffer.from("a,b\n1,2\n").toString("base64") } as never,
  });
