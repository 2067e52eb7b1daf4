import type { Rig } from "./rig.ts";

/** Longer than the runs of these tests. */
const hour = 3_600_000;

/** A run of a configuration that has only just started. */
export async function startRun(rig: Rig, confId = 1): Promise<void> {
  await rig.outside.call("POST /test-confs/:confId/executions", { params: { confId }, body: {} as never });
}

/** A run of a configuration that has completed. */
export async function completeRun(rig: Rig, confId = 1): Promise<void> {
  await startRun(rig, confId);
  await rig.service.advance(hour);
}
