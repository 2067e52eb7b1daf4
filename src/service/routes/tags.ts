import type { tagRoutes } from "../../api/tags.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { findOrganization } from "../rules/access.ts";
import { deleteTag } from "../rules/tags.ts";
import type { TagRecord } from "../store/records/organizations.ts";
import { viewTag } from "../views/execution.ts";
import type { View } from "../views/stamp.ts";

/** API 2, Tags. */
export const tagHandlers: Handlers<BuiltIn<typeof tagRoutes>> = {
  "GET /orgs/:orgId/tags": ({ params, scope }) => tagsIn(params.orgId, scope).map(viewTag),
  "GET /orgs/:orgId/tag-info": ({ params, query, scope }) => {
    const start = Math.max(0, query.offset);
    const end = query.limit < 0 ? undefined : start + query.limit;
    return tagsIn(params.orgId, scope)
      .slice(start, end)
      .map((tag) => tagInfo(tag, query.includeCounts, scope));
  },
  "DELETE /orgs/:orgId/tags/:tagId": ({ params, scope }) =>
    remove([find(params.orgId, (tag) => tag.id === params.tagId, { scope, wanted: params.tagId })], scope)[0],
  "DELETE /orgs/:orgId/tags": ({ params, body, scope }) => {
    const wanted = body.map((id) => find(params.orgId, (tag) => tag.id === id, { scope, wanted: id }));
    return remove(wanted, scope);
  },
  "DELETE /orgs/:orgId/tags-byname/:tagName": ({ params, scope }) =>
    remove([find(params.orgId, (tag) => tag.name === params.tagName, { scope, wanted: params.tagName })], scope)[0],
  "DELETE /orgs/:orgId/tags-byname": ({ params, body, scope }) => {
    const wanted = body.map((name) => find(params.orgId, (tag) => tag.name === name, { scope, wanted: name }));
    return remove(wanted, scope);
  },
};

function tagsIn(organization: number, scope: Scope): readonly TagRecord[] {
  return scope.store.where("tag", "organizationId", findOrganization(scope, organization).id);
}

interface Wanted {
  readonly scope: Scope;
  readonly wanted: number | string;
}

function find(organization: number, is: (tag: TagRecord) => boolean, { scope, wanted }: Wanted): TagRecord {
  const tag = tagsIn(organization, scope).find(is);
  if (tag === undefined)
    throw new Refusal(
      404,
      `found no tag ${JSON.stringify(wanted)} in organization ${organization}; nothing was deleted`,
    );
  return tag;
}

/** DECISION (API 2, Tags: response not shown): the deleted objects are answered. */
function remove(tags: readonly TagRecord[], scope: Scope): readonly View[] {
  for (const tag of new Set(tags)) deleteTag(tag, scope);
  return tags.map(viewTag);
}

/** API 2, Tag info entry; counts are of the executions that carry the tag. */
function tagInfo(tag: TagRecord, counted: boolean, scope: Scope): View {
  const info = { id: tag.id, tagId: tag.id, parentId: null, tag: viewTag(tag) };
  if (!counted) return info;
  const runs = scope.store
    .where("testCase", "organizationId", tag.organizationId)
    .flatMap((testCase) => scope.store.where("configuration", "testCaseId", testCase.id))
    .flatMap((each) => scope.store.where("execution", "configurationId", each.id))
    .filter((run) => run.tags.includes(tag.name));
  const success = runs.filter((run) => run.success === true).length;
  const failures = runs.filter((run) => run.success === false).length;
  return { ...info, matchCountInfo: { total: runs.length, success, failures } };
}
