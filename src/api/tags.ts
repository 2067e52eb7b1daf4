import type { RouteTable } from "./route-descriptor.ts";

const answered = "Answers the deleted objects, and takes the tag off its carriers.";

/** Seed 2, Tags. */
export const tagRoutes = {
  "GET /orgs/:orgId/tags": { seed: "2 Tags", answer: "@tag[]" },
  "GET /orgs/:orgId/tag-info": {
    seed: "2 Tags",
    query: { offset: "int=0", limit: "int=100", includeCounts: "boolean=false" },
    answer: "@tagInfo[]",
  },
  "DELETE /orgs/:orgId/tags/:tagId": { seed: "2 Tags", answer: "@tag", decision: answered },
  "DELETE /orgs/:orgId/tags": { seed: "2 Tags", body: "int[]!", answer: "@tag[]", decision: answered },
  "DELETE /orgs/:orgId/tags-byname/:tagName": {
    seed: "2 Tags",
    params: { tagName: "string" },
    answer: "@tag",
    decision: answered,
  },
  "DELETE /orgs/:orgId/tags-byname": { seed: "2 Tags", body: "string[]!", answer: "@tag[]", decision: answered },
} as const satisfies RouteTable;
