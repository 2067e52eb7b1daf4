import { setTimeout as pause } from "node:timers/promises";
import { inBatches } from "./in-batches.ts";
import type { Intent, JournalEntry } from "./journal.ts";
import { endedKey, intentKey, openIntents, replay } from "./journal.ts";
import type { State } from "./state.ts";
import type { LockInfo, StateSession, StoredState } from "./store.ts";
import { LockLost } from "./store.ts";

/** One state document of a remote store, under our lock. */
export interface LockedDocument {
  readonly info: LockInfo;
  /** As read under the lock, `pending` included. */
  readonly state: State | undefined;
  /** Stores the whole state under a raised serial, and answers it so; throws {@link LockLost} when the lock is not ours. */
  readonly write: (state: State) => Promise<State>;
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

/** Longest time between two writes while anything is open (engine.md 2.7); recovery waits that much longer. */
const longestSilenceMs = 5_000;
const shortGatherMs = 15;

/** What is written next: an entry of the journal, or a whole state. */
type Item = JournalEntry | { readonly phase: "save"; readonly state: State; readonly intents: readonly Intent[] };

/** What stands in the store, and what does not yet. */
interface Progress {
  current: State | undefined;
  /** Creates in doubt: of this run, and of those before it. */
  open: readonly Intent[];
  /** Keys of the intents that this run has under way. */
  readonly ours: Set<string>;
  waiting: Item[];
  lost: LockLost | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * The journal of a store that cannot append (engine.md 2.7): intents are durable when `record` resolves, each group of
 * them by one write of the whole state. Results wait for the next such write, at most 5 s.
 */
export function remoteSession(document: LockedDocument, pace: RemotePace): StateSession {
  const progress = startOf(document);
  const everyMs = pace.everyMs ?? longestSilenceMs;
  const flush = inBatches<Item>(
    (items) => writeItems(items, { document, progress, now: pace.now }),
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
    async record(entries) {
      if (progress.lost) throw progress.lost;
      if (entries.some(({ phase }) => phase === "intent")) return flushNow(entries);
      progress.waiting.push(...entries);
      startTimer();
    },
    async save(state, intents) {
      await flushNow([{ phase: "save", state, intents }]);
      return progress.current ?? state;
    },
    async release() {
      const hasResults = progress.waiting.length > 0 && progress.current !== undefined && !progress.lost;
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

function startOf({ state }: LockedDocument): Progress {
  return {
    current: state,
    open: state?.pending ?? [],
    ours: new Set(),
    waiting: [],
    lost: undefined,
    timer: undefined,
  };
}

function sentAt({ since, t }: Intent): number {
  return since ?? t;
}

function hasNews({ waiting, ours, current, lost }: Progress): boolean {
  return !lost && current !== undefined && (waiting.length > 0 || ours.size > 0);
}

function stopTimer(progress: Progress): void {
  clearTimeout(progress.timer);
  progress.timer = undefined;
}

interface Writing {
  readonly document: LockedDocument;
  readonly progress: Progress;
  readonly now: () => number;
}

async function writeItems(items: readonly Item[], { document, progress, now }: Writing): Promise<void> {
  if (progress.lost) throw progress.lost;
  const all = [...progress.waiting, ...items];
  progress.waiting = [];
  const renewed = progress.open.map((intent) => (progress.ours.has(intentKey(intent)) ? renew(intent, now()) : intent));
  const { state, open } = after(all, { state: progress.current, open: renewed });
  try {
    progress.current = await document.write({ ...state, pending: open });
  } catch (problem) {
    if (problem instanceof LockLost) progress.lost = problem;
    progress.waiting.unshift(...all.filter(({ phase }) => phase !== "intent" && phase !== "save"));
    throw problem;
  }
  progress.open = open;
  noteOurs(progress, all);
}

/** The run is still at it: recovery must count from now, but look for what was made since it was sent. */
function renew(intent: Intent, now: number): Intent {
  return now <= intent.t ? intent : { ...intent, t: now, since: sentAt(intent) };
}

function after(
  items: readonly Item[],
  from: { readonly state: State | undefined; readonly open: readonly Intent[] },
): { readonly state: State; readonly open: readonly Intent[] } {
  let { state, open } = from;
  const entries: JournalEntry[] = [];
  for (const item of items) {
    if (item.phase !== "save") {
      entries.push(item);
      continue;
    }
    entries.length = 0;
    state = { ...item.state, serial: Math.max(item.state.serial, from.state?.serial ?? 0) };
    open = item.intents;
  }
  if (state === undefined) throw new Error("nothing can be recorded before the first state is saved");
  return { state: { ...state, resources: replay(state.resources, entries) }, open: openIntents(entries, open) };
}

/** After a save only what is recorded next is ours: what it left in doubt is for whoever comes later. */
function noteOurs({ ours }: Progress, items: readonly Item[]): void {
  for (const item of items) {
    if (item.phase === "save") ours.clear();
    else if (item.phase === "intent") ours.add(intentKey(item.intent));
    else ours.delete(endedKey(item));
  }
}
