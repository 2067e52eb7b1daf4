import type { UpgradeResourceState_Request, UpgradeResourceState_Response } from "../../../gen/tfplugin6.js";

/** A state in its JSON, untouched: there is one version of each schema, and parsing would round numbers. */
export async function upgradeResourceState({
  rawState,
}: UpgradeResourceState_Request): Promise<UpgradeResourceState_Response> {
  const json = rawState?.json ?? Buffer.from("null");
  return { upgradedState: { msgpack: Buffer.alloc(0), json }, diagnostics: [] };
}
