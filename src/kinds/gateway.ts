import { flag, text } from "../model/field.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { defineKind } from "../model/kind.ts";
import { objectName, readableName, urlRule } from "./field-parts.ts";
import { childList, listedWires, read, write } from "./remote-calls.ts";

/** API 1, Gateway: the proxy through which traffic is recorded. */
export const gateway = defineKind({
  name: "gateway",
  plural: "gateways",
  parent: "testCase",
  description: "A gateway: the proxy in front of a site through which traffic is recorded into a scenario.",
  fields: {
    name: objectName("Name of the gateway."),
    url: text({
      description:
        "Base URL of the site behind the gateway. Cannot change in place: a change replaces the gateway and its recordings.",
      examples: ["https://shop.example.com"],
      required: true,
      trim: true,
      change: "replace",
      wire: { read: primaryUrl },
    }),
  },
  facts: { active: flag({ description: "Whether it can record." }) },
  rules: [readableName, urlRule("url", ["http:", "https:"], { origin: "decision", section: "1 Gateways" })],
  remote: {
    within: childList("gateways"),
    needs: ["keys"],
    read: read("GET /gateways/:id", (id) => ({ params: { id }, query: { up: false, down: false, includeKeys: true } })),
    create: write("POST /test-cases/:testCaseId/gateways", ({ parentId }) => ({ testCaseId: parentId })),
    update: write("PATCH /gateways/:id", ({ id }) => ({ id })),
    remove: ({ api, id }) => api.call("DELETE /gateways/:id", { params: { id } }),
  },
  async history({ api, id }) {
    const recordings = listedWires(
      await api.call("GET /gateways/:gatewayId/recordings", { params: { gatewayId: id } }),
      `recordings of gateway ${id}`,
    );
    return {
      what: "recordings",
      count: recordings.length,
      running: recordings.filter((item) => item.running === true).length,
    };
  },
});

/** The target is the base URL of the primary key. */
function primaryUrl(wire: JsonObject): Json | undefined {
  const keys = wire.keys;
  const primary = Array.isArray(keys) ? keys.filter(isObject).find((key) => key.isPrimary === true) : undefined;
  return primary?.url;
}
