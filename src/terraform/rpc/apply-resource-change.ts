import type { ApplyResourceChange_Request, ApplyResourceChange_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic, toDynamic } from "../wire/dynamic-value.ts";
import type { ServedProvider } from "./served-provider.ts";

/** Carries a plan out. When the session throws there is no new state, and Terraform keeps the prior one. */
export async function applyResourceChange(
  request: ApplyResourceChange_Request,
  { types, session }: ServedProvider,
): Promise<ApplyResourceChange_Response> {
  const type = await types.resource(request.typeName);
  const applied = await (await session()).applyResource({
    type: request.typeName,
    prior: fromDynamic(type, request.priorState),
    planned: fromDynamic(type, request.plannedState),
    config: fromDynamic(type, request.config),
    plannedPrivate: request.plannedPrivate,
  });
  return {
    newState: toDynamic(type, applied.state),
    private: Buffer.from(applied.private),
    diagnostics: diagnosticMessages(applied.diagnostics),
  };
}
