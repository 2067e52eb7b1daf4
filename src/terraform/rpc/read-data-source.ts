import type { ReadDataSource_Request, ReadDataSource_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic, toDynamic } from "../wire/dynamic-value.ts";
import type { ServedProvider } from "./served-provider.ts";

export async function readDataSource(
  { typeName, config }: ReadDataSource_Request,
  { types, session }: ServedProvider,
): Promise<ReadDataSource_Response> {
  const type = await types.dataSource(typeName);
  const found = await (await session()).readDataSource(typeName, fromDynamic(type, config));
  return { state: toDynamic(type, found.state), diagnostics: diagnosticMessages(found.diagnostics) };
}
