import type { KeyDerivation } from "../state/secret-fingerprint.ts";
import { scryptKey } from "../state/secret-fingerprint.ts";

/** How a command that needs the lock of a state talks to whoever started it. */
export interface LockTalk {
  /** Aborted: nobody wants to wait any more. */
  readonly signal: AbortSignal;
  /** Somebody else holds it, and this is how long it is waited for; undefined when the wait is over. */
  readonly waiting: (wait: LockWaiting | undefined) => void;
  /** Why it takes longer now. */
  readonly notice: (text: string) => void;
  /** The lock may be ours from now on: given back with this should the process have to end early. Answers when it is not. */
  readonly hold: (release: () => Promise<void>) => () => void;
}

/** A wait for a lock. */
export interface LockWaiting {
  /** What was found: who holds it, since when, with which command. */
  readonly heldBy: string;
  /** The command that breaks it. */
  readonly wayOut: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly timeoutMs: number;
}

/** What a command may know of the world around it; everything that is not a pure function of its input. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** One line per request, with LOADFORM_LOG=debug. */
  readonly log?: (line: string) => void;
  readonly version: string;
  /** Absent where nobody listens. */
  readonly locks?: LockTalk;
  /** Derives the key of the secret fingerprints. */
  readonly deriveKey: KeyDerivation;
  /** Aborted: requests to the service that are in flight are given up, and no more are sent. */
  readonly givenUp?: AbortSignal;
}

/** Where a project stands and how it is parametrized. */
export interface ProjectFlags {
  readonly dir: string;
  readonly environment?: string;
  readonly vars: Readonly<Record<string, string>>;
}

/** The real world of a process; `tell` is who listens. */
export function processWorld(version: string, tell: Pick<World, "log" | "locks"> = {}): World {
  return {
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ...tell,
    version,
    deriveKey: scryptKey,
  };
}
