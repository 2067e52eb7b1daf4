import type { Rig } from "./rig.ts";

/** A run of the first configuration that has only just started. */
export async function startRun(rig: Rig): Promise<void> {
  await rig.outside.call("POST /test-confs/:confId/executions", { params: { confId: 1 }, body: {} as never });
  setRunning(rig);
}

/** Every run that there was is under way again, at once. */
export function setRunning({ service }: Pick<Rig, "service">): void {
  const snapshot = service.snapshot();
  const running = { running: true, completed: false, finishedAt: null, summaryCalculated: false };
  const execution = (snapshot.tables["execution"] ?? []).map((each) => ({ ...(each as object), ...running }));
  service.restore({ ...snapshot, tables: { ...snapshot.tables, execution } } as typeof snapshot);
}
