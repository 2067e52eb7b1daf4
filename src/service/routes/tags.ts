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
  "HEAD /orgs/:orgId/tags/:tagId": ({ params, scope }) => void findTag(params.orgId, params.tagId, scope),
  "DELETE /orgs/:orgId/tags/:tagId": ({ params, scope }) =>
    deleteTags([findTag(params.orgId, params.tagId, scope)], scope)[0],
  "DELETE /orgs/:orgId/tags": ({ params, body, scope }) => {
    const tags = body.map((id) => findTag(params.orgId, id, scope));
    return deleteTags(tags, scope);
  },
  "DELETE /orgs/:orgId/tags-byname/:tagName": ({ params, scope }) =>
    deleteTags([findTag(params.orgId, params.tagName, scope)], scope)[0],
  "DELETE /orgs/:orgId/tags-byname": ({ params, body, scope }) => {
    const tags = body.map((name) => findTag(params.orgId, name, scope));
    return deleteTags([...new Set(tags)], scope);
  },
};

function tagsIn(organization: number, scope: Scope): readonly TagRecord[] {
  return scope.store.where("tag", "organizationId", findOrganization(scope, organization).id);
}

/** A tag by its id, a number, or by its name, a text. */
function findTag(organization: number, wanted: number | string, scope: Scope): TagRecord {
  const tag = tagsIn(organization, scope).find(({ id, name }) => wanted === id || wanted === name);
  if (tag === undefined)
    throw new Refusal(
      404,
      `found no tag ${JSON.stringify(wanted)} in organization ${organization}; nothing was deleted`,
    );
  return tag;
}

/** DECISION (API 2, Tags: response not shown): the deleted objects are answered. */
function deleteTags(tags: readonly TagRecord[], scope: Scope): readonly View[] {
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
