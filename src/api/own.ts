import type { RouteTable } from "./descriptors.ts";

const section = "own";
const filter = { method: "string", path: "string", after: "int" } as const;

/** Objects of the service's own routes. */
export const ownShapes = {
  error: { code: "string!", message: "string!", errors: "@fieldError[]" },
  fieldError: { field: "string!", message: "string!" },
  health: { status: "string", version: "string" },
  clock: { mode: "real|frozen", now: "time" },
  fault: {
    method: "string",
    path: "string",
    times: "int",
    after: "int",
    status: "int",
    body: "json",
    delayMs: "int",
    effectDelayMs: "int",
    drop: "before|after",
    truncate: "int",
    staleReads: "int",
    retryAfterSecs: "int",
    hits: "int",
  },
  requestEntry: {
    id: "int!",
    at: "time",
    method: "string",
    path: "string",
    query: "string",
    status: "int",
    durationMs: "number",
    unknownFields: "string[]",
    route: "string",
    engine: "model|script|live",
    nearest: "string[]",
  },
} as const;

/** The bundled service's own routes. */
export const ownRoutes = {
  "GET /_loadform/health": { section, answer: "@health", open: "all" },
  "GET /_loadform/openapi.json": { section, answer: "json" },
  "GET /_loadform/docs": { section, answer: "text", open: "all", summary: "Every route as a page to read" },
  "GET /_loadform/console": {
    section,
    answer: "text",
    open: "all",
    summary: "Objects, runs, clock, faults and requests in a browser; the page has no data and asks for the key",
  },
  "GET /_loadform/state": { section, answer: "json" },
  "PUT /_loadform/state": { section, body: "json!", answer: "none" },
  "POST /_loadform/reset": { section, answer: "none" },
  "GET /_loadform/clock": { section, answer: "@clock" },
  "PUT /_loadform/clock": { section, body: { mode: "real|frozen!", now: "epoch" }, answer: "@clock" },
  "POST /_loadform/clock/advance": { section, body: { ms: "int!" }, answer: "@clock" },
  "GET /_loadform/faults": { section, answer: "@fault[]" },
  "PUT /_loadform/faults": { section, body: "@fault[]!", answer: "@fault[]" },
  "DELETE /_loadform/faults": { section, answer: "@fault[]" },
  "GET /_loadform/requests": { section, query: filter, answer: "@requestEntry[]" },
  "DELETE /_loadform/requests": { section, answer: "none" },
} as const satisfies RouteTable;
