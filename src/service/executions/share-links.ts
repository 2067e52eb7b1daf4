import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { findOrganization, owningOrganization } from "../rules/access.ts";
import type { ConfigurationRecord, ShareLinkRecord } from "../store/records/configurations.ts";
import type { ExecutionRecord } from "../store/records/executions.ts";
import { newestFirst } from "../views/configuration.ts";

/** The options of a share link in a body. */
export interface ShareInput {
  readonly dashboardId?: number | null;
  readonly tz?: string | null;
}

/** DECISION (API 1, POST /test-confs/:confId/share): a configuration has one link; sharing again changes its description. */
export function shareConfiguration(row: ConfigurationRecord, input: ShareInput, scope: Scope): ShareLinkRecord {
  const description = readDescription(input, scope);
  const { store } = scope;
  const known = store.where("shareLink", "configurationId", row.id).find((each) => each.executionId === null);
  if (known) return store.update("shareLink", known.id, { description });
  return makeLink({ configurationId: row.id, executionId: null, description }, scope);
}

/** DECISION (API 2, POST /orgs/:orgId/tokens): a link to one execution of that organization, with targetType Execution; sharing again changes its description. */
export function shareExecution(
  orgId: number,
  input: ShareInput & { readonly executionId?: number | null },
  scope: Scope,
): ShareLinkRecord {
  const organization = findOrganization(scope, orgId);
  const description = readDescription(input, scope);
  const { store } = scope;
  const row = store.get("execution", input.executionId ?? -1);
  if (row === undefined || owningOrganization(store, "execution", row) !== organization.id)
    throw notOf(organization.id, input.executionId);
  const { id: executionId, configurationId } = row;
  const known = store.where("shareLink", "executionId", executionId)[0];
  if (known) return store.update("shareLink", known.id, { description });
  return makeLink({ configurationId, executionId, description }, scope);
}

/** The execution that a link shows: its own, or the latest of its configuration; undefined while there is none. */
export function sharedExecution(
  name: string,
  { store }: Scope,
): { readonly link: ShareLinkRecord; readonly row: ExecutionRecord | undefined } {
  const link = store.where("shareLink", "name", name).find(({ active }) => active);
  if (link === undefined) throw new Refusal(404, "found no share link of this name; it may have been deleted");
  if (link.executionId !== null) return { link, row: store.get("execution", link.executionId) };
  return { link, row: newestFirst(store.where("execution", "configurationId", link.configurationId))[0] };
}

function notOf(organizationId: number, executionId: number | null | undefined): Refusal {
  const message = `found ${executionId}; expected an execution of organization ${organizationId}`;
  return new Refusal(400, `executionId: ${message}`, { errors: [{ field: "executionId", message }] });
}

function makeLink(
  link: Pick<ShareLinkRecord, "configurationId" | "executionId" | "description">,
  scope: Scope,
): ShareLinkRecord {
  const { store } = scope;
  const configuration = store.get("configuration", link.configurationId);
  const organizationId = store.get("testCase", configuration?.testCaseId ?? -1)?.organizationId ?? -1;
  const subject = link.executionId === null ? `${link.configurationId}` : `execution ${link.executionId}`;
  const name = scope.digest(`share link ${subject} ${store.takeId("shareToken")}`).slice(0, 24);
  return store.insert("shareLink", { organizationId, name, active: true, ...link });
}

function readDescription({ dashboardId, tz }: ShareInput, scope: Scope): string {
  const zone = tz ?? "UTC";
  if (!isTimeZone(zone)) scope.findings.add("tz", `found "${zone}"; expected an IANA time zone, such as Europe/Berlin`);
  scope.findings.check();
  return JSON.stringify({ dashboardId: dashboardId ?? null, tz: zone });
}

/** True for the name of an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
