import type { StopProvider_Request, StopProvider_Response } from "../../../gen/tfplugin6.js";
import type { ServedProvider } from "./served-provider.ts";

/** Terraform was interrupted: what runs is to end soon. */
export async function stopProvider(
  _: StopProvider_Request,
  { session }: ServedProvider,
): Promise<StopProvider_Response> {
  (await session()).stop();
  return { error: "" };
}
