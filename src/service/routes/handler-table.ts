import type { ownRoutes } from "../../api/own.ts";
import type { RouteKey } from "../../api/routes.ts";
import type { Handlers } from "../core/handlers.ts";
import { configurationHandlers } from "./configurations.ts";
import { dataStoreHandlers } from "./data-stores.ts";
import { downloadHandlers } from "./downloads.ts";
import { controlHandlers } from "./execution-control.ts";
import { executionHandlers } from "./executions.ts";
import { gatewayHandlers } from "./gateways.ts";
import { organizationHandlers } from "./organizations.ts";
import { outputFileHandlers } from "./output-files.ts";
import { recordingHandlers } from "./recordings.ts";
import { reportHandlers } from "./reports.ts";
import { repositoryHandlers } from "./repositories.ts";
import { resultHandlers } from "./results.ts";
import { runnerHandlers } from "./runners.ts";
import { scenarioHandlers } from "./scenarios.ts";
import { startHandlers } from "./starting.ts";
import { tagHandlers } from "./tags.ts";
import { testCaseHandlers } from "./test-cases.ts";
import { traceHandlers, traceZipHandlers } from "./traces.ts";

/** A handler for every route of the API documents; does not compile when one is missing. */
export const handlers: Handlers<Exclude<RouteKey, keyof typeof ownRoutes>> = {
  ...testCaseHandlers,
  ...configurationHandlers,
  ...scenarioHandlers,
  ...dataStoreHandlers,
  ...gatewayHandlers,
  ...recordingHandlers,
  ...repositoryHandlers,
  ...runnerHandlers,
  ...organizationHandlers,
  ...tagHandlers,
  ...startHandlers,
  ...executionHandlers,
  ...controlHandlers,
  ...resultHandlers,
  ...reportHandlers,
  ...downloadHandlers,
  ...outputFileHandlers,
  ...traceHandlers,
  ...traceZipHandlers,
};
