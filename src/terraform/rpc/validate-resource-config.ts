import type { ValidateResourceConfig_Request, ValidateResourceConfig_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic } from "../wire/dynamic-value.ts";
import { clientCapabilities } from "./client-capabilities.ts";
import type { ServedProvider } from "./served-provider.ts";

/** Checks a resource's configuration, some of which may be unknown. */
export async function validateResourceConfig(
  request: ValidateResourceConfig_Request,
  { types, session }: ServedProvider,
): Promise<ValidateResourceConfig_Response> {
  const { typeName } = request;
  const config = fromDynamic(await types.resource(typeName), request.config);
  const { validateResource } = await session();
  const found = await validateResource(typeName, config, clientCapabilities(request.clientCapabilities));
  return { diagnostics: diagnosticMessages(found) };
}
