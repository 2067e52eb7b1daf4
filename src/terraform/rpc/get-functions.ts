import type { GetFunctions_Request, GetFunctions_Response } from "../../../gen/tfplugin6.js";

/** There are none; a client that asks takes no UNIMPLEMENTED for it. */
export async function getFunctions(_: GetFunctions_Request): Promise<GetFunctions_Response> {
  return { diagnostics: [] };
}
