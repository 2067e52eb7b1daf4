import type { configurationRoutes } from "../../api/configurations.ts";
import { type BuiltIn, type Handlers, RawReply } from "../core/handlers.ts";
import { pageHistory } from "../executions/page-history.ts";
import { scheduledEntries } from "../executions/scheduled-runs.ts";
import { shareConfiguration } from "../executions/share-links.ts";
import { Refusal } from "../refusal.ts";
import { findObject, findOrganization, openOrganizations } from "../rules/access.ts";
import { deleteObject, touchParents } from "../rules/cascade.ts";
import { writeConfiguration } from "../rules/write-configuration.ts";
import { viewConfiguration } from "../views/configuration.ts";
import { viewShareLink } from "../views/organization.ts";
import { reportCsv, viewHistoric } from "../views/run-history.ts";
import type { reportHandlers } from "./reports.ts";

const written = { down: false, up: true } as const;

/** API 1, Test configurations. */
export const configurationHandlers: Handlers<
  Exclude<BuiltIn<typeof configurationRoutes>, keyof typeof reportHandlers>
> = {
  "GET /test-cases/:testCaseId/confs": ({ params, scope }) => {
    const { id } = findObject(scope, "testCase", params.testCaseId);
    return scope.store
      .where("configuration", "testCaseId", id)
      .map((row) => viewConfiguration(row, { down: false, up: false }, scope));
  },
  "GET /test-confs/:confId": ({ params, query, scope }) =>
    viewConfiguration(findObject(scope, "configuration", params.confId), query, scope),
  "HEAD /test-confs/:confId": ({ params, scope }) => void findObject(scope, "configuration", params.confId),
  "POST /test-cases/:testCaseId/confs": ({ params, body, scope }) => {
    const { id } = findObject(scope, "testCase", params.testCaseId);
    return viewConfiguration(
      writeConfiguration({ ...body }, { testCaseId: id, former: undefined }, scope),
      written,
      scope,
    );
  },
  "PUT /test-confs/:confId": ({ params, body, scope }) => {
    const former = findObject(scope, "configuration", params.confId);
    const { testCaseId } = former;
    return viewConfiguration(writeConfiguration({ ...body }, { testCaseId, former }, scope), written, scope);
  },
  "DELETE /test-confs/:confId": ({ params, scope }) => {
    const row = findObject(scope, "configuration", params.confId);
    const view = viewConfiguration(row, written, scope);
    deleteObject(scope, "configuration", row.id);
    touchParents(scope, "configuration", row);
    return view;
  },
  "HEAD /test-schedules/:scheduleId": ({ params, scope }) => void findObject(scope, "schedule", params.scheduleId),
  "PUT /test-schedules/:scheduleId": ({ params, body, scope }) => {
    const row = findObject(scope, "schedule", params.scheduleId);
    // DECISION (API 1, States: "schedule is recurring"): pausing a Single is 409.
    if (row.scheduleType !== "Recurring")
      throw new Refusal(
        409,
        `schedule ${row.id} is ${row.scheduleType}; expected a Recurring one: only those are paused and resumed`,
      );
    scope.store.update("schedule", row.id, { active: body.active === true });
    touchParents(scope, "schedule", row);
    return undefined;
  },
  "POST /test-confs/:confId/share": ({ params, body, scope }) =>
    viewShareLink(shareConfiguration(findObject(scope, "configuration", params.confId), body ?? {}, scope)),
  // DECISION (API 1, GET /test-confs/:confId/summary-history): newest first, of the executions up to maxExecutionId that ran in the region.
  "GET /test-confs/:confId/summary-history": ({ params, query, scope }) => {
    const { id } = findObject(scope, "configuration", params.confId);
    const rows = scope.store
      .where("execution", "configurationId", id)
      .filter((row) => row.id <= (query.maxExecutionId ?? Number.POSITIVE_INFINITY));
    const { region, down } = query;
    const inRegion = rows.filter(
      ({ regions }) => region === undefined || regions.some((each) => each.regionId === region),
    );
    return pageHistory(inRegion, query, scope.now).flatMap((row) => viewHistoric(row, { region, down }, scope) ?? []);
  },
  "GET /test-confs/:confId/report.csv": ({ params, query, scope }) => {
    const { id } = findObject(scope, "configuration", params.confId);
    const rows = pageHistory(scope.store.where("execution", "configurationId", id), query, scope.now);
    return new RawReply(reportCsv(rows, scope), "text/csv; charset=utf-8");
  },
  "GET /scheduled": ({ scope }) => scheduledEntries(openOrganizations(scope), scope),
  "GET /orgs/:orgId/scheduled": ({ params, scope }) =>
    scheduledEntries(new Set([findOrganization(scope, params.orgId).id]), scope),
};
