import type { configurationRoutes } from "../../api/configurations.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { findObject, findOrganization, openOrganizations } from "../rules/access.ts";
import { deleteObject, touchParents } from "../rules/cascade.ts";
import { scheduledEntries } from "../rules/scheduled-runs.ts";
import { writeConfiguration } from "../rules/write-configuration.ts";
import type { ConfigurationRecord, ShareLinkRecord } from "../store/records/configurations.ts";
import { viewConfiguration, viewShareLink } from "../views/configuration.ts";

const written = { down: false, up: true } as const;

/** API 1, Test configurations. */
export const configurationHandlers: Handlers<BuiltIn<typeof configurationRoutes>> = {
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
      writeConfiguration({ ...body }, { testCaseId: id, former: undefined, scope }),
      written,
      scope,
    );
  },
  "PUT /test-confs/:confId": ({ params, body, scope }) => {
    const former = findObject(scope, "configuration", params.confId);
    const { testCaseId } = former;
    return viewConfiguration(writeConfiguration({ ...body }, { testCaseId, former, scope }), written, scope);
  },
  "DELETE /test-confs/:confId": ({ params, scope }) => {
    const row = findObject(scope, "configuration", params.confId);
    const view = viewConfiguration(row, written, scope);
    deleteObject(scope, "configuration", row.id);
    touchParents(scope, "configuration", row);
    return view;
  },
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
  "POST /test-confs/:confId/share": ({ params, body, scope }) => {
    const row = findObject(scope, "configuration", params.confId);
    const tz = body?.tz ?? "UTC";
    if (!isTimeZone(tz)) scope.findings.add("tz", `found "${tz}"; expected an IANA time zone, such as Europe/Berlin`);
    scope.findings.check();
    return viewShareLink(share(row, JSON.stringify({ dashboardId: body?.dashboardId ?? null, tz }), scope));
  },
  "GET /scheduled": ({ scope }) => scheduledEntries(openOrganizations(scope), scope),
  "GET /orgs/:orgId/scheduled": ({ params, scope }) =>
    scheduledEntries(new Set([findOrganization(scope, params.orgId).id]), scope),
};

/** DECISION (API 1, POST /test-confs/:confId/share): a configuration has one link; sharing again changes its description. */
function share(row: ConfigurationRecord, description: string, scope: Scope): ShareLinkRecord {
  const { store } = scope;
  const known = store.where("shareLink", "configurationId", row.id)[0];
  if (known) return store.update("shareLink", known.id, { description });
  const organizationId = store.get("testCase", row.testCaseId)?.organizationId ?? -1;
  const name = scope.digest(`share link ${row.id} ${store.takeId("shareToken")}`).slice(0, 24);
  return store.insert("shareLink", { organizationId, configurationId: row.id, name, description, active: true });
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
