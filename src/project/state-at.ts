import { resolve } from "node:path";
import type { StateSettings } from "../config/load-project.ts";
import { localStore } from "../state/local-store.ts";
import { processHolder } from "../state/lock-holder.ts";
import { memoryStore } from "../state/memory-store.ts";
import { diskFiles } from "../state/state-files.ts";
import { StateUnusable } from "../state/state-text.ts";
import type { StateStore } from "../state/store.ts";
import { problem } from "./problem.ts";
import type { World } from "./world.ts";

/** The store that a project's state lives in. */
export function stateAt(settings: StateSettings, at: { readonly root: string; readonly world: World }): StateStore {
  switch (settings.backend) {
    case "memory":
      return memoryStore();
    case "local":
      return explained(
        localStore({ path: resolve(at.root, settings.path), files: diskFiles, holder: processHolder({ sleep: at.world.sleep, now: at.world.now }) }),
      );
    default:
      throw problem("LF9003", `the ${settings.backend} state store is not built yet`, "found it under state; expected a local state for now: state: .loadform/state.json");
  }
}

/** Names the file and the way out when a state cannot be used. */
function explained(store: StateStore): StateStore {
  const explain = (thrown: unknown): never => {
    if (!(thrown instanceof StateUnusable)) throw thrown;
    throw problem(
      "LF5002",
      "the state cannot be used",
      `found that ${store.where} is damaged or foreign: ${thrown.message}. It was left alone; the one before the last write is ${store.where}.bak: look at it and copy it back`,
    );
  };
  return { ...store, read: () => store.read().catch(explain), lock: (request) => store.lock(request).catch(explain) };
}
