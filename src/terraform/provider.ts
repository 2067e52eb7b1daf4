import { setTimeout as sleep } from "node:timers/promises";
import type { Provider } from "./provider-session.ts";
import type { ProviderSystem } from "./resource/service-access.ts";

/** The provider's view of the process that it lives in. */
export interface ProviderHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line per request, for the debug log. */
  readonly log?: (line: string) => void;
  /** Tells a waiting user something at once. */
  readonly tell?: (line: string) => void;
}

/** loadform as a provider. Its schema, and the code that talks to the service, are loaded on their first use. */
export function loadformProvider({ env, log, tell }: ProviderHost): Provider {
  const secrets = new Set<string>();
  const shared: NonNullable<ProviderSystem["shared"]> = new Map();
  return {
    schema: async () => (await import("./kinds-schema.ts")).kindsSchema(),
    openSession: async () => {
      const { createProviderSession } = await import("./resource/create-session.ts");
      return createProviderSession({
        env,
        now: Date.now,
        sleep,
        secrets,
        shared,
        ...(log && { log }),
        ...(tell && { tell }),
      });
    },
  };
}
