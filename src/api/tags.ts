import { type RouteTable, stored } from "./descriptors.ts";

const answered = "Answers the deleted objects, and takes the tag off its carriers.";

/** API 2, Tag. */
export const tagShapes = {
  tag: { ...stored, name: "string", inherited: "boolean" },
  tagInfo: { id: "int!", tagId: "int", parentId: "int", tag: "@tag", matchCountInfo: "@matchCounts" },
  matchCounts: { total: "int", success: "int", failures: "int" },
} as const;

/** API 2, Tags. */
export const tagRoutes = {
  "GET /orgs/:orgId/tags": { section: "2 Tags", answer: "@tag[]" },
  "GET /orgs/:orgId/tag-info": {
    section: "2 Tags",
    query: { offset: "int=0", limit: "int=100", includeCounts: "boolean=false" },
    answer: "@tagInfo[]",
  },
  "HEAD /orgs/:orgId/tags/:tagId": { section: "1 conventions 4", answer: "none" },
  "DELETE /orgs/:orgId/tags/:tagId": { section: "2 Tags", answer: "@tag", decision: answered },
  "DELETE /orgs/:orgId/tags": { section: "2 Tags", body: "int[]!", answer: "@tag[]", decision: answered },
  "DELETE /orgs/:orgId/tags-byname/:tagName": {
    section: "2 Tags",
    params: { tagName: "string" },
    answer: "@tag",
    decision: answered,
  },
  "DELETE /orgs/:orgId/tags-byname": { section: "2 Tags", body: "string[]!", answer: "@tag[]", decision: answered },
} as const satisfies RouteTable;
