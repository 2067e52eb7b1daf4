import type { RouteTable } from "./route-descriptor.ts";

const traffic = { showTraffic: "boolean=false", includeData: "boolean=false" } as const;
const name = { name: "string" } as const;

/** Seed 1, Recordings; the seeds spell the path `/recording/:id` too. */
export const recordingRoutes = {
  "GET /gateways/:gatewayId/recordings": { seed: "1 Recordings", query: traffic, answer: "@recording[]" },
  "GET /recordings/:id": {
    seed: "1 Recordings",
    query: { ...traffic, includeTests: "boolean=false" },
    answer: "@recording",
    aliases: ["/recording/:id"],
  },
  "GET /recordings/:id/traffic": {
    seed: "1 Recordings",
    query: { includeData: "boolean=false" },
    answer: "@trafficPacket[]",
    aliases: ["/recording/:id/traffic"],
    later: true,
  },
  "GET /recordings/:id/traffic/:connectionId": {
    seed: "1 Recordings",
    params: { connectionId: "string" },
    query: { includeData: "boolean=false" },
    answer: "@trafficPacket[]",
    aliases: ["/recording/:id/traffic/:connectionId"],
    later: true,
  },
  "GET /recordings/:id/load": {
    seed: "1 Recordings",
    query: { action: "http-get|load-browser", path: "string", endRecording: "boolean=false" },
    answer: "text",
    aliases: ["/recording/:id/load"],
    later: true,
  },
  "POST /gateways/:gatewayId/recordings": {
    seed: "1 Recordings",
    query: name,
    body: { name: "string!" },
    bodyOptional: true,
    answer: "@recording",
    decision: "Creates it completed; capturing traffic comes with a later issue. Parameters from body or query.",
  },
  "HEAD /recordings/:id": { seed: "1 Recordings", answer: "none", aliases: ["/recording/:id"] },
  "PATCH /recordings/:id": {
    seed: "1 Recordings",
    query: name,
    body: name,
    bodyOptional: true,
    answer: "@recording",
    aliases: ["/recording/:id"],
  },
  "PATCH /recordings/:id/stop": {
    seed: "1 Recordings",
    answer: "@recording",
    aliases: ["/recording/:id/stop"],
    decision: "A second stop is 200.",
  },
  "DELETE /recordings/:id": { seed: "1 Recordings", answer: "@recording", aliases: ["/recording/:id"] },
} as const satisfies RouteTable;
