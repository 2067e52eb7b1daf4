import type { ServiceOptions } from "../../../src/service/index.ts";
import { grid, makeRig, type Rig } from "./rig.ts";

/** One target always takes a second, one bends at 100 users, one takes from 200 ms to 30 s. */
const targets = [
  { match: "GET http://one.test/*", latencyMs: { p50: 1000, p99: 1000 } },
  { match: "GET http://knee.test/*", latencyMs: { p50: 100, p99: 100 }, capacity: { users: 100, slope: 2 } },
  { match: "GET http://wide.test/*", latencyMs: { p50: 200, p99: 30_000 } },
  { match: "GET http://half.test/*", latencyMs: { p50: 100, p99: 100 }, errorRate: 0.5 },
];

/** Providers of these regions of the public grid. */
export function inRegions(...names: readonly string[]): readonly object[] {
  return [{ providerId: 0, params: { regions: names.map((name) => `cloud-${name}`).join(",") } }];
}

/** A service with configuration 1 that runs a script: one user and one iteration in one region, where nothing else is said. */
export async function scriptRig(main: string, conf: object = {}, options: ServiceOptions = {}): Promise<Rig> {
  const settings = { targets, ...options.settings } as NonNullable<ServiceOptions["settings"]>;
  const rig = await makeRig({ seed: "script", ...options, settings });
  await rig.ok("POST", "/test-cases", { name: "Case", org: 1 });
  await rig.ok("POST", "/test-cases/1/scripts", { name: "Script", main });
  const basis = "durationSecs" in conf || "profileType" in conf ? {} : { iterations: 1 };
  const body = { name: "Conf", scriptId: 1, concurrentClients: 1, rampupSecs: 0, providers: grid, ...basis, ...conf };
  await rig.ok("POST", "/test-cases/1/confs", body);
  return rig;
}

/** The same with execution 1, just started. */
export async function startedScript(main: string, conf?: object, options?: ServiceOptions): Promise<Rig> {
  const rig = await scriptRig(main, conf, options);
  await rig.ok("POST", "/test-confs/1/executions");
  return rig;
}

/** The same, run to its end. */
export async function finishedScript(main: string, conf?: object, options?: ServiceOptions): Promise<Rig> {
  const rig = await startedScript(main, conf, options);
  await rig.service.advance(3_600_000);
  return rig;
}

/** What was measured of a metric of a run: its value, or its map of values. */
export async function metricOf(rig: Rig, name: string, id = 1): ReturnType<Rig["ok"]> {
  const { metricValue, metricValueMap } = await rig.ok("GET", `/executions/${id}/metric?name=${name}`);
  return metricValueMap ?? metricValue;
}
