import { text } from "../model/field.ts";
import type { Wire } from "../model/kind.ts";
import { defineKind } from "../model/kind.ts";
import { listedWires, objectName } from "./wire-parts.ts";

/** Seed 1, Test case: the folder that everything else of one load test lives in. */
export const testCase = defineKind({
  name: "testCase",
  plural: "testCases",
  description: "A test case: holds the scenarios, configurations, gateways and data of one load test.",
  fields: {
    name: objectName("Name of the test case, unique within the account."),
    description: text({
      description: "What the test case is for, in Markdown.",
      examples: ["Buying path, **critical**"],
    }),
  },
  naturalKey: "parent",
  facts: ["active"],
  remote: {
    needs: ["name"],
    async list({ api, organization, filtered }) {
      const wires = filtered
        ? await api.call("GET /orgs/:orgId/test-cases", { params: { orgId: organization }, query: { down: true } })
        : await api.call("GET /test-cases", { query: { down: true, up: true } });
      return listedWires(wires, "test cases");
    },
    async read({ api, id }) {
      const query = { down: true, deep: false, up: false, includeRunning: false };
      return (await api.call("GET /test-cases/:testCaseId", { params: { testCaseId: id }, query })) as Wire;
    },
    upserts: true,
    async namesake({ api, organization, body }) {
      const query = { down: false };
      const wires = await api.call("GET /orgs/:orgId/test-cases", { params: { orgId: organization }, query });
      return listedWires(wires, "test cases").find(({ name }) => name === body.name);
    },
    async create({ api, organization, body }) {
      return (await api.call("POST /test-cases", { body: { ...body, org: organization } as never })) as Wire;
    },
    async update({ api, organization, id, body, currentName }) {
      const { name, description } = body;
      let answer: Wire = { id };
      if (name !== undefined)
        answer = (await api.call("PUT /test-cases/:testCaseId", {
          params: { testCaseId: id },
          body: { name } as never,
        })) as Wire;
      if (description === undefined) return answer;
      const upsert = { name: name ?? currentName, org: organization, description };
      return (await api.call("POST /test-cases", { body: upsert as never })) as Wire;
    },
    remove({ api, id }) {
      return api.call("DELETE /test-cases/:testCaseId", { params: { testCaseId: id } });
    },
  },
});
