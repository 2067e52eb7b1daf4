import { type HttpStoreOptions, httpStore } from "../../src/stores/http/http-store.ts";
import { realHolder } from "./state-samples.ts";
import { type StateServerFlavour, startStateServer } from "./state-server.ts";

/** A holder whose pauses between attempts take no time. */
export const hasty = { ...realHolder, sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 1)) };

/** A state server with stores that look at it. */
export async function startHttpRig(flavour: StateServerFlavour = "plain", options: Partial<HttpStoreOptions> = {}) {
  const server = await startStateServer(flavour, options.credentials);
  const { address } = server;
  const open = () => httpStore({ address, holder: hasty, version: "1.2.3", env: {}, ...options });
  return { server, open, lock: () => open().lock({ operation: "apply", timeoutMs: 0 }) };
}
