import { crc32 } from "node:zlib";
import { isObject, type Json } from "../model/json.ts";
import { type CreateIntent, type Intent, intentKey, pauseKey, renewIntent, type StateResource } from "./state.ts";

/** One thing that happened to one address. */
export type JournalEntry =
  | { readonly phase: "intent"; readonly intent: Intent }
  /** With an intent: a create that was answered and not yet confirmed; it remains open until the state is saved. */
  | {
      readonly phase: "done";
      readonly address: string;
      readonly resource: StateResource;
      readonly intent?: CreateIntent;
    }
  /** With an intent: the object in the answer to a create is not its own; it is pending again. One line, as a crash may cut two apart. */
  | { readonly phase: "gone"; readonly address: string; readonly intent?: CreateIntent }
  | { readonly phase: "moved"; readonly address: string; readonly to: string; readonly resource: StateResource }
  | { readonly phase: "fail"; readonly address: string }
  | { readonly phase: "resumed"; readonly address: string };

/** Entries as lines of text, each with its own checksum; `serial` is that of the state on which they build. */
export function journalText(entries: readonly JournalEntry[], serial: number): string {
  return entries.map((entry) => `${withChecksum(JSON.stringify({ v: 1, txn: serial, ...entry }))}\n`).join("");
}

/**
 * Entries of a journal's text that build on the state of a serial: entries that a later state includes must not be played on it again, or a
 * moved object would have two addresses. A damaged line was cut off by a crash and never promised to anyone.
 */
export function readJournal(text: string, serial: number): readonly JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const line of text.split("\n")) {
    const found = line === "" ? undefined : readLine(line);
    if (found?.txn === serial) entries.push(found.entry);
  }
  return entries;
}

/** Intents whose end is not in the journal, in the order in which they were recorded. */
export function openIntents(entries: readonly JournalEntry[], earlier: readonly Intent[] = []): readonly Intent[] {
  const open = new Map(earlier.map((intent) => [intentKey(intent), intent]));
  for (const entry of entries) {
    if (entry.phase !== "intent") open.delete(endedKey(entry));
    const pending = "intent" in entry ? entry.intent : undefined;
    if (pending !== undefined) open.set(intentKey(pending), pending);
  }
  return [...open.values()];
}

/** The intent that an entry makes a pending one: before its create is sent, or when what its answer showed is not its object. */
export function announcedIntent(entry: JournalEntry): Intent | undefined {
  return entry.phase === "intent" || entry.phase === "gone" ? entry.intent : undefined;
}

/** The key of the intent that an entry ends. */
export function endedKey({ phase, address }: Exclude<JournalEntry, { phase: "intent" }>): string {
  return phase === "resumed" ? pauseKey(address) : address;
}

/** The resources after the journal's entries; replaying twice gives the same. */
export function replay(
  resources: Readonly<Record<string, StateResource>>,
  entries: readonly JournalEntry[],
): Readonly<Record<string, StateResource>> {
  if (entries.length === 0) return resources;
  const next: Record<string, StateResource> = { ...resources };
  for (const entry of entries) {
    if (entry.phase === "done") next[entry.address] = entry.resource;
    if (entry.phase === "gone" || entry.phase === "moved") delete next[entry.address];
    if (entry.phase === "moved") next[entry.to] = entry.resource;
  }
  return next;
}

function withChecksum(json: string): string {
  return `${crc32(json).toString(16).padStart(8, "0")} ${json}`;
}

function readLine(line: string): { readonly txn: number; readonly entry: JournalEntry } | undefined {
  const json = line.slice(9);
  if (withChecksum(json) !== line) return undefined;
  const value: Json = JSON.parse(json);
  if (!isObject(value)) return undefined;
  const { v, txn, ...entry } = value;
  return v === 1 && typeof txn === "number" ? { txn, entry: entry as unknown as JournalEntry } : undefined;
}

/** A create may be sent so much later than the journal records; recovery waits longer (docs/engine.md, Journal and recovery). */
const longestSilenceMs = 1_000;

/** The open intents of a run, and when each was last recorded; none at first. */
export function trackIntents(now: () => number) {
  const open = new Map<string, { readonly intent: Intent; readonly recordedAt: number }>();
  return {
    /** Those that were recorded too long ago, with a new time, to be recorded again: recovery counts from that time. */
    renewed(): readonly JournalEntry[] {
      const at = now();
      return [...open.values()].flatMap(({ intent, recordedAt }) =>
        at - recordedAt > longestSilenceMs ? [{ phase: "intent", intent: renewIntent(intent, at) } as const] : [],
      );
    },
    recorded(entries: readonly JournalEntry[]) {
      const recordedAt = now();
      for (const entry of entries) {
        const pending = announcedIntent(entry);
        if (pending !== undefined) open.set(intentKey(pending), { intent: pending, recordedAt });
        else if (entry.phase !== "gone" && entry.phase !== "intent") open.delete(endedKey(entry));
      }
    },
    clear: () => open.clear(),
  };
}

/**
 * Group commit: calls made while a write is under way wait and go out together in the next one. Each call resolves when its own items are
 * written, and rejects when that write failed. `gather` is a pause before each write, for stores whose writes cost more than a short wait.
 */
export function groupCommit<T>(
  write: (items: readonly T[]) => Promise<void>,
  gather?: () => Promise<void>,
): (items: readonly T[]) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let current: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await current.catch(() => undefined);
    await gather?.();
    const items = waiting;
    waiting = [];
    next = undefined;
    current = write(items);
    await current;
  };
  return (items) => {
    waiting.push(...items);
    next ??= flush();
    return next;
  };
}
