import type { RouteTable } from "./route-descriptor.ts";

const seed = "2 Organizations and users";
const user = { user: "string" } as const;
const grant = "User grants answer {user, userRole}, role Regular by default.";

/** Seed 2, Organizations and users; seed 1, Authentication. */
export const organizationRoutes = {
  "GET /login": {
    seed: "1 Authentication",
    summary: "Who the key belongs to",
    answer: "@login",
    decision: "Answers {user, orgs: [{data: organization}], sid}.",
  },
  "GET /orgs/:orgId": { seed, query: { down: "boolean=true" }, answer: "@organizationData" },
  "GET /orgs/:orgId/users": { seed, answer: "@membership[]" },
  "PUT /users/:user": {
    seed,
    params: user,
    body: { name: "string", email: "string", oldPassword: "string", newPassword: "string" },
    answer: "@user",
  },
  "GET /users/:user/orgs": { seed, params: user, answer: "@organizationLink[]" },
  "DELETE /users/:user": { seed, params: user, answer: "none", status: 201 },
  "DELETE /orgs/:org/users/:user": { seed, params: user, answer: "@membership", decision: grant },
  "DELETE /users/:user/orgs/:org": { seed, params: user, answer: "@membership", decision: grant },
  "POST /orgs/:org/users/:user": {
    seed,
    params: user,
    body: { userRole: "string" },
    bodyOptional: true,
    answer: "@membership",
    decision: grant,
  },
  "POST /users/:user/orgs/:org": {
    seed,
    params: user,
    body: { userRole: "string" },
    bodyOptional: true,
    answer: "@membership",
    decision: grant,
  },
} as const satisfies RouteTable;
