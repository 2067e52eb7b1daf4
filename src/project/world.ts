import type { KeyDerivation } from "../state/secret-fingerprint.ts";
import { scryptKey } from "../state/secret-fingerprint.ts";

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
  /** Derives the key of the secret fingerprints. */
  readonly deriveKey: KeyDerivation;
}

/** Where a project stands and how it is parametrized. */
export interface ProjectFlags {
  readonly dir: string;
  readonly environment?: string;
  readonly vars: Readonly<Record<string, string>>;
}

/** The real world of a process; `log` gets one line per request. */
export function processWorld(version: string, log?: (line: string) => void): World {
  return {
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    ...(log && { log }),
    version,
    deriveKey: scryptKey,
  };
}
