import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { GatewayKeyRecord, GatewayRecord, RecordingRecord, TrafficRecord } from "../store/records/gateways.ts";
import { testCaseReference, viewScenarioSummary } from "./scenario.ts";
import { stamp, type View } from "./stamp.ts";

/** Options of a gateway's view (API 1, Gateways: its test case with `up`, recordings with `down`). */
export interface GatewayFlags {
  readonly up: boolean;
  readonly down: boolean;
  readonly includeKeys: boolean;
}

/** API 1, Gateway and gateway key. */
export function viewGateway(row: GatewayRecord, flags: GatewayFlags, scope: Scope): View {
  const view: Record<string, JsonValue> = { ...stamp(row), name: row.name, gatewayType: "Http", active: row.active };
  if (flags.up) view["testCase"] = testCaseReference(row.testCaseId, scope);
  if (flags.includeKeys) view["keys"] = row.keys.map(viewGatewayKey);
  if (flags.down)
    view["recordings"] = scope.store.where("recording", "gatewayId", row.id).map((each) => viewRecording(each, scope));
  return view;
}

/** API 1, Gateway key. */
export function viewGatewayKey(row: GatewayKeyRecord): View {
  return { ...stamp(row), key: row.key, url: row.url, isPrimary: row.isPrimary };
}

/** API 1, Recording, without its gateway; `script` is the scenario that is made of it. */
export function viewRecording(row: RecordingRecord, scope: Scope): View {
  const script = row.scriptId === undefined ? undefined : scope.store.get("scenario", row.scriptId);
  return {
    ...stamp(row),
    name: row.name,
    running: row.running,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    limitBreached: row.limitBreached,
    active: true,
    trafficSizeBytes: row.trafficSizeBytes,
    trafficConnections: row.trafficConnections,
    script: script ? viewScenarioSummary(script) : null,
  };
}

/**
 * API 1, Traffic packet. DECISION (API 1, Traffic packet: packet data): `data` is the body in base64 and comes with
 * includeData, as do the true values of credentials and cookies among the headers, in the process that recorded them.
 */
export function viewPacket(row: TrafficRecord, { includeData }: { readonly includeData: boolean }, scope: Scope): View {
  const { recordingId: _, createdAt: __, updatedAt: ___, data, httpHeaders, ...packet } = row;
  const headers = includeData ? (scope.packets.headers.get(row) ?? httpHeaders) : httpHeaders;
  return { ...packet, protocol: "Http", httpHeaders: headers, ...(includeData ? { data } : {}) };
}
