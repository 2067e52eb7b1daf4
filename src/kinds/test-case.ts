import { flag, text } from "../model/field.ts";
import { defineKind } from "../model/kind.ts";
import { objectName, readableName } from "./field-parts.ts";
import { type EncodedWrite, listedWires, none, read, write } from "./remote-calls.ts";

const rename = write("PUT /test-cases/:testCaseId", ({ id }) => ({ testCaseId: id }));
const upsert = write("POST /test-cases", none, ({ organization }: EncodedWrite) => ({ org: organization }));

/** API 1, Test case: the folder that everything else of one load test lives in. */
export const testCase = defineKind({
  name: "testCase",
  plural: "testCases",
  description: "A test case: the scenarios, configurations, gateways and data of one load test.",
  fields: {
    name: objectName("Name of the test case, unique within the account."),
    description: text({ description: "Its purpose, in Markdown.", examples: ["Buying path, **critical**"] }),
  },
  naturalKey: "parent",
  rules: [readableName],
  facts: { active: flag({ description: "Whether it can be used." }) },
  remote: {
    needs: ["name"],
    async list({ api, organization }) {
      const query = { down: true };
      const wires = await api.call("GET /orgs/:orgId/test-cases", { params: { orgId: organization }, query });
      return listedWires(wires, "test cases");
    },
    read: read("GET /test-cases/:testCaseId", (id) => ({
      params: { testCaseId: id },
      query: { down: true, deep: false, up: false, includeRunning: false },
    })),
    upserts: true,
    async namesake({ api, organization, body }) {
      const query = { down: false };
      const wires = await api.call("GET /orgs/:orgId/test-cases", { params: { orgId: organization }, query });
      return listedWires(wires, "test cases").find(({ name }) => name === body.name);
    },
    create: upsert,
    async update(of) {
      const { name, description } = of.body;
      const renamed = name === undefined ? { id: of.id } : await rename({ ...of, body: { name } });
      if (description === undefined) return renamed;
      return upsert({ ...of, body: { name: name ?? of.currentName, description } });
    },
    remove: ({ api, id }) => api.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: id } }),
  },
});
