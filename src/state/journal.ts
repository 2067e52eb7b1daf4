import { crc32 } from "node:zlib";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { StateResource } from "./state.ts";

/** What a run has under way, so that whoever comes after it can end it (docs/engine.md, Journal and recovery). */
export type Intent = CreateIntent | PauseIntent;

/** A create that is about to be sent, or has been and is in doubt. */
export interface CreateIntent {
  readonly address: string;
  readonly kind: string;
  /** Address of the parent, when the kind has one. */
  readonly parent?: string;
  /** Id of the parent, when it was known at the time. */
  readonly parentId?: number;
  /** Ids of that kind under that parent before; what is among them is not the lost create. */
  readonly preIds: readonly number[];
  /** Name that was sent, for kinds that have one. */
  readonly name?: string;
  /** What its name is unique within, as declared: `{ ref }` or `{ id }`; for kinds whose natural key has that. */
  readonly within?: JsonObject;
  /** Fields that were sent, apart from the name; no secrets and no references, texts as their hashes. */
  readonly sent?: JsonObject;
  /** When the object was created, as the answer said; absent until there is one. */
  readonly createdAt?: string;
  /** Hash of what was sent, sensitive values left out. */
  readonly fp: string;
  /** When it was sent, or when its run was last known to be at it; epoch milliseconds of this machine. */
  readonly t: number;
  /** When it was sent, once `t` is later. */
  readonly since?: number;
}

/** An object that is paused while what it runs changes; it is to be resumed, also by whoever comes next. */
export interface PauseIntent {
  readonly op: "pause";
  readonly address: string;
  readonly kind: string;
  readonly id: number;
  readonly t: number;
  readonly since?: number;
}

/** Whether an intent is about a pause. */
export function isPause(intent: Intent): intent is PauseIntent {
  return "op" in intent;
}

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
  | { readonly phase: "gone"; readonly address: string }
  | { readonly phase: "moved"; readonly address: string; readonly to: string; readonly resource: StateResource }
  | { readonly phase: "fail"; readonly address: string }
  | { readonly phase: "resumed"; readonly address: string };

/** Entries as lines of text, each with its own checksum; `serial` is that of the state on which they build. */
export function journalText(entries: readonly JournalEntry[], serial: number): string {
  return entries.map((entry) => `${withChecksum(JSON.stringify({ v: 1, txn: serial, ...entry }))}\n`).join("");
}

/**
 * Entries of a journal's text that build on the state of a serial: what a later state took up must not be played on it
 * again, or a moved object would have two addresses. A damaged line was cut off by a crash and never promised to anyone.
 */
export function readJournal(text: string, serial: number): readonly JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const line of text.split("\n")) {
    const found = line === "" ? undefined : readLine(line);
    if (found?.txn === serial) entries.push(found.entry);
  }
  return entries;
}

/** Intents of which the journal does not say how they ended, in the order in which they were recorded. */
export function openIntents(entries: readonly JournalEntry[], earlier: readonly Intent[] = []): readonly Intent[] {
  const open = new Map(earlier.map((intent) => [intentKey(intent), intent]));
  for (const entry of entries) {
    if (entry.phase === "intent") open.set(intentKey(entry.intent), entry.intent);
    else open.delete(endedKey(entry));
    if (entry.phase === "done" && entry.intent !== undefined) open.set(intentKey(entry.intent), entry.intent);
  }
  return [...open.values()];
}

/** The run is still at it: recovery must count from now, but look for what was made since it was sent. */
export function renewIntent<T extends Intent>(intent: T, now: number): T {
  return now <= intent.t ? intent : { ...intent, t: now, since: intent.since ?? intent.t };
}

/** Keeps the open intents apart: an address may be paused and have a create of its own. */
export function intentKey(intent: Intent): string {
  return isPause(intent) ? pauseKey(intent.address) : intent.address;
}

/** The key of the intent that an entry ends. */
export function endedKey({ phase, address }: Exclude<JournalEntry, { phase: "intent" }>): string {
  return phase === "resumed" ? pauseKey(address) : address;
}

function pauseKey(address: string): string {
  return `pause ${address}`;
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
