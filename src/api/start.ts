import type { RouteTable } from "./route-descriptor.ts";

/** Seed 2, Starting a run. */
export const startRoutes = {
  "POST /start": { seed: "2 Starting a run", multipart: true, answer: "@started", later: true },
  "POST /setup": { seed: "2 Starting a run", multipart: true, answer: "@started", later: true },
  "PUT /executions/:id/manual-start": { seed: "2 Starting a run", answer: "@execution", later: true },
  "PUT /executions/:id/stop": { seed: "2 Starting a run", answer: "@execution", later: true },
  "POST /executions/:id/live-extension": {
    seed: "2 Starting a run",
    body: { durationSecs: "int", durationMins: "number" },
    answer: "@execution",
    later: true,
  },
  "GET /ai-models": {
    seed: "2 Scenario parameters",
    answer: "@aiModel[]",
    decision: "Fixtures [{id, name, default}]; no model is called.",
  },
} as const satisfies RouteTable;
