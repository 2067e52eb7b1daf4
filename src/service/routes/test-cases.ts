import type { testCaseRoutes } from "../../api/test-cases.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { scheduledEntries } from "../executions/scheduled-runs.ts";
import { findObject, findOrganization, openOrganizations } from "../rules/access.ts";
import { deleteObject, refuseInUse } from "../rules/cascade.ts";
import { copyTestCase } from "../rules/copy-test-case.ts";
import { namesakes, readName, refuseTaken } from "../rules/read-text.ts";
import { putTestCase } from "../rules/write-test-case.ts";
import type { TestCaseRecord } from "../store/records/scenarios.ts";
import { viewLastRun } from "../views/configuration.ts";
import { viewGatewayKey } from "../views/gateway.ts";
import { stamp, type View } from "../views/stamp.ts";
import { runningIn, viewTestCase } from "../views/test-case.ts";

const written = { down: true, deep: true, up: true, includeRunning: true } as const;

/** API 1, Test cases. */
export const testCaseHandlers: Handlers<BuiltIn<typeof testCaseRoutes>> = {
  "GET /test-cases": ({ query, scope }) => visible(scope).map((row) => viewTestCase(row, query, scope)),
  "GET /orgs/:orgId/test-cases": ({ params, query, scope }) => {
    const { id } = findOrganization(scope, params.orgId);
    return scope.store.where("testCase", "organizationId", id).map((row) => viewTestCase(row, query, scope));
  },
  "GET /test-cases/:testCaseId": ({ params, query, scope }) =>
    viewTestCase(findObject(scope, "testCase", params.testCaseId), query, scope),
  "HEAD /test-cases/:testCaseId": ({ params, scope }) => void findObject(scope, "testCase", params.testCaseId),
  "GET /new-summary": ({ query, scope }) => {
    const rows = visible(scope);
    return {
      testCases: rows.map((row) => summary(row, query.includeLatestExecution, scope)),
      running: rows.flatMap((row) => runningIn(row, scope)),
      scheduled: scheduledEntries(openOrganizations(scope), scope),
    };
  },
  "POST /test-cases": ({ body, scope }) => {
    const name = readName(body.name, scope);
    const organizationId = readOrganization(body.org, scope);
    scope.findings.check();
    return viewTestCase(putTestCase({ name, organizationId, description: body.description }, scope), written, scope);
  },
  "PUT /test-cases/:testCaseId": ({ params, body, scope }) => {
    const former = findObject(scope, "testCase", params.testCaseId);
    const name = body.name === undefined ? former.name : readName(body.name, scope);
    scope.findings.check();
    refuseTaken(name, namesakes(name, scope), { ...scope, self: former.id, origin: "documented" });
    return viewTestCase(scope.store.update("testCase", former.id, { name }), written, scope);
  },
  "DELETE /test-cases/:testCaseId": ({ params, scope }) => {
    const row = findObject(scope, "testCase", params.testCaseId);
    refuseUsedElsewhere(row, scope);
    const view = viewTestCase(row, written, scope);
    deleteObject(scope, "testCase", row.id);
    return view;
  },
  "POST /test-cases/:testCaseId/copy": ({ params, query, body, scope }) => {
    const source = findObject(scope, "testCase", params.testCaseId);
    const name = readName(body?.name ?? query.name, scope);
    const organizationId = readOrganization(
      body?.targetOrg ?? query.targetOrg ?? source.organizationId,
      scope,
      "targetOrg",
    );
    scope.findings.check();
    refuseTaken(name, namesakes(name, scope), scope);
    const { id, createdAt, updatedAt } = copyTestCase(source, { name, organizationId }, scope);
    return { id, createdAt, updatedAt, name };
  },
};

function visible(scope: Scope): readonly TestCaseRecord[] {
  const open = openOrganizations(scope);
  return scope.store.all("testCase").filter((row) => open.has(row.organizationId));
}

function readOrganization(value: number | null | undefined, scope: Scope, field = "org"): number {
  if (typeof value !== "number") return -1;
  if (scope.store.get("organization", value)) return findOrganization(scope, value).id;
  scope.findings.add(field, `found ${value}; expected the id of an organization of GET /login`);
  return -1;
}

/** DECISION (API 1, DELETE /test-cases/:testCaseId): a scenario that another test case's configuration runs holds its test case: 409. */
function refuseUsedElsewhere(row: TestCaseRecord, scope: Scope): void {
  for (const scenario of scope.store.where("scenario", "testCaseId", row.id)) {
    const users = scope.store.where("configuration", "scriptId", scenario.id);
    const elsewhere = users.filter((each) => each.testCaseId !== row.id);
    refuseInUse(`scenario ${scenario.id} of test case ${row.id}`, elsewhere, scope);
  }
}

/** API 1, Test case: the summary listing has the first gateway's key with its gateway. DECISION (API 1, GET /new-summary): the latest run is named as in the scheduled listing. */
function summary(row: TestCaseRecord, includeLatest: boolean, scope: Scope): View {
  const gateway = scope.store.where("gateway", "testCaseId", row.id)[0];
  const key = gateway?.keys[0];
  return {
    ...viewTestCase(row, { down: false, deep: false, up: false }, scope),
    ...(includeLatest ? viewLastRun(row.id, scope) : {}),
    firstGatewayKey:
      gateway && key ? { ...viewGatewayKey(key), gateway: { ...stamp(gateway), name: gateway.name } } : null,
  };
}
