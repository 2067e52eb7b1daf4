import { setTimeout as pause } from "node:timers/promises";
import { announcedIntent, endedKey, groupCommit, type JournalEntry, openIntents, replay } from "./journal.ts";
import { type Moment, type RemoteProof, remoteProof } from "./lock-trust.ts";
import { type Intent, intentKey, renewIntent, type State } from "./state.ts";
import type { LockInfo, StateSession, StoredState } from "./store.ts";

/** One state document of a remote store, under our lock. What says that the lock is not ours is a LockLost. */
export interface LockedDocument {
  readonly info: LockInfo;
  /** As read under the lock, `pending` included. */
  readonly state: State | undefined;
  /** Stores the whole state under a raised serial, and answers it so; throws when the lock is not ours. */
  readonly write: (state: State) => Promise<State>;
  /** Looks whether the lock is ours, where that costs less than a write; throws when it is not. */
  readonly look?: () => Promise<void>;
  /** The moment of the request that got the lock. */
  readonly asked?: Moment;
  readonly release: () => Promise<void>;
}

/** The pace at which a remote session writes. */
export interface RemotePace {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Longest time that a result remains unwritten. */
  readonly everyMs?: number;
  /** Time for which a write waits for others to join it. */
  readonly gatherMs?: number;
}

/** Longest time between two writes while anything is open (docs/engine.md, Journal and recovery); recovery waits that much longer. */
const longestSilenceMs = 5_000;
const shortGatherMs = 15;

/** The next item to write: an entry of the journal, or a whole state: at once, or with the next entries. */
type JournalItem =
  | JournalEntry
  | { readonly phase: "save" | "base"; readonly state: State; readonly intents: readonly Intent[] };

interface RemoteJournal {
  current: State | undefined;
  /** Pending creates and pauses: of this run, and of those before it. */
  open: readonly Intent[];
  /** Keys of the intents that this run has under way. */
  readonly ours: Set<string>;
  /** Keys of those that are durable and have not ended. */
  readonly durable: Set<string>;
  readonly proof: RemoteProof;
  waiting: JournalItem[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * The journal of a store that cannot append (docs/engine.md, Journal and recovery): intents are durable when `announce`
 * or `record` resolves, each group of them by one write of the whole state. Results wait for the next such write, at
 * most 5 s. An announced write may be sent up to 5 s after the last write, so that a process that lost the lock, or was
 * stopped, soon sends nothing; up to 1 s after the last look at the lock where that costs less.
 */
export function remoteSession(document: LockedDocument, pace: RemotePace): StateSession {
  const everyMs = pace.everyMs ?? longestSilenceMs;
  const { state, look, asked: since } = document;
  const journal: RemoteJournal = {
    current: state,
    open: state?.pending ?? [],
    ours: new Set(),
    durable: new Set(),
    proof: remoteProof(pace.now, everyMs, { look, since }),
    waiting: [],
    timer: undefined,
  };
  const flush = groupCommit<JournalItem>(
    (items) => writeItems(items, document, journal),
    () => pause(pace.gatherMs ?? shortGatherMs),
  );
  const flushNow = async (items: readonly JournalItem[]): Promise<void> => {
    stopTimer(journal);
    try {
      await flush(items);
    } finally {
      startTimer();
    }
  };
  const startTimer = (): void => {
    const isWritten = journal.waiting.length === 0 && journal.ours.size === 0;
    if (journal.timer !== undefined || isWritten || journal.proof.lost() || !hasState(journal)) return;
    journal.timer = setTimeout(() => void flushNow([]).catch(() => undefined), everyMs).unref();
  };
  return {
    info: document.info,
    stored: forRecovery(readDocument(state), everyMs),
    async prepare(state, intents) {
      refuseLost(journal);
      queue(journal, [{ phase: "base", state, intents }]);
      startTimer();
      return state;
    },
    announce: (intents) => flushNow(intents.map((intent) => ({ phase: "intent", intent }))),
    async record(entries) {
      refuseLost(journal);
      const fresh = entries.filter((entry) => !(isIntent(entry) && journal.durable.has(intentKey(entry.intent))));
      const isBeforeWrite = entries.every(isIntent);
      if (fresh.some(announcedIntent) || (isBeforeWrite && (await needsProof(journal)))) return flushNow(fresh);
      if (isBeforeWrite) await journal.proof.confirm();
      refuseLost(journal);
      queue(journal, fresh);
      startTimer();
    },
    mayWrite: () => !hasState(journal) || journal.proof.isYoung(),
    async save(state, intents) {
      await flushNow([{ phase: "save", state, intents }]);
      return journal.current ?? state;
    },
    async release() {
      const hasResults = journal.waiting.length > 0 && hasState(journal) && !journal.proof.lost();
      const written = hasResults ? flushNow([]) : Promise.resolve();
      try {
        await written;
      } finally {
        journal.ours.clear();
        stopTimer(journal);
        await document.release();
      }
    },
  };
}

/** A stored state as others see it: its pending creates apart. */
export function readDocument(state: State | undefined): StoredState | undefined {
  return state && { state: { ...state, pending: [] }, intents: state.pending };
}

/** For recovery: a create may have been sent up to `silenceMs` after the last time that its run recorded. */
function forRecovery(stored: StoredState | undefined, silenceMs: number): StoredState | undefined {
  if (stored === undefined) return undefined;
  const late = (intent: Intent): Intent => ({ ...intent, t: intent.t + silenceMs, since: intent.since ?? intent.t });
  return { ...stored, intents: stored.intents.map(late) };
}

function refuseLost({ proof }: RemoteJournal): void {
  const lost = proof.lost();
  if (lost) throw lost;
}

function isIntent(item: JournalItem): item is Extract<JournalItem, { phase: "intent" }> {
  return item.phase === "intent";
}

function isState(item: JournalItem): item is Extract<JournalItem, { phase: "save" | "base" }> {
  return item.phase === "save" || item.phase === "base";
}

/** True where the state must be written before anything is sent to the service, as the base of later writes is. */
async function needsProof(journal: RemoteJournal): Promise<boolean> {
  const hasBase = journal.waiting.some(({ phase }) => phase === "base");
  return hasBase || (hasState(journal) && (await journal.proof.needsWrite()));
}

function hasState({ current, waiting }: RemoteJournal): boolean {
  return current !== undefined || waiting.some(isState);
}

/** Queues items for the next write. What has ended by then is sent again only under a new intent. */
function queue({ waiting, durable }: RemoteJournal, items: readonly JournalItem[]): void {
  waiting.push(...items);
  for (const item of items) {
    if (isState(item)) durable.clear();
    else if (isEnd(item)) durable.delete(endedKey(item));
  }
}

/** True for the end of an intent. A delete that is part of a replacement does not end the intent that was announced for the create. */
function isEnd(item: JournalItem): item is Exclude<JournalEntry, { phase: "intent" }> {
  return !isState(item) && !isIntent(item) && item.phase !== "gone";
}

function stopTimer(journal: RemoteJournal): void {
  clearTimeout(journal.timer);
  journal.timer = undefined;
}

async function writeItems(items: readonly JournalItem[], document: LockedDocument, journal: RemoteJournal) {
  refuseLost(journal);
  const all = [...journal.waiting, ...items];
  journal.waiting = [];
  const begun = journal.proof.moment();
  const renewed = journal.open.map((intent) =>
    journal.ours.has(intentKey(intent)) ? renewIntent(intent, begun.wall) : intent,
  );
  const { state, open } = after(all, { state: journal.current, open: renewed });
  try {
    journal.current = await document.write({ ...state, pending: open });
  } catch (problem) {
    journal.proof.failed(problem);
    journal.waiting.unshift(...all.filter(({ phase }) => phase !== "intent" && phase !== "save"));
    throw problem;
  }
  journal.proof.written(begun);
  journal.open = open;
  noteOpen(journal, all);
}

function after(
  items: readonly JournalItem[],
  from: { readonly state: State | undefined; readonly open: readonly Intent[] },
): { readonly state: State; readonly open: readonly Intent[] } {
  let { state, open: earlier } = from;
  const entries: JournalEntry[] = [];
  for (const item of items) {
    if (!isState(item)) {
      entries.push(item);
      continue;
    }
    entries.length = 0;
    state = { ...item.state, serial: Math.max(item.state.serial, from.state?.serial ?? 0) };
    earlier = item.intents;
  }
  if (state === undefined) throw new Error("nothing can be recorded before the first state is saved");
  const open = openIntents(
    entries.filter((entry) => announcedIntent(entry) !== undefined || isEnd(entry)),
    earlier,
  );
  return { state: { ...state, resources: replay(state.resources, entries) }, open };
}

/** After a save only later records belong to this run: intents that are still open then are for a later one. */
function noteOpen({ ours, durable, waiting }: RemoteJournal, items: readonly JournalItem[]): void {
  for (const item of items) {
    const pending = isState(item) ? undefined : announcedIntent(item);
    if (isState(item)) {
      ours.clear();
      durable.clear();
    } else if (pending !== undefined) {
      ours.add(intentKey(pending));
      durable.add(intentKey(pending));
    } else if (isEnd(item)) ours.delete(endedKey(item));
  }
  for (const item of waiting) if (isEnd(item)) durable.delete(endedKey(item));
}
