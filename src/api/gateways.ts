import type { RouteTable } from "./route-descriptor.ts";

const nested = { up: "boolean=false", down: "boolean=true", includeKeys: "boolean=true" } as const;
const create = { name: "string", url: "string" } as const;

/** Seed 1, Gateways. */
export const gatewayRoutes = {
  "GET /test-cases/:testCaseId/gateways": { seed: "1 Gateways", query: nested, answer: "@gateway[]" },
  "GET /gateways/:id": { seed: "1 Gateways", query: nested, answer: "@gateway" },
  "POST /test-cases/:testCaseId/gateways": {
    seed: "1 Gateways",
    query: create,
    body: { name: "string!", url: "string!" },
    bodyOptional: true,
    answer: "@gateway",
    decision: "The parameters are taken from the body or the query.",
  },
  "HEAD /gateways/:id": { seed: "1 Gateways", answer: "none" },
  "PATCH /gateways/:id": {
    seed: "1 Gateways",
    query: { name: "string" },
    body: { name: "string" },
    bodyOptional: true,
    answer: "@gateway",
  },
  "DELETE /gateways/:id": { seed: "1 Gateways", answer: "@gateway" },
} as const satisfies RouteTable;
