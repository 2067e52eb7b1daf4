import { relative } from "node:path";
import type { CallWatch } from "../client/index.ts";
import { type CommandPlace, placeWords } from "../model/command-place.ts";
import { shellWord } from "../report/terminal-text.ts";
import { type KeyDerivation, scryptKey } from "../state/secret-fingerprint.ts";

/** The conversation with the command that needs the lock of a state. */
export interface LockTalk {
  /** Aborted: the wait ends. */
  readonly signal: AbortSignal;
  /** Another command holds it, and this is how long it is waited for; undefined when the wait is over. */
  readonly waiting: (wait: LockWaiting | undefined) => void;
  /** Why it takes longer now. */
  readonly notice: (text: string) => void;
  /**
   * Called before the lock is taken: `release` releases it if the process has to end early, `left` says what to do where
   * it ends before that. Call the result once the lock is released.
   */
  readonly hold: (release: () => Promise<void>, left: () => string | undefined) => () => void;
}

/** A wait for a lock. */
interface LockWaiting {
  /** The holder of the lock, since when, with which command. */
  readonly heldBy: string;
  /** The command that breaks it. */
  readonly wayOut: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly timeoutMs: number;
}

/** The surroundings of a command: all its inputs that are no arguments. */
export interface System {
  /** Environment variables: what `${env:…}` reads, `$LOADFORM_URL`, `$LOADFORM_API_KEY` and the like. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths of flags start from. */
  readonly cwd: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>;
  /** One line per request, with LOADFORM_LOG=debug. */
  readonly log?: (line: string) => void;
  /** Told to the state store, for its record of who holds the lock. */
  readonly version: string;
  /** This very build of loadform on this version of Node; without it nothing is cached: no parsed file, and no plan. */
  readonly program?: string;
  /** Called with the size of a project in characters before its objects are made. */
  readonly makeRoom?: (characters: number) => void;
  /** Absent without a terminal. */
  readonly locks?: LockTalk;
  /** Derives the key of the secret fingerprints. */
  readonly deriveKey: KeyDerivation;
  /** Aborted: requests to the service that are in flight are given up, and no more are sent. */
  readonly givenUp?: AbortSignal;
  /** Observes every call to the service that is under way. */
  readonly watch?: CallWatch;
  /** Milliseconds to wait for the answer to one request. */
  readonly requestTimeoutMs?: number;
}

/** The folder of a project and how it is parametrized. */
export interface ProjectFlags {
  /** The project folder, absolute or relative to `cwd` of the System. */
  readonly dir: string;
  /** As given by --env, else $LOADFORM_ENV; "" is none, undefined the project's default. */
  readonly environment?: string;
  /** Values of variables, as `--var` gives them: text, whatever the type. */
  readonly vars: Readonly<Record<string, string>>;
}

/** The environment that a command asks for: --env, else $LOADFORM_ENV; "" asks for none, undefined for the project's default. */
export function askedEnvironment(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return flag ?? env["LOADFORM_ENV"];
}

/** A project, as commands about it name it. */
interface Commanded {
  /** Absolute path of its folder. */
  readonly root: string;
  readonly environment?: string;
  /** The environment of the command; "" is none. */
  readonly asked?: string;
  readonly vars?: Readonly<Record<string, string>>;
}

/** Where a command about a project has to act. */
export function commandPlace(project: Commanded, system: Pick<System, "cwd">): CommandPlace {
  const { root, environment, asked, vars = {} } = project;
  const folder = relative(system.cwd, root);
  const variables = Object.entries(vars).map(([name, value]) => shellWord(`${name}=${value}`));
  return {
    ...(folder !== "" && { folder: shellWord(folder) }),
    ...(environment !== undefined && { environment }),
    ...(asked === "" && { isOutside: true as const }),
    variables,
  };
}

/** The folder and the environment of a project, where a command has to be told. */
export function commandWords(project: Commanded, system: Pick<System, "cwd">): string {
  return placeWords(commandPlace(project, system));
}

/**
 * The System of this process: its environment, folder and clock. `version` (default `unknown`) is for the state store,
 * `tell` is who listens. Spread it to change one part: `{ ...processSystem(), env: { … } }`.
 */
export function processSystem(
  version = "unknown",
  tell: Pick<System, "log" | "locks" | "makeRoom" | "program" | "watch" | "requestTimeoutMs"> = {},
): System {
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
