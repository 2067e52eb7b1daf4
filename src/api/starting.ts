import type { RouteTable } from "./descriptors.ts";

const section = "2 Starting a run";

/** API 2, Starting a run. */
export const startShapes = {
  started: { executionId: "int", testCaseId: "int!", confId: "int!", scriptId: "int!" },
} as const;

/** API 2, Starting a run: the form routes. */
export const startRoutes = {
  "POST /start": {
    section,
    summary: "Creates or updates test case, scenario and configuration by name, and starts a run",
    multipart: true,
    textFields: true,
    plainAnswer: true,
    answer: "@started",
    once: true,
    decision: "Answers the bare execution id as text/plain; with Accept: application/json all four ids.",
  },
  "POST /setup": {
    section,
    summary: "The same without starting a run",
    multipart: true,
    textFields: true,
    answer: "@started",
    once: true,
    decision: "Takes the form of POST /start and answers the ids of test case, configuration and scenario.",
  },
} as const satisfies RouteTable;
