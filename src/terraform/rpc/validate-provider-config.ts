import type { ValidateProviderConfig_Request, ValidateProviderConfig_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic } from "../wire/dynamic-value.ts";
import type { ServedProvider } from "./served-provider.ts";

/** Checks a provider block. */
export async function validateProviderConfig(
  request: ValidateProviderConfig_Request,
  { types, session }: ServedProvider,
): Promise<ValidateProviderConfig_Response> {
  const config = fromDynamic(await types.provider(), request.config);
  return { diagnostics: diagnosticMessages(await (await session()).validateProvider(config)) };
}
