import { text } from "../model/field.ts";
import type { JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { Wire } from "../model/kind.ts";
import { defineKind } from "../model/kind.ts";
import { childList, listedWires, objectName } from "./wire-parts.ts";

/** Seed 1, Data store: a file (mostly CSV) that a scenario reads. */
export const dataStore = defineKind({
  name: "dataStore",
  plural: "dataStores",
  parent: "scenario",
  description: "A data store: a file, mostly CSV, whose rows a scenario reads. Bytes are kept exactly.",
  fields: {
    name: objectName("File name; its extension decides the type. Unique within the scenario."),
    contents: text({
      description: "The file's contents, usually a file of the project read as bytes.",
      examples: [`\${file:data/users.csv}`],
      content: "bytes",
      required: true,
      wire: { read: () => undefined },
    }),
  },
  naturalKey: "parent",
  seen: ["size", "numRows", "headers", "updatedAt"],
  facts: ["numRows", "size"],
  remote: {
    within: (scenario, testCase) => childList("dataStores")(scenario) ?? (testCase && ownStores(scenario, testCase)),
    async read({ api, id }) {
      return (await api.call("GET /data-stores/:id", { params: { id }, query: { down: true, up: true } })) as Wire;
    },
    async download({ api, id }) {
      return (await api.call("GET /data-stores/:id/download", { params: { id } })) as Uint8Array;
    },
    async namesake({ api, parentId, body }) {
      const query = { down: false, up: false, includeRows: false };
      const { files } = await api.call("GET /scripts/:id/data-stores", { params: { id: parentId }, query });
      return listedWires(files ?? [], `data stores of scenario ${parentId}`).find(({ name }) => name === body.name);
    },
    async create({ api, parentId, body }) {
      return (await api.call("POST /scripts/:id/data-stores/contents", {
        params: { id: parentId },
        body: body as never,
      })) as Wire;
    },
    async update({ api, id, body }) {
      const request = { params: { id }, body: body as never };
      const renames = body.contents === undefined;
      const answer = renames
        ? await api.call("PUT /data-stores/:id", request)
        : await api.call("PUT /data-stores/:id/contents", request);
      return answer as Wire;
    },
    remove({ api, id }) {
      return api.call("DELETE /data-stores/:id", { params: { id } });
    },
  },
});

/** A test case lists the stores of all its scenarios, each with the scenario it belongs to. */
function ownStores(scenario: JsonObject, testCase: JsonObject): readonly Wire[] | undefined {
  return childList("dataStores")(testCase)?.filter(({ script }) => isObject(script) && script["id"] === scenario["id"]);
}
