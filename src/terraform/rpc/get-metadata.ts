import type { GetMetadata_Request, GetMetadata_Response } from "../../../gen/tfplugin6.js";
import { serverCapabilities } from "../wire/schema-message.ts";
import type { ServedProvider } from "./served-provider.ts";

/** Which types there are. */
export async function getMetadata(_: GetMetadata_Request, { types }: ServedProvider): Promise<GetMetadata_Response> {
  const { resources, dataSources } = await types.schema();
  return {
    serverCapabilities,
    diagnostics: [],
    resources: [...resources.keys()].map((typeName) => ({ typeName })),
    dataSources: [...dataSources.keys()].map((typeName) => ({ typeName })),
  };
}
