import { openIntents, replay } from "./journal.ts";
import type { State } from "./state.ts";
import type { StateStore, StoredState } from "./store.ts";

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
