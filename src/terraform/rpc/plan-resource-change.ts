import type { PlanResourceChange_Request, PlanResourceChange_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic, toDynamic } from "../wire/dynamic-value.ts";
import { pathMessage } from "../wire/path-message.ts";
import { clientCapabilities } from "./client-capabilities.ts";
import type { ServedProvider } from "./served-provider.ts";

export async function planResourceChange(
  request: PlanResourceChange_Request,
  { types, session }: ServedProvider,
): Promise<PlanResourceChange_Response> {
  const type = await types.resource(request.typeName);
  const planned = await (await session()).planResource({
    type: request.typeName,
    prior: fromDynamic(type, request.priorState),
    proposed: fromDynamic(type, request.proposedNewState),
    config: fromDynamic(type, request.config),
    priorPrivate: request.priorPrivate,
    capabilities: clientCapabilities(request.clientCapabilities),
  });
  return {
    plannedState: toDynamic(type, planned.planned),
    requiresReplace: planned.requiresReplace.map((path) => pathMessage(path, type)),
    plannedPrivate: Buffer.from(planned.private),
    diagnostics: diagnosticMessages(planned.diagnostics),
  };
}
