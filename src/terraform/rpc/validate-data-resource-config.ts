import type {
  ValidateDataResourceConfig_Request,
  ValidateDataResourceConfig_Response,
} from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic } from "../wire/dynamic-value.ts";
import type { ServedProvider } from "./served-provider.ts";

/** Checks a data source's configuration, some of which may be unknown. */
export async function validateDataResourceConfig(
  { typeName, config }: ValidateDataResourceConfig_Request,
  { types, session }: ServedProvider,
): Promise<ValidateDataResourceConfig_Response> {
  const value = fromDynamic(await types.dataSource(typeName), config);
  const { validateDataSource } = await session();
  return { diagnostics: diagnosticMessages(await validateDataSource(typeName, value)) };
}
