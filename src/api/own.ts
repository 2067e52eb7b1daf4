import type { RouteTable } from "./descriptors.ts";

/** The section of the routes that the API documents do not have: those of the bundled service itself. */
export const ownSection = "own";
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
  "GET /_loadform/health": { section: ownSection, answer: "@health", open: "all" },
  "GET /_loadform/openapi.json": { section: ownSection, answer: "json" },
  "GET /_loadform/docs": { section: ownSection, answer: "text", open: "all", summary: "Every route as a page to read" },
  "GET /_loadform/console": {
    section: ownSection,
    answer: "text",
    open: "all",
    summary: "Objects, runs, clock, faults and requests in a browser; the page has no data and asks for the key",
  },
  "GET /_loadform/state": { section: ownSection, answer: "json" },
  "PUT /_loadform/state": { section: ownSection, body: "json!", answer: "none" },
  "POST /_loadform/reset": { section: ownSection, answer: "none" },
  "GET /_loadform/clock": { section: ownSection, answer: "@clock" },
  "PUT /_loadform/clock": { section: ownSection, body: { mode: "real|frozen!", now: "epoch" }, answer: "@clock" },
  "POST /_loadform/clock/advance": { section: ownSection, body: { ms: "int!" }, answer: "@clock" },
  "GET /_loadform/faults": { section: ownSection, answer: "@fault[]" },
  "PUT /_loadform/faults": { section: ownSection, body: "@fault[]!", answer: "@fault[]" },
  "DELETE /_loadform/faults": { section: ownSection, answer: "@fault[]" },
  "GET /_loadform/requests": { section: ownSection, query: filter, answer: "@requestEntry[]" },
  "DELETE /_loadform/requests": { section: ownSection, answer: "none" },
} as const satisfies RouteTable;
