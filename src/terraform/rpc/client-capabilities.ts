import type { ClientCapabilities as Message } from "../../../gen/tfplugin6.js";
import type { ClientCapabilities } from "../provider-session.ts";

/** What a client says of itself; older ones say nothing. */
export function clientCapabilities(message: Message | undefined): ClientCapabilities {
  return { writeOnlyAttributesAllowed: message?.writeOnlyAttributesAllowed ?? false };
}
