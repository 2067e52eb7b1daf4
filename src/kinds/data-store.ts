import { integer, text } from "../model/field.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { defineKind, type Wire } from "../model/kind.ts";
import { objectName, readableName } from "./field-parts.ts";
import { childList, listedWires, read, write } from "./remote-calls.ts";

const rename = write("PUT /data-stores/:id", ({ id }) => ({ id }));
const replace = write("PUT /data-stores/:id/contents", ({ id }) => ({ id }));

/** API 1, Data store: a file (mostly CSV) that a scenario reads. */
export const dataStore = defineKind({
  name: "dataStore",
  plural: "dataStores",
  parent: "scenario",
  description: "A data store: a file, mostly CSV, whose rows a scenario reads. Bytes are kept exactly.",
  fields: {
    name: objectName("File name; its extension decides the type. Unique within the scenario."),
    contents: text({
      description: "The file's contents.",
      inFiles: "Usually a file of the project, read as bytes.",
      examples: [`\${file:data/users.csv}`],
      content: "bytes",
      required: true,
      wire: { read: () => undefined },
    }),
  },
  naturalKey: "parent",
  rules: [readableName],
  contentVersion: ["size", "numRows", "headers", "updatedAt"],
  facts: {
    numRows: integer({ description: "Rows below the header." }),
    size: integer({ description: "Size of the file.", unit: "bytes" }),
  },
  remote: {
    within: (scenario, testCase) => childList("dataStores")(scenario) ?? (testCase && ownStores(scenario, testCase)),
    read: read("GET /data-stores/:id", (id) => ({ params: { id }, query: { down: true, up: true } })),
    download: ({ api, id }) => api.call("GET /data-stores/:id/download", { params: { id } }),
    async namesake({ api, parentId, body }) {
      const query = { down: false, up: false, includeRows: false };
      const { files } = await api.call("GET /scripts/:id/data-stores", { params: { id: parentId }, query });
      return listedWires(files ?? [], `data stores of scenario ${parentId}`).find(({ name }) => name === body.name);
    },
    create: write("POST /scripts/:id/data-stores/contents", ({ parentId }) => ({ id: parentId })),
    update: (of) => (of.body.contents === undefined ? rename(of) : replace(of)),
    remove: ({ api, id }) => api.call("DELETE /data-stores/:id", { params: { id } }),
  },
});

/** A test case lists the stores of all its scenarios, each with the scenario it belongs to. */
function ownStores(scenario: JsonObject, testCase: JsonObject): readonly Wire[] | undefined {
  return childList("dataStores")(testCase)?.filter(({ script }) => isObject(script) && script["id"] === scenario["id"]);
}
