import type { RouteTable } from "./route-descriptor.ts";

const seed = "contract 6";
const filter = { method: "string", path: "string" } as const;

/** The bundled service's own routes. */
export const ownRoutes = {
  "GET /_loadform/health": { seed, answer: "@health", open: "all" },
  "GET /_loadform/openapi.json": { seed, answer: "json" },
  "GET /_loadform/docs": { seed, answer: "text" },
  "GET /_loadform/state": { seed, answer: "json" },
  "PUT /_loadform/state": { seed, body: "json!", answer: "none" },
  "POST /_loadform/reset": { seed, answer: "none" },
  "GET /_loadform/clock": { seed, answer: "@clock" },
  "PUT /_loadform/clock": { seed, body: { mode: "real|frozen!", now: "epoch" }, answer: "@clock" },
  "POST /_loadform/clock/advance": { seed, body: { ms: "int!" }, answer: "@clock" },
  "GET /_loadform/faults": { seed, answer: "@fault[]" },
  "PUT /_loadform/faults": { seed, body: "@fault[]!", answer: "@fault[]" },
  "DELETE /_loadform/faults": { seed, answer: "@fault[]" },
  "GET /_loadform/requests": { seed, query: filter, answer: "@requestEntry[]" },
  "DELETE /_loadform/requests": { seed, answer: "none" },
} as const satisfies RouteTable;
