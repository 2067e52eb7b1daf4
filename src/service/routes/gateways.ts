import type { gatewayRoutes } from "../../api/gateways.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import { findObject } from "../rules/access.ts";
import { deleteObject, touchParents } from "../rules/cascade.ts";
import { mintKey } from "../rules/gateway-keys.ts";
import { readName, readUrl, refuseSibling } from "../rules/read-text.ts";
import { viewGateway } from "../views/gateway.ts";

const written = { up: false, down: true, includeKeys: true } as const;

/** API 1, Gateways. */
export const gatewayHandlers: Handlers<BuiltIn<typeof gatewayRoutes>> = {
  "GET /test-cases/:testCaseId/gateways": ({ params, query, scope }) => {
    const { id } = findObject(scope, "testCase", params.testCaseId);
    return scope.store.where("gateway", "testCaseId", id).map((row) => viewGateway(row, query, scope));
  },
  "GET /gateways/:id": ({ params, query, scope }) => viewGateway(findObject(scope, "gateway", params.id), query, scope),
  "HEAD /gateways/:id": ({ params, scope }) => void findObject(scope, "gateway", params.id),
  "POST /test-cases/:testCaseId/gateways": ({ params, query, body, scope }) => {
    const { id } = findObject(scope, "testCase", params.testCaseId);
    const name = readName(body?.name ?? query.name, scope);
    const url = readUrl(body?.url ?? query.url, ["http:", "https:"], scope);
    scope.findings.check();
    refuseSibling(name, scope.store.where("gateway", "testCaseId", id), scope);
    // API 1, Gateways: a new gateway has one primary key.
    const keys = [mintKey(url, true, scope)];
    const row = scope.store.insert("gateway", { testCaseId: id, name, active: true, keys });
    touchParents(scope, "gateway", row);
    return viewGateway(row, written, scope);
  },
  "PATCH /gateways/:id": ({ params, query, body, scope }) => {
    const former = findObject(scope, "gateway", params.id);
    const given = body?.name === undefined ? query.name : body.name;
    const name = given === undefined ? former.name : readName(given, scope);
    scope.findings.check();
    refuseSibling(name, scope.store.where("gateway", "testCaseId", former.testCaseId), { ...scope, self: former.id });
    const row = scope.store.update("gateway", former.id, { name });
    touchParents(scope, "gateway", row);
    return viewGateway(row, written, scope);
  },
  "DELETE /gateways/:id": ({ params, scope }) => {
    const row = findObject(scope, "gateway", params.id);
    const view = viewGateway(row, written, scope);
    deleteObject(scope, "gateway", row.id);
    touchParents(scope, "gateway", row);
    return view;
  },
};
