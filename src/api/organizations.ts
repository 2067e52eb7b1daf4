import { type RouteTable, stored } from "./descriptors.ts";

const section = "2 Organizations and users";
const user = { user: "string" } as const;
const grant = "User grants answer {user, userRole}, role Regular by default.";
const granted = {
  section,
  params: user,
  body: { userRole: "string" },
  bodyOptional: true,
  answer: "@membership",
  decision: grant,
} as const;

/** API 2, Organization and User. */
export const organizationShapes = {
  organization: {
    ...stored,
    name: "string",
    email: "string",
    settings: "json",
    public: "boolean",
    shared: "boolean",
    active: "boolean",
    plan: "@plan",
    account: "@account",
    users: "@membership[]",
    testCases: "@testCase[]",
    tokens: "@shareLink[]",
    integrations: "json[]",
    triggers: "json[]",
    ipFilters: "json[]",
    hasLinkedOrgs: "boolean",
    todaySuccessHistory: "@successHour[]",
    yesterdaySuccessHistory: "@successHour[]",
    notifications: "json[]",
    includedFeatures: "json[]",
    excludedFeatures: "json[]",
  },
  organizationReference: { id: "int!" },
  organizationData: { data: "@organization" },
  organizationLink: { data: "@organization", _links: "json" },
  plan: { id: "int!", name: "string", price: "number", isPublic: "boolean", description: "string" },
  account: {
    id: "int!",
    balance: "number",
    balanceLimit: "number",
    balanceAlertSent: "boolean",
    limits: "json[]",
    paymentGateway: "string",
    gatewayId: "string",
    locked: "boolean",
    subscriptions: "json[]",
    currentInvoice: "json",
    primaryOrgId: "int",
    purchasedPlans: "json[]",
    allocations: "json[]",
    totalExecutions: "int",
    queuedExecutions: "int",
    totalQueuedTime: "int",
    failedQueuedExecutions: "int",
  },
  user: {
    ...stored,
    name: "string",
    email: "string",
    lastLoggedIn: "time",
    accessType: "string",
    confirmed: "boolean",
    active: "boolean",
    authSource: "string",
    authSubdomain: "string",
    hmac: "string",
    orgAssociations: "json[]",
  },
  membership: { user: "@user", userRole: "string" },
  login: { user: "@user", orgs: "@organizationData[]", sid: "string" },
} as const;

/** API 2, Organizations and users; API 1, Authentication. */
export const organizationRoutes = {
  "GET /login": {
    section: "1 Authentication",
    summary: "Who the key belongs to",
    answer: "@login",
    decision: "Answers {user, orgs: [{data: organization}], sid}.",
    keyQuery: "key",
  },
  "GET /orgs/:orgId": { section, query: { down: "boolean=true" }, answer: "@organizationData" },
  "GET /orgs/:orgId/users": { section, answer: "@membership[]" },
  "PUT /users/:user": {
    section,
    params: user,
    body: { name: "string", email: "string", oldPassword: "string", newPassword: "string" },
    answer: "@user",
  },
  "HEAD /users/:user": { section: "1 conventions 4", params: user, answer: "none" },
  "GET /users/:user/orgs": { section, params: user, answer: "@organizationLink[]" },
  "DELETE /users/:user": { section, params: user, answer: "none", status: 201 },
  "DELETE /orgs/:org/users/:user": { section, params: user, answer: "@membership", decision: grant },
  "DELETE /users/:user/orgs/:org": { section, params: user, answer: "@membership", decision: grant },
  "POST /orgs/:org/users/:user": granted,
  "POST /users/:user/orgs/:org": granted,
} as const satisfies RouteTable;
