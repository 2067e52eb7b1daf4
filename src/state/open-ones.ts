import type { Intent, JournalEntry } from "./journal.ts";
import { endedKey, intentKey, renewIntent } from "./journal.ts";

/** The intents of a run that are under way, and when the journal last said so. */
export interface OpenOnes {
  /** Those of which it said so too long ago, as to be said again: recovery counts from when a run was last at it. */
  readonly renewed: () => readonly JournalEntry[];
  /** These entries stand in the journal now. */
  readonly recorded: (entries: readonly JournalEntry[]) => void;
  /** What is open from now on is nobody's any more. */
  readonly clear: () => void;
}

/** A create may leave so much later than the journal says; recovery waits longer than that (docs/engine.md, Journal and recovery). */
const longestSilenceMs = 1_000;

/** Begins with none. */
export function openOnes(now: () => number): OpenOnes {
  const open = new Map<string, { readonly intent: Intent; readonly saidAt: number }>();
  return {
    renewed() {
      const at = now();
      return [...open.values()].flatMap(({ intent, saidAt }) =>
        at - saidAt > longestSilenceMs ? [{ phase: "intent", intent: renewIntent(intent, at) } as const] : [],
      );
    },
    recorded(entries) {
      const saidAt = now();
      for (const entry of entries) {
        if (entry.phase === "intent") open.set(intentKey(entry.intent), { intent: entry.intent, saidAt });
        else if (entry.phase !== "gone") open.delete(endedKey(entry));
      }
    },
    clear: () => open.clear(),
  };
}
