import type { recordingRoutes } from "../../api/recordings.ts";
import { type BuiltIn, type Handlers, RawReply, type Reply, WaitingReply } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { addBrowserLoad, addLoadedPage, endIfAsked, loadPage, pageAddress } from "../recordings/load-page.ts";
import { requireRunning, startRecording, stopRecording } from "../recordings/run-recording.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";
import { deleteObject } from "../rules/cascade.ts";
import { readName, refuseSibling } from "../rules/read-text.ts";
import type { RecordingRecord } from "../store/records/gateways.ts";
import { viewConfiguration } from "../views/configuration.ts";
import { viewGateway, viewPacket, viewRecording } from "../views/gateway.ts";
import type { View } from "../views/stamp.ts";

/** API 1, Recordings. */
export const recordingHandlers: Handlers<BuiltIn<typeof recordingRoutes>> = {
  "GET /gateways/:gatewayId/recordings": ({ params, query, scope }) => {
    const { id } = findObject(scope, "gateway", params.gatewayId);
    const rows = scope.store.where("recording", "gatewayId", id);
    return rows.map((row) => ({ ...viewRecording(row, scope), ...trafficOf(row, query, scope) }));
  },
  "GET /recordings/:id": ({ params, query, scope }) => {
    const row = findObject(scope, "recording", params.id);
    const view = { ...withGateway(row, scope), ...trafficOf(row, query, scope) };
    return query.includeTests ? { ...view, configurations: configurationsOf(row, scope) } : view;
  },
  "HEAD /recordings/:id": ({ params, scope }) => void findObject(scope, "recording", params.id),
  "GET /recordings/:id/traffic": ({ params, query, scope }) => {
    const { id } = findObject(scope, "recording", params.id);
    return packetsOf(id, query, scope);
  },
  "GET /recordings/:id/traffic/:connectionId": ({ params, query, scope }) => {
    const { id } = findObject(scope, "recording", params.id);
    const wanted = params.connectionId.toLowerCase();
    const packets = packetsOf(id, query, scope).filter((each) => each["connectionId"] === wanted);
    if (packets.length === 0) throw new Refusal(404, `recording ${id} has no connection ${params.connectionId}`);
    return packets;
  },
  "GET /recordings/:id/load": ({ params, query, scope }): Reply => {
    const row = findObject(scope, "recording", params.id);
    const { action, path = "", endRecording } = query;
    const address = pageAddress(row, path, scope);
    requireRunning(row);
    if (action === "http-get")
      return WaitingReply.of(
        () => loadPage(address, row, scope),
        (page, later) => {
          addLoadedPage(findObject(later, "recording", row.id), page, later);
          endIfAsked(row.id, endRecording, later);
          return done;
        },
      );
    addBrowserLoad(row, address, scope);
    endIfAsked(row.id, endRecording, scope);
    return done;
  },
  "POST /gateways/:gatewayId/recordings": ({ params, query, body, scope }) => {
    const gateway = findObject(scope, "gateway", params.gatewayId);
    const name = readName(body?.name ?? query.name, scope);
    scope.findings.check();
    refuseSibling(name, scope.store.where("recording", "gatewayId", gateway.id), scope);
    return withGateway(startRecording(gateway, name, scope), scope);
  },
  "PATCH /recordings/:id": ({ params, query, body, scope }) => {
    const former = findObject(scope, "recording", params.id);
    const given = body?.name === undefined ? query.name : body.name;
    const name = given === undefined ? former.name : readName(given, scope);
    scope.findings.check();
    return withGateway(scope.store.update("recording", former.id, { name }), scope);
  },
  "PATCH /recordings/:id/stop": ({ params, scope }) =>
    withGateway(stopRecording(findObject(scope, "recording", params.id), scope), scope),
  "DELETE /recordings/:id": ({ params, scope }) => {
    const row = findObject(scope, "recording", params.id);
    const view = withGateway(row, scope);
    deleteObject(scope, "recording", row.id);
    return view;
  },
};

const done = new RawReply("DONE", "text/plain; charset=utf-8");

function withGateway(row: RecordingRecord, scope: Scope): View {
  const gateway = scope.store.get("gateway", row.gatewayId);
  const flags = { up: false, down: false, includeKeys: true };
  return { ...viewRecording(row, scope), gateway: gateway ? viewGateway(gateway, flags, scope) : null };
}

/** The configurations that run the scenario of a recording (API 1, GET /recordings/:id: includeTests). */
function configurationsOf({ scriptId }: RecordingRecord, scope: Scope): readonly View[] {
  if (scriptId === undefined) return [];
  return scope.store
    .where("configuration", "scriptId", scriptId)
    .map((each) => viewConfiguration(each, { down: false, up: false }, scope));
}

interface TrafficFlags {
  readonly showTraffic: boolean;
  readonly includeData: boolean;
}

function trafficOf(row: RecordingRecord, flags: TrafficFlags, scope: Scope): View {
  return flags.showTraffic ? { traffic: packetsOf(row.id, flags, scope) } : {};
}

function packetsOf(id: number, flags: Pick<TrafficFlags, "includeData">, scope: Scope): readonly View[] {
  return scope.store.where("traffic", "recordingId", id).map((each) => viewPacket(each, flags, scope));
}
