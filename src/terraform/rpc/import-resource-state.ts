import type { ImportResourceState_Request, ImportResourceState_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { toDynamic } from "../wire/dynamic-value.ts";
import type { ServedProvider } from "./served-provider.ts";

/** The beginning of an imported state, which Terraform then reads. */
export async function importResourceState(
  { typeName, id }: ImportResourceState_Request,
  { types, session }: ServedProvider,
): Promise<ImportResourceState_Response> {
  const { imported, diagnostics } = await (await session()).importResource(typeName, id);
  const importedResources = imported.map(async (each) => ({
    typeName: each.type,
    state: toDynamic(await types.resource(each.type), each.state),
    private: Buffer.from(each.private),
  }));
  return { importedResources: await Promise.all(importedResources), diagnostics: diagnosticMessages(diagnostics) };
}
