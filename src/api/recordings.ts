import { type RouteTable, stored } from "./descriptors.ts";

const traffic = { showTraffic: "boolean=false", includeData: "boolean=false" } as const;
const name = { name: "string" } as const;

/** API 1, Recording. */
export const recordingShapes = {
  recording: {
    ...stored,
    name: "string",
    running: "boolean",
    startedAt: "time",
    finishedAt: "time",
    limitBreached: "boolean",
    active: "boolean",
    trafficSizeBytes: "int",
    trafficConnections: "int",
    script: "@scenarioSummary",
    gateway: "@gateway",
    traffic: "@trafficPacket[]",
    configurations: "@configuration[]",
  },
  trafficPacket: {
    id: "int!",
    trafficType: "ConnectionOpened|DataSent|DataReceived|ConnectionClosed",
    trafficTimestamp: "time",
    clientIp: "string",
    serverIp: "string",
    ssl: "boolean",
    protocol: "string",
    connectionId: "string",
    length: "int",
    httpMethod: "string",
    httpPath: "string",
    httpHeaders: "string",
    httpStatus: "int",
    httpStatusText: "string",
    closeReason: "string",
    data: "string",
  },
} as const;

/** API 1, Recordings; the documents spell the path `/recording/:id` too. */
export const recordingRoutes = {
  "GET /gateways/:gatewayId/recordings": { section: "1 Recordings", query: traffic, answer: "@recording[]" },
  "GET /recordings/:id": {
    section: "1 Recordings",
    query: { ...traffic, includeTests: "boolean=false" },
    answer: "@recording",
    aliases: ["/recording/:id"],
  },
  "GET /recordings/:id/traffic": {
    section: "1 Recordings",
    query: { includeData: "boolean=false" },
    answer: "@trafficPacket[]",
    aliases: ["/recording/:id/traffic"],
  },
  "GET /recordings/:id/traffic/:connectionId": {
    section: "1 Recordings",
    params: { connectionId: "string" },
    query: { includeData: "boolean=false" },
    answer: "@trafficPacket[]",
    aliases: ["/recording/:id/traffic/:connectionId"],
  },
  "GET /recordings/:id/load": {
    effect: true,
    section: "1 Recordings",
    query: { action: "http-get|load-browser!", path: "string!", endRecording: "boolean=false" },
    answer: "text",
    aliases: ["/recording/:id/load"],
    decision: "Answers DONE. load-browser adds its step without a browser.",
  },
  "POST /gateways/:gatewayId/recordings": {
    section: "1 Recordings",
    query: name,
    body: { name: "string!" },
    bodyOptional: true,
    answer: "@recording",
    decision: "Starts it at once. Parameters from body or query.",
  },
  "HEAD /recordings/:id": { section: "1 Recordings", answer: "none", aliases: ["/recording/:id"] },
  "PATCH /recordings/:id": {
    section: "1 Recordings",
    query: name,
    body: name,
    bodyOptional: true,
    answer: "@recording",
    aliases: ["/recording/:id"],
  },
  "PATCH /recordings/:id/stop": {
    section: "1 Recordings",
    answer: "@recording",
    aliases: ["/recording/:id/stop"],
    decision: "A second stop is 200.",
  },
  "DELETE /recordings/:id": { section: "1 Recordings", answer: "@recording", aliases: ["/recording/:id"] },
} as const satisfies RouteTable;
