import type { startRoutes } from "../../api/start.ts";
import type { BuiltIn, Handlers } from "../core/handlers.ts";

/** Seed 2, Starting a run: what is built of it. */
export const startHandlers: Handlers<BuiltIn<typeof startRoutes>> = {
  "GET /ai-models": ({ scope }) => scope.settings.aiModels.map((model) => ({ ...model })),
};
