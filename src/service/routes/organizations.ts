import type { organizationRoutes } from "../../api/organizations.ts";
import type { BuiltIn, Call, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import {
  changePassword,
  findOrganization,
  findUser,
  grantAccess,
  openOrganizations,
  readRole,
  revokeAccess,
} from "../rules/access.ts";
import { deleteObject } from "../rules/cascade.ts";
import { readName } from "../rules/read-text.ts";
import { viewMembership, viewOrganization, viewUser } from "../views/organization.ts";
import type { View } from "../views/stamp.ts";

/** API 2, Organizations and users; API 1, Authentication. */
export const organizationHandlers: Handlers<BuiltIn<typeof organizationRoutes>> = {
  "GET /login": ({ scope }) => {
    if (scope.user === undefined) throw new Refusal(401, "found no key; expected one in the header or the query");
    const orgs = [...openOrganizations(scope)].map((id) => ({
      data: viewOrganization(findOrganization(scope, id), false, scope),
    }));
    return { user: viewUser(scope.user, scope), orgs, sid: scope.session };
  },
  "GET /orgs/:orgId": ({ params, query, scope }) => ({
    data: viewOrganization(findOrganization(scope, params.orgId), query.down, scope),
  }),
  "GET /orgs/:orgId/users": ({ params, scope }) =>
    scope.store
      .where("grant", "organizationId", findOrganization(scope, params.orgId).id)
      .map((grant) => viewMembership(grant, scope)),
  "PUT /users/:user": ({ params, body, scope }) => {
    const user = findUser(params.user, scope);
    const name = body.name === undefined ? user.name : readName(body.name, scope);
    const email = body.email === undefined ? user.email : body.email;
    const secrets = changePassword(user, body, scope);
    scope.findings.check();
    return viewUser(scope.store.update("user", user.id, { name, email, ...secrets }), scope);
  },
  "HEAD /users/:user": ({ params, scope }) => void findUser(params.user, scope),
  "GET /users/:user/orgs": ({ params, scope }) => {
    const user = findUser(params.user, scope);
    return scope.store
      .where("grant", "userId", user.id)
      .flatMap((grant) => organizationLink(grant.organizationId, scope));
  },
  "DELETE /users/:user": ({ params, scope }) => {
    deleteObject(scope, "user", findUser(params.user, scope).id);
    return undefined;
  },
  "DELETE /orgs/:org/users/:user": ({ params, scope }) => revoke(params, scope),
  "DELETE /users/:user/orgs/:org": ({ params, scope }) => revoke(params, scope),
  "POST /orgs/:org/users/:user": ({ params, body, scope }) => grant(params, body?.userRole, scope),
  "POST /users/:user/orgs/:org": ({ params, body, scope }) => grant(params, body?.userRole, scope),
};

type Membership = Call<"POST /orgs/:org/users/:user">["params"];

function grant({ org, user }: Membership, role: string | null | undefined, scope: Scope): View {
  const organization = findOrganization(scope, org);
  const userRole = readRole(role, scope);
  scope.findings.check();
  return viewMembership(grantAccess(findUser(user, scope), organization, { userRole, scope }), scope);
}

function revoke({ org, user }: Membership, scope: Scope): View {
  const organization = findOrganization(scope, org);
  return viewMembership(revokeAccess(findUser(user, scope), organization, scope), scope);
}

/** API 2, GET /users/:user/orgs: `{data: organization, _links: {_self}}`. */
function organizationLink(id: number, scope: Scope): readonly View[] {
  const row = scope.store.get("organization", id);
  return row ? [{ data: viewOrganization(row, false, scope), _links: { _self: `/orgs/${id}` } }] : [];
}
