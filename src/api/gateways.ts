import { type RouteTable, stored } from "./descriptors.ts";

const nested = { up: "boolean=false", down: "boolean=true", includeKeys: "boolean=true" } as const;
const create = { name: "string", url: "string" } as const;

/** API 1, Gateway. */
export const gatewayShapes = {
  gateway: {
    ...stored,
    name: "string",
    gatewayType: "string",
    active: "boolean",
    testCase: "@testCase",
    keys: "@gatewayKey[]",
    recordings: "@recording[]",
  },
  gatewayKey: { ...stored, key: "string", url: "string", isPrimary: "boolean", gateway: "@gateway" },
} as const;

/** API 1, Gateways. */
export const gatewayRoutes = {
  "GET /test-cases/:testCaseId/gateways": { section: "1 Gateways", query: nested, answer: "@gateway[]" },
  "GET /gateways/:id": { section: "1 Gateways", query: nested, answer: "@gateway" },
  "POST /test-cases/:testCaseId/gateways": {
    section: "1 Gateways",
    query: create,
    body: { name: "string!", url: "string!" },
    bodyOptional: true,
    answer: "@gateway",
    decision: "The parameters are taken from the body or the query.",
  },
  "HEAD /gateways/:id": { section: "1 Gateways", answer: "none" },
  "PATCH /gateways/:id": {
    section: "1 Gateways",
    query: { name: "string" },
    body: { name: "string" },
    bodyOptional: true,
    answer: "@gateway",
  },
  "DELETE /gateways/:id": { section: "1 Gateways", answer: "@gateway" },
} as const satisfies RouteTable;
