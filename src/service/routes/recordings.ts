import type { recordingRoutes } from "../../api/recordings.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { findObject } from "../rules/access.ts";
import { readName, refuseSibling } from "../rules/read-text.ts";
import type { RecordingRecord } from "../store/records/gateways.ts";
import { viewGateway, viewRecording } from "../views/gateway.ts";
import type { View } from "../views/stamp.ts";

/** API 1, Recordings, as stored objects; capturing traffic is not built yet. */
export const recordingHandlers: Handlers<BuiltIn<typeof recordingRoutes>> = {
  "GET /gateways/:gatewayId/recordings": ({ params, query, scope }) => {
    const { id } = findObject(scope, "gateway", params.gatewayId);
    return scope.store.where("recording", "gatewayId", id).map((row) => withTraffic(viewRecording(row), query));
  },
  "GET /recordings/:id": ({ params, query, scope }) => {
    const view = withTraffic(withGateway(findObject(scope, "recording", params.id), scope), query);
    return query.includeTests ? { ...view, configurations: [] } : view;
  },
  "HEAD /recordings/:id": ({ params, scope }) => void findObject(scope, "recording", params.id),
  "POST /gateways/:gatewayId/recordings": ({ params, query, body, scope }) => {
    const gateway = findObject(scope, "gateway", params.gatewayId);
    const name = readName(body?.name ?? query.name, scope);
    scope.findings.check();
    const siblings = scope.store.where("recording", "gatewayId", gateway.id);
    refuseSecond(siblings);
    refuseSibling(name, siblings, scope);
    const now = scope.store.now();
    const row = scope.store.insert("recording", {
      gatewayId: gateway.id,
      name,
      running: false,
      startedAt: now,
      finishedAt: now,
      limitBreached: false,
      trafficSizeBytes: 0,
      trafficConnections: 0,
    });
    return withGateway(row, scope);
  },
  "PATCH /recordings/:id": ({ params, query, body, scope }) => {
    const former = findObject(scope, "recording", params.id);
    const given = body?.name === undefined ? query.name : body.name;
    const name = given === undefined ? former.name : readName(given, scope);
    scope.findings.check();
    return withGateway(scope.store.update("recording", former.id, { name }), scope);
  },
  "PATCH /recordings/:id/stop": ({ params, scope }) => {
    const row = findObject(scope, "recording", params.id);
    // DECISION (API 1, States: Recording): a second stop is 200.
    if (!row.running) return withGateway(row, scope);
    return withGateway(
      scope.store.update("recording", row.id, { running: false, finishedAt: scope.store.now() }),
      scope,
    );
  },
  "DELETE /recordings/:id": ({ params, scope }) => {
    const row = findObject(scope, "recording", params.id);
    scope.store.remove("recording", row.id);
    return withGateway(row, scope);
  },
};

/** DECISION (API 1, States: Recording): one recording at a time runs on a gateway: 409. */
function refuseSecond(siblings: readonly RecordingRecord[]): void {
  const running = siblings.find((each) => each.running);
  if (running)
    throw new Refusal(409, `recording ${running.id} is running on this gateway; expected none: stop it first`);
}

function withGateway(row: RecordingRecord, scope: Scope): View {
  const gateway = scope.store.get("gateway", row.gatewayId);
  const flags = { up: false, down: false, includeKeys: true };
  return { ...viewRecording(row), gateway: gateway ? viewGateway(gateway, flags, scope) : null };
}

function withTraffic(view: View, { showTraffic }: { readonly showTraffic: boolean }): View {
  return showTraffic ? { ...view, traffic: [] } : view;
}
