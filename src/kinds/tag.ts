import { defineKind } from "../model/kind.ts";
import { objectName, readableName } from "./field-parts.ts";
import { listedWires } from "./remote-calls.ts";

/** API 2, Tag: a label of test results. Comes with the first scenario or run that carries it. */
export const tag = defineKind({
  name: "tag",
  plural: "tags",
  description: "A tag: a label of test results. It is pending until a scenario or a run carries it.",
  fields: { name: objectName("The label, unique in the organization. Cannot be renamed.") },
  naturalKey: "parent",
  rules: [readableName],
  createdByUse: true,
  remote: {
    list: async ({ api, organization }) =>
      listedWires(await api.call("GET /orgs/:orgId/tags", { params: { orgId: organization } }), "tags"),
    remove: ({ api, organization, id }) =>
      api.call("DELETE /orgs/:orgId/tags/:tagId", { params: { orgId: organization, tagId: id } }),
  },
});
