import type { ConfigureProvider_Request, ConfigureProvider_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic } from "../wire/dynamic-value.ts";
import type { ServedProvider } from "./served-provider.ts";

/** Hands a provider block to the session of this connection. */
export async function configureProvider(
  request: ConfigureProvider_Request,
  { types, session }: ServedProvider,
): Promise<ConfigureProvider_Response> {
  const config = fromDynamic(await types.provider(), request.config);
  return { diagnostics: diagnosticMessages(await (await session()).configure(config, request.terraformVersion)) };
}
