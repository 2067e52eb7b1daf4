import { setTimeout as pause } from "node:timers/promises";
import { inBatches } from "./in-batches.ts";
import type { Intent, JournalEntry } from "./journal.ts";
import { endedKey, intentKey, openIntents, renewIntent, replay } from "./journal.ts";
import type { Moment } from "./lock-trust.ts";
import type { RemoteProof } from "./remote-proof.ts";
import { remoteProof } from "./remote-proof.ts";
import type { State } from "./state.ts";
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
  /** When the lock was asked for that was given. */
  readonly asked?: Moment;
  readonly release: () => Promise<void>;
}

/** How a remote session spaces its writes. */
export interface RemotePace {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Longest time that a result stays unwritten. */
  readonly everyMs?: number;
  /** How long a write waits for others to join it. */
  readonly gatherMs?: number;
}

/** Longest time between two writes while anything is open (docs/engine.md, Journal and recovery); recovery waits that much longer. */
const longestSilenceMs = 5_000;
const shortGatherMs = 15;

/** What is written next: an entry of the journal, or a whole state: at once, or with the next entries. */
type Item =
  | JournalEntry
  | { readonly phase: "save" | "base"; readonly state: State; readonly intents: readonly Intent[] };

/** What stands in the store, and what does not yet. */
interface Progress {
  current: State | undefined;
  /** Creates in doubt: of this run, and of those before it. */
  open: readonly Intent[];
  /** Keys of the intents that this run has under way. */
  readonly ours: Set<string>;
  /** Keys of those that are durable and have not ended. */
  readonly durable: Set<string>;
  readonly proof: RemoteProof;
  waiting: Item[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * The journal of a store that cannot append (docs/engine.md, Journal and recovery): intents are durable when `announce` or `record` resolves,
 * each group of them by one write of the whole state. Results wait for the next such write, at most 5 s. What was
 * announced may be sent up to 5 s after the last write, so that whoever lost the lock, or was stopped, soon sends nothing;
 * up to 1 s after the last look at the lock where that is to be had for less.
 */
export function remoteSession(document: LockedDocument, pace: RemotePace): StateSession {
  const everyMs = pace.everyMs ?? longestSilenceMs;
  const { look, asked: since } = document;
  const progress = startOf(document, remoteProof({ now: pace.now, everyMs, look, since }));
  const flush = inBatches<Item>(
    (items) => writeItems(items, document, progress),
    () => pause(pace.gatherMs ?? shortGatherMs),
  );
  const flushNow = async (items: readonly Item[]): Promise<void> => {
    stopTimer(progress);
    try {
      await flush(items);
    } finally {
      startTimer();
    }
  };
  const startTimer = (): void => {
    if (progress.timer !== undefined || !hasNews(progress)) return;
    progress.timer = setTimeout(() => void flushNow([]).catch(() => undefined), everyMs).unref();
  };
  return {
    info: document.info,
    stored: forRecovery(readDocument(document.state), everyMs),
    async prepare(state, intents) {
      refuseLost(progress);
      keep(progress, [{ phase: "base", state, intents }]);
      startTimer();
      return state;
    },
    announce: (intents) => flushNow(intents.map((intent) => ({ phase: "intent", intent }))),
    async record(entries) {
      refuseLost(progress);
      const fresh = entries.filter((entry) => !isDurable(progress, entry));
      const isBeforeWrite = entries.every(isIntent);
      if (fresh.some(isIntent) || (isBeforeWrite && (await isInDoubt(progress)))) return flushNow(fresh);
      if (isBeforeWrite) await progress.proof.confirm();
      refuseLost(progress);
      keep(progress, fresh);
      startTimer();
    },
    mayWrite: () => !hasState(progress) || progress.proof.isYoung(),
    async save(state, intents) {
      await flushNow([{ phase: "save", state, intents }]);
      return progress.current ?? state;
    },
    async release() {
      const hasResults = progress.waiting.length > 0 && hasState(progress) && !progress.proof.lost();
      const written = hasResults ? flushNow([]) : Promise.resolve();
      try {
        await written;
      } finally {
        progress.ours.clear();
        stopTimer(progress);
        await document.release();
      }
    },
  };
}

/** A stored state as others see it: its pending creates apart. */
export function readDocument(state: State | undefined): StoredState | undefined {
  return state && { state: { ...state, pending: [] }, intents: state.pending };
}

/** For recovery: a create may have been sent up to `silenceMs` after the last time that its run could say so. */
function forRecovery(stored: StoredState | undefined, silenceMs: number): StoredState | undefined {
  if (stored === undefined) return undefined;
  const late = (intent: Intent): Intent => ({ ...intent, t: intent.t + silenceMs, since: sentAt(intent) });
  return { ...stored, intents: stored.intents.map(late) };
}

function refuseLost({ proof }: Progress): void {
  const lost = proof.lost();
  if (lost) throw lost;
}

function startOf({ state }: LockedDocument, proof: RemoteProof): Progress {
  return {
    current: state,
    open: state?.pending ?? [],
    ours: new Set(),
    durable: new Set(),
    proof,
    waiting: [],
    timer: undefined,
  };
}

function sentAt({ since, t }: Intent): number {
  return since ?? t;
}

function isIntent(item: Item): item is Extract<Item, { phase: "intent" }> {
  return item.phase === "intent";
}

function isState(item: Item): item is Extract<Item, { phase: "save" | "base" }> {
  return item.phase === "save" || item.phase === "base";
}

/** Whether an entry is an intent that stands in the store already. */
function isDurable({ durable }: Progress, entry: JournalEntry): boolean {
  return isIntent(entry) && durable.has(intentKey(entry.intent));
}

/** Whether the store must be asked before anything is sent to the service. */
async function isInDoubt(progress: Progress): Promise<boolean> {
  return hasBase(progress) || (hasState(progress) && (await progress.proof.needsWrite()));
}

/** What writes build on is stored before the first of them. */
function hasBase({ waiting }: Progress): boolean {
  return waiting.some(({ phase }) => phase === "base");
}

function hasState({ current, waiting }: Progress): boolean {
  return current !== undefined || waiting.some(isState);
}

function hasNews(progress: Progress): boolean {
  return !progress.proof.lost() && hasState(progress) && (progress.waiting.length > 0 || progress.ours.size > 0);
}

/** Keeps items for the next write. What has ended by then is sent again only under a new intent. */
function keep({ waiting, durable }: Progress, items: readonly Item[]): void {
  waiting.push(...items);
  for (const item of items) {
    if (isState(item)) durable.clear();
    else if (isEnd(item)) durable.delete(endedKey(item));
  }
}

/** Whether an item ends an intent. What is deleted to be made anew keeps the one that was announced for it. */
function isEnd(item: Item): item is Exclude<JournalEntry, { phase: "intent" }> {
  return !isState(item) && !isIntent(item) && item.phase !== "gone";
}

function stopTimer(progress: Progress): void {
  clearTimeout(progress.timer);
  progress.timer = undefined;
}

async function writeItems(items: readonly Item[], document: LockedDocument, progress: Progress): Promise<void> {
  refuseLost(progress);
  const all = [...progress.waiting, ...items];
  progress.waiting = [];
  const begun = progress.proof.moment();
  const renewed = progress.open.map((intent) =>
    progress.ours.has(intentKey(intent)) ? renewIntent(intent, begun.wall) : intent,
  );
  const { state, open } = after(all, { state: progress.current, open: renewed });
  try {
    progress.current = await document.write({ ...state, pending: open });
  } catch (problem) {
    progress.proof.failed(problem);
    progress.waiting.unshift(...all.filter(({ phase }) => phase !== "intent" && phase !== "save"));
    throw problem;
  }
  progress.proof.written(begun);
  progress.open = open;
  noteOurs(progress, all);
}

function after(
  items: readonly Item[],
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
    entries.filter((entry) => isIntent(entry) || isEnd(entry)),
    earlier,
  );
  return { state: { ...state, resources: replay(state.resources, entries) }, open };
}

/** After a save only what is recorded next is ours: what it left in doubt is for whoever comes later. */
function noteOurs({ ours, durable, waiting }: Progress, items: readonly Item[]): void {
  for (const item of items) {
    if (isState(item)) {
      ours.clear();
      durable.clear();
    } else if (isIntent(item)) {
      ours.add(intentKey(item.intent));
      durable.add(intentKey(item.intent));
    } else if (isEnd(item)) ours.delete(endedKey(item));
  }
  for (const item of waiting) if (isEnd(item)) durable.delete(endedKey(item));
}
