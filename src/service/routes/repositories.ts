import type { repositoryRoutes } from "../../api/repositories.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import { findObject, findOrganization, openOrganizations } from "../rules/access.ts";
import { connectionTest } from "../rules/test-connection.ts";
import { writeVcsRoot } from "../rules/write-vcs-root.ts";
import type { VcsRootRecord } from "../store/records/repositories.ts";
import { present, stamp, type View } from "../views/stamp.ts";

/** API 1, Repositories. */
export const repositoryHandlers: Handlers<BuiltIn<typeof repositoryRoutes>> = {
  "GET /vcs-roots": ({ scope }) => {
    const open = openOrganizations(scope);
    return scope.store
      .all("vcsRoot")
      .filter((row) => open.has(row.organizationId))
      .map(viewVcsRoot);
  },
  "GET /orgs/:orgId/vcs-roots": ({ params, scope }) =>
    scope.store.where("vcsRoot", "organizationId", findOrganization(scope, params.orgId).id).map(viewVcsRoot),
  "GET /vcs-roots/:vcsRootId": ({ params, scope }) => viewVcsRoot(findObject(scope, "vcsRoot", params.vcsRootId)),
  "HEAD /vcs-roots/:vcsRootId": ({ params, scope }) => void findObject(scope, "vcsRoot", params.vcsRootId),
  "GET /vcs-root/:vcsRootId/refs": ({ params, scope }) =>
    connectionTest({}, findObject(scope, "vcsRoot", params.vcsRootId), scope),
  "POST /vcs-root/refs": ({ body, scope }) => connectionTest({ ...body }, undefined, scope),
  "POST /vcs-root/:vcsRootId/refs": ({ params, body, scope }) =>
    connectionTest({ ...body }, findObject(scope, "vcsRoot", params.vcsRootId), scope),
  "POST /orgs/:orgId/vcs-roots": ({ params, body, scope }) => {
    const { id } = findOrganization(scope, params.orgId);
    return viewVcsRoot(writeVcsRoot({ ...body }, { organizationId: id, former: undefined }, scope));
  },
  "PUT /vcs-roots/:vcsRootId": ({ params, body, scope }) => {
    const former = findObject(scope, "vcsRoot", params.vcsRootId);
    const { organizationId } = former;
    return viewVcsRoot(writeVcsRoot({ ...body }, { organizationId, former }, scope));
  },
  "DELETE /vcs-roots/:vcsRootId": ({ params, scope }) => {
    const row = findObject(scope, "vcsRoot", params.vcsRootId);
    scope.store.remove("vcsRoot", row.id);
    return viewVcsRoot(row);
  },
};

/** API 1, Repository: key contents and password are never returned; fields foreign to the variant are absent. */
function viewVcsRoot(row: VcsRootRecord): View {
  return {
    ...stamp(row),
    ...present({
      name: row.name,
      vcsType: row.vcsType,
      url: row.url,
      branch: row.branch,
      vcsAuthType: row.vcsAuthType,
      username: row.username ?? undefined,
      privateKeyName: row.privateKeyName ?? undefined,
    }),
  };
}
