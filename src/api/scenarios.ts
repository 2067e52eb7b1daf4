import type { RouteTable } from "./route-descriptor.ts";
import { scenarioShapes } from "./shapes-scenarios.ts";

const copyFields = { name: "string", targetTestCase: "int", copyConfs: "boolean" } as const;
const scenarioInput = scenarioShapes.scenarioInput;

/** Seed 1, Scenarios (scripts). */
export const scenarioRoutes = {
  "GET /test-cases/:testCaseId/scripts": {
    seed: "1 Scenarios (scripts)",
    query: { down: "boolean=false", up: "boolean=false" },
    answer: "@scenario[]",
  },
  "GET /scripts/:id": {
    seed: "1 Scenarios (scripts)",
    query: { down: "boolean=true", up: "boolean=true" },
    answer: "@scenario",
    aliases: ["/script/:id"],
  },
  "POST /scripts/:id/run": {
    seed: "1 Scenarios (scripts)",
    summary: "Validates a scenario: one iteration on one client",
    query: { region: "int" },
    body: "json",
    bodyOptional: true,
    answer: "@validation",
    later: true,
  },
  "POST /test-cases/:testCaseId/scripts": {
    seed: "1 Scenarios (scripts)",
    body: { ...scenarioInput, name: "string!" },
    answer: "@scenario",
    decision:
      "The body is not shown: name, main, init, teardown, scriptType, language, nodeVersion, paramsConfig and tags; main is required for Code.",
  },
  "HEAD /scripts/:id": { seed: "1 Scenarios (scripts)", answer: "none", aliases: ["/script/:id"] },
  "PUT /scripts/:id": {
    seed: "1 Scenarios (scripts)",
    body: scenarioInput,
    answer: "@scenario",
    aliases: ["/script/:id"],
    decision:
      "The body is not shown: name, main, init, teardown, scriptType, language, nodeVersion, paramsConfig and tags; main is required for Code.",
  },
  "DELETE /scripts/:id": {
    seed: "1 Scenarios (scripts)",
    answer: "@scenario",
    aliases: ["/script/:id"],
    decision: "409 while a configuration runs it.",
  },
  "POST /scripts/:id/copy": {
    seed: "1 Scenarios (scripts)",
    query: copyFields,
    body: copyFields,
    bodyOptional: true,
    answer: "@scenario",
    decision:
      "Answers as GET /scripts/:id?down=false&up=true, plus configurations with copyConfs; parameters from query or body.",
  },
} as const satisfies RouteTable;
