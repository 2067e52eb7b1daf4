import type { ReadResource_Request, ReadResource_Response } from "../../../gen/tfplugin6.js";
import { diagnosticMessages } from "../wire/diagnostic-message.ts";
import { fromDynamic, toDynamic } from "../wire/dynamic-value.ts";
import type { ServedProvider } from "./served-provider.ts";

/** The resource as it is now; null when it no longer exists. */
export async function readResource(
  request: ReadResource_Request,
  { types, session }: ServedProvider,
): Promise<ReadResource_Response> {
  const { typeName } = request;
  const type = await types.resource(typeName);
  const state = fromDynamic(type, request.currentState);
  const read = await (await session()).readResource({ type: typeName, state, private: request.private });
  return {
    newState: toDynamic(type, read.state),
    private: Buffer.from(read.private),
    diagnostics: diagnosticMessages(read.diagnostics),
  };
}
