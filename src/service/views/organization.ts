import type { JsonValue } from "../../api/routes.ts";
import type { Scope } from "../core/scope.ts";
import type { ShareLinkRecord } from "../store/records/configurations.ts";
import type { OrganizationRecord, UserRecord } from "../store/records/organizations.ts";
import { countOrganizationRuns, organizationHistory } from "./run-counts.ts";
import { stamp, type View } from "./stamp.ts";

/** API 1, Test case: the organization that comes with `up`. */
export function viewOrganizationBrief(id: number | undefined, scope: Scope): View | null {
  const row = id === undefined ? undefined : scope.store.get("organization", id);
  if (row === undefined) return null;
  return { id: row.id, name: row.name, email: row.email, public: row.public, active: row.active, plan: null };
}

/** API 2, Organization; full details with `down`. */
export function viewOrganization(row: OrganizationRecord, down: boolean, scope: Scope): View {
  const view: Record<string, JsonValue> = {
    ...stamp(row),
    name: row.name,
    email: row.email,
    settings: { ...row.settings },
    public: row.public,
    shared: row.shared,
    active: row.active,
  };
  return down ? { ...view, ...details(row, scope) } : view;
}

function details(row: OrganizationRecord, scope: Scope): View {
  const { store } = scope;
  return {
    account: account(row, scope),
    users: store.where("grant", "organizationId", row.id).map((grant) => viewMembership(grant, scope)),
    testCases: store
      .where("testCase", "organizationId", row.id)
      .map((each) => ({ ...stamp(each), name: each.name, active: each.active })),
    tokens: store.where("shareLink", "organizationId", row.id).map(viewShareLink),
    integrations: [],
    triggers: [],
    ipFilters: [],
    hasLinkedOrgs: false,
    ...organizationHistory(row.id, scope),
    notifications: [],
    includedFeatures: [],
    excludedFeatures: [],
  };
}

function account(row: OrganizationRecord, scope: Scope): View {
  return {
    id: row.id,
    balance: 0,
    balanceLimit: 0,
    balanceAlertSent: false,
    limits: [{ name: "concurrentClients", value: scope.settings.accountMaximum }],
    paymentGateway: null,
    gatewayId: null,
    locked: false,
    subscriptions: [],
    currentInvoice: null,
    primaryOrgId: row.id,
    purchasedPlans: [],
    allocations: [],
    ...countOrganizationRuns(row.id, scope),
  };
}

/** API 1, Share link. */
export function viewShareLink(row: ShareLinkRecord): View {
  return {
    ...stamp(row),
    name: row.name,
    targetType: row.executionId === null ? "GetLatestExecution" : "Execution",
    targetId: row.executionId ?? row.configurationId,
    description: row.description,
    active: row.active,
    organization: { id: row.organizationId },
  };
}

/** API 2, Organizations and users: `{user, userRole}`. */
export function viewMembership(grant: { readonly userId: number; readonly userRole: string }, scope: Scope): View {
  const user = scope.store.get("user", grant.userId);
  return { user: user ? viewUser(user, scope) : null, userRole: grant.userRole };
}

/** API 2, User. */
export function viewUser(row: UserRecord, scope: Scope): View {
  return {
    ...stamp(row),
    name: row.name,
    email: row.email,
    lastLoggedIn: row.lastLoggedIn,
    accessType: row.accessType,
    confirmed: row.confirmed,
    active: row.active,
    authSource: row.authSource,
    authSubdomain: null,
    hmac: null,
    orgAssociations: scope.store
      .where("grant", "userId", row.id)
      .map((grant) => ({ organizationId: grant.organizationId, userRole: grant.userRole })),
  };
}
