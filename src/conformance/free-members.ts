import { volatileMembers } from "../api/shapes.ts";

/** Members that a service decides by itself: their types are compared, their values are not. */
const decided: Readonly<Record<string, readonly string[]>> = {
  testCase: ["active", "running", "metricDefs"],
  configuration: [
    ...["isTryItOut", "active", "testType", "hasChanged", "expectedActualConcurrentClientRatio", "executions"],
    ...["outputFileRetention", "outputFileMaxCount", "minCredits", "onlyCaptureFailure", "manualStart", "tokens"],
  ],
  schedule: ["nextScheduled", "active"],
  scheduledEntry: ["nextScheduled", "active"],
  scenario: ["startParameters"],
  dataStore: ["charset"],
  gateway: ["gatewayType", "active"],
  recording: ["active", "configurations"],
  provider: ["active", "metadata"],
  region: ["isPaidExternally", "isShared", "active"],
  organization: [
    ...["settings", "plan", "account", "users", "tokens", "integrations", "triggers", "ipFilters", "hasLinkedOrgs"],
    ...["todaySuccessHistory", "yesterdaySuccessHistory", "notifications", "includedFeatures", "excludedFeatures"],
    ...["public", "shared", "active", "email"],
  ],
  organizationLink: ["_links"],
  user: [
    ...["lastLoggedIn", "accessType", "confirmed", "active", "authSource", "authSubdomain", "hmac"],
    "orgAssociations",
  ],
  membership: ["userRole"],
  login: ["sid"],
  tagInfo: ["id", "tagId", "parentId", "matchCountInfo"],
  tag: ["inherited"],
};

const everywhere = "firstVersion";

/** True of a member whose value says nothing about how the service follows the documents. */
export function isFree(shape: string, member: string): boolean {
  if (member === everywhere || decided[shape]?.includes(member)) return true;
  const volatile: Readonly<Partial<Record<string, { readonly members: readonly string[] }>>> = volatileMembers;
  return volatile[shape]?.members.includes(member) ?? false;
}
