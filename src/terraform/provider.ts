import { mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sha256 } from "../workspace/hash.ts";
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
        oneOnMachine: (key, run, signal) => oneOnMachine(key, run, { signal, tell }),
        ...(log && { log }),
        ...(tell && { tell }),
      });
    },
  };
}

/** Wait for another process at the most: then it is as if there were none. */
const longestWaitMs = 60_000;
/** Age from which a lock is one that nobody holds any more: a write takes seconds, and minutes where a service asks for patience. */
const leftAfterMs = 300_000;
/** Wait after which it is said. */
const silentMs = 5_000;

/** A wait for other processes: its end when it is aborted, and whom it is told. */
type Wait = { readonly signal: AbortSignal; readonly tell: ProviderHost["tell"] };

/**
 * Runs what is given one after the other for each key among the processes of this user: an installed provider is a process for each
 * provider block. Where no lock can be had it is run all the same, unless Terraform was interrupted meanwhile.
 */
async function oneOnMachine<T>(key: string, run: () => Promise<T>, wait: Wait): Promise<T> {
  const release = await lockOnMachine(key, wait).catch(async () => {
    if (wait.signal.aborted) await refuseInterrupted();
    return async () => {};
  });
  try {
    return await run();
  } finally {
    await release().catch(() => {});
  }
}

async function refuseInterrupted(): Promise<never> {
  const { refuse } = await import("./resource/provider-problem.ts");
  const detail = "Another process wrote schedules of the same configuration, and nothing was sent. Apply again";
  return refuse(undefined, "the wait for another process was interrupted", detail);
}

async function lockOnMachine(key: string, { signal, tell }: Wait): Promise<() => Promise<void>> {
  const [{ lockFile }, { diskFiles }, { isAtWork, processHolder }] = await Promise.all([
    import("../stores/local/lock-file.ts"),
    import("../stores/local/state-files.ts"),
    import("../state/lock-holder.ts"),
  ]);
  const folder = join(tmpdir(), `loadform-provider-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${sha256(key).slice(0, 32)}.lock`);
  const lock = lockFile({ path, files: diskFiles, holder: processHolder({ sleep, now: Date.now }) });
  // Whether a process of another container or host name is dead cannot be told.
  const left = await lock.holder();
  const isLeft = left && !isAtWork(left) && Math.abs(Date.now() - Date.parse(left.created)) > leftAfterMs;
  if (isLeft) await lock.forceRelease(left.id).catch(() => undefined);
  const since = Date.now();
  let isTold = false;
  const info = await lock.acquire({
    operation: "terraform",
    timeoutMs: longestWaitMs,
    signal,
    waiting(other) {
      if (isTold || Date.now() - since < silentMs) return;
      isTold = true;
      const who = other ? `${other.who}, process ${other.pid},` : "another process";
      tell?.(`waits up to a minute for ${who} to end its write of the same configuration (${path})`);
    },
  });
  return () => lock.release(info);
}
