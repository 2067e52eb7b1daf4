import type { ClientCapabilities as Message } from "../../../gen/tfplugin6.js";
import type { ClientCapabilities } from "../provider-session.ts";

/** A client's capabilities; older ones announce none. */
export function clientCapabilities(message: Message | undefined): ClientCapabilities {
  return { writeOnlyAttributesAllowed: message?.writeOnlyAttributesAllowed ?? false };
}
