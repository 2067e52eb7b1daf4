import type { GetProviderSchema_Request, GetProviderSchema_Response } from "../../../gen/tfplugin6.js";
import type { ServedProvider } from "./served-provider.ts";

/** Everything that Terraform knows of the provider. */
export function getProviderSchema(
  _: GetProviderSchema_Request,
  { types }: ServedProvider,
): Promise<GetProviderSchema_Response> {
  return types.message();
}
