import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import type { GatewayRecord, RecordingRecord } from "../store/records/gateways.ts";
import { runningRecording } from "./record-traffic.ts";

/**
 * Begins a recording. DECISION (API 1, States: Recording, how it becomes running is not shown): creating it starts it, and one
 * at a time runs on a gateway: 409.
 */
export function startRecording(gateway: GatewayRecord, name: string, scope: Scope): RecordingRecord {
  const running = runningRecording(gateway.id, scope);
  if (running)
    throw new Refusal(409, `recording ${running.id} is running on this gateway; expected none: stop it first`);
  return scope.store.insert("recording", {
    gatewayId: gateway.id,
    name,
    running: true,
    startedAt: scope.store.now(),
    finishedAt: null,
    limitBreached: false,
    trafficSizeBytes: 0,
    trafficConnections: 0,
  });
}

/** Ends a recording. DECISION (API 1, States: Recording): a second stop is 200. */
export function stopRecording(row: RecordingRecord, { store }: Scope): RecordingRecord {
  return row.running ? store.update("recording", row.id, { running: false, finishedAt: store.now() }) : row;
}

/** A recording to which steps can be added: one that runs, else 409. */
export function requireRunning(row: RecordingRecord): void {
  if (!row.running)
    throw new Refusal(409, `recording ${row.id} is not running; expected one that runs: create another on its gateway`);
}
