import { type Problem, problem } from "../model/diagnostic.ts";
import type { Redact } from "../model/redact.ts";
import { type JournalEntry, openIntents, replay } from "./journal.ts";
import type { Intent, State } from "./state.ts";

/** The holder of a lock, since when, for which command; Terraform's lock info by other names. */
export interface LockInfo {
  readonly id: string;
  readonly operation: string;
  /** user@host. */
  readonly who: string;
  /** ISO 8601. */
  readonly created: string;
  readonly info?: string;
  readonly pid?: number;
  readonly host?: string;
  /** Keeps a process apart from a later one of the same pid: boot id and start time. */
  readonly process?: string;
  /** The PID namespace that `pid` is of. */
  readonly namespace?: string;
}

/** A lock's holder without secrets; its id remains. */
export function redactInfo(info: LockInfo, redact: Redact): LockInfo {
  const { who, operation, info: more } = info;
  return { ...info, who: redact(who), operation: redact(operation), ...(more !== undefined && { info: redact(more) }) };
}

export interface LockRequest {
  /** For whoever is refused meanwhile: "apply". */
  readonly operation: string;
  readonly timeoutMs: number;
  /** Aborted: the wait ends with {@link WaitStopped}. */
  readonly signal?: AbortSignal;
  /** Called after each attempt that found another holder, before the next one. */
  readonly waiting?: (holder: LockInfo | undefined) => void;
}

/** The stored state with the journal already replayed, and the open intents. */
export interface StoredState {
  readonly state: State;
  readonly intents: readonly Intent[];
}

/** A fetched state, which is parsed when somebody looks into it. */
export interface FetchedState {
  /** One hash of the fetched text: an equal one means an equal state. */
  readonly digest: string;
  readonly read: () => Promise<StoredState>;
}

/** An acquired lock, and the only way to write. */
export interface StateSession {
  readonly info: LockInfo;
  /** As it was when the lock was acquired; undefined for a project that never applied. */
  readonly stored: StoredState | undefined;
  /**
   * Stores the base of later records: before the first of them, or with it where each write costs a round trip. Answers
   * it with the serial that it has by then.
   */
  readonly prepare: (state: State, intents: readonly Intent[]) => Promise<State>;
  /**
   * Makes intents durable ahead of the moment at which they are recorded one by one. Only of a store for which many at a
   * time cost as much as one (docs/engine.md, Journal and recovery); it renews their time.
   */
  readonly announce?: (intents: readonly Intent[]) => Promise<void>;
  /**
   * Durable when it resolves; throws {@link LockLost} when the lock is no longer ours. A remote store may hold back
   * entries other than intents for up to 5 s and write them together with later ones (docs/engine.md, Journal and
   * recovery). Without entries it only proves the lock, as before each write to the service.
   */
  readonly record: (entries: readonly JournalEntry[]) => Promise<void>;
  /**
   * True while a write to the service may leave: the last proof that the lock is ours is at most 1 s old (5 s where each costs a state
   * write), and since then neither was this process stopped nor its clock jump. When it may not, `record` proves the lock anew.
   */
  readonly mayWrite: () => boolean;
  /** Writes the state with a raised serial and clears the journal; durable when it resolves. Unresolved intents remain. */
  readonly save: (state: State, intents: readonly Intent[]) => Promise<State>;
  readonly release: () => Promise<void>;
}

/** A place where state lives. Reading takes no lock; whatever writes does. */
export interface StateStore {
  /** For messages; holds no credentials. */
  readonly where: string;
  /** Of a store where the lock of a process that ended remains until somebody breaks it. */
  readonly outlives?: true;
  readonly read: () => Promise<StoredState | undefined>;
  /** The same in two steps, where the first one costs much less. */
  readonly fetch?: () => Promise<FetchedState | undefined>;
  readonly lock: (request: LockRequest) => Promise<StateSession>;
  /** The lock's holder, where a look costs nothing. */
  readonly holder?: () => Promise<LockInfo | undefined>;
  /** Breaks the lock, if it has the given id; answers its holder. Throws {@link StateLocked} for another one's, as any is for "". */
  readonly unlock: (id?: string) => Promise<LockInfo | undefined>;
}

/** Another command holds the lock. */
export class StateLocked extends Error {
  override readonly name = "StateLocked";
  readonly holder: LockInfo | undefined;
  /** Words that a command needs to be about this state: the folder and the environment. */
  readonly place: string;
  constructor(holder: LockInfo | undefined, place = "") {
    super("the state is locked");
    this.holder = holder;
    this.place = place;
  }
}

/** The state could not be read or written at its place; the message has the finding and the advice. */
export class StoreFailed extends Error {
  override readonly name = "StoreFailed";
}

/** The lock was broken by another command before it was released. */
export class LockLost extends Error {
  override readonly name = "LockLost";
}

/** The refusal of a session whose lock another command broke. */
export function lockBroken(where: string): LockLost {
  return new LockLost(`the lock of ${where} was broken by someone else`);
}

/** A holder of whom only the id is known. */
export function unnamedHolder(id: string): LockInfo {
  return { id, operation: "another command", who: "someone", created: "an unknown time" };
}

/** The holder of a lock, since when, with which command. */
export function heldBy(holder: LockInfo | undefined): string {
  if (holder === undefined) return "held by a command that it does not name";
  const pid = holder.pid === undefined ? "" : `, pid ${holder.pid}`;
  return `held by ${holder.who} since ${holder.created} (${holder.operation}${pid})`;
}

/** The command that breaks a lock; an id, which a server may have chosen, is one word of it. */
export function wayOutOf({ holder, place }: Pick<StateLocked, "holder" | "place">): string {
  const { id = "" } = holder ?? {};
  const word = /^[\w.:-]*$/.test(id) ? id : `'${id.replaceAll("'", "'\\''")}'`;
  return `loadform state unlock${word === "" ? "" : ` ${word}`}${place}`;
}

/** A lock that remains, because its id is another one. */
export function notUnlocked(id: string | undefined, locked: StateLocked): Problem {
  const { holder } = locked;
  const found = holder === undefined ? heldBy(holder) : `${heldBy(holder)}, id ${holder.id}`;
  const asked = id === undefined ? "so it must be named by its id" : `not one of id ${id}`;
  const way =
    holder === undefined ? "loadform state unlock ID, with the id that the store's own page shows" : wayOutOf(locked);
  return problem(
    "LF5001",
    "the lock was left alone",
    `The lock is ${found}, ${asked}. If you are sure that the command no longer runs:\n  ${way}`,
  );
}

/** State that lives as long as the process: for the bundled service without a file (`memory:`). */
export function memoryStore(): StateStore {
  let stored: StoredState | undefined;
  const save = async (state: State, intents: StoredState["intents"]): Promise<State> => {
    const next = { ...state, serial: state.serial + 1 };
    stored = { state: next, intents };
    return next;
  };
  return {
    where: "memory",
    read: async () => stored,
    lock: async ({ operation }) => ({
      info: { id: "memory", operation, who: "this process", created: "" },
      stored,
      async record(entries) {
        if (stored === undefined) return;
        const state = { ...stored.state, resources: replay(stored.state.resources, entries) };
        stored = { state, intents: openIntents(entries, stored.intents) };
      },
      mayWrite: () => true,
      prepare: save,
      save,
      release: async () => undefined,
    }),
    unlock: async () => undefined,
  };
}
