import type { JournalEntry } from "../../src/state/journal.ts";
import { type LockHolder, processHolder } from "../../src/state/lock-holder.ts";
import { randomHex } from "../../src/state/secret-fingerprint.ts";
import { type Intent, newState, type State, type StateResource } from "../../src/state/state.ts";

/** This process as a holder of locks, in real time. */
export const realHolder: LockHolder = processHolder({
  now: Date.now,
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
});

/** A binding. */
export const resource = (id: number): StateResource => ({
  kind: "toy",
  id,
  createdAt: "2026-01-01T00:00:00.000Z",
  applied: { name: `n${id}` },
});

/** A create that ended well. */
export const done = (address: string, id: number): JournalEntry => ({ phase: "done", address, resource: resource(id) });

/** A create before it is sent, and its journal entry. */
export const intent = (address: string, t = 1): Intent => ({ address, kind: "toy", preIds: [], t });
export const sending = (address: string, t = 1): JournalEntry => ({ phase: "intent", intent: intent(address, t) });

/** A state that nothing was applied to. */
export const fresh = (): State => newState("p", undefined, randomHex);
