import { type Redact, redactor } from "../model/redact.ts";
import { secretParts } from "../model/secret-texts.ts";
import { processHolder } from "../state/lock-holder.ts";
import { randomHex } from "../state/secret-fingerprint.ts";
import { newState } from "../state/state.ts";
import {
  heldBy,
  type LockInfo,
  StateLocked,
  type StateStore,
  type StoredState,
  StoreFailed,
  wayOutOf,
} from "../state/store.ts";
import { openStore } from "../stores/open-store.ts";
import { redactedStore } from "../stores/store-failures.ts";
import type { LoadedProject } from "./open-project.ts";
import { commandWords, type System } from "./system.ts";

/** A project as far as it says where its state is. */
export type StateOwner = Pick<LoadedProject, "name" | "root" | "environment" | "state"> &
  Partial<Pick<LoadedProject, "secrets">>;

export function openState(project: StateOwner, system: System): StateStore {
  const { root, name, environment, state } = project;
  const { env, version, sleep, now } = system;
  const redact = stateRedactor(project, system);
  const holder = processHolder({ sleep, now });
  const store = openStore(state, { root, project: name, environment, holder, env, version, redact });
  return talkingStore(redactedStore(store, redact), project, system);
}

/** Takes out what may not be said or written of a store: the project's secrets, those within addresses too, and passwords of stores. */
function stateRedactor({ state, secrets = [] }: StateOwner, { env }: System): Redact {
  const addresses = [...secrets, ...Object.values(state)].flatMap((value) =>
    typeof value === "string" ? secretParts(value) : [],
  );
  const passwords = [env["LOADFORM_STATE_PASSWORD"], env["TF_HTTP_PASSWORD"]].flatMap((value) => value ?? []);
  return redactor([...secrets, ...addresses, ...passwords]);
}

/** The state of a project that has none yet. */
export function freshState({ name, environment }: Pick<LoadedProject, "name" | "environment">): StoredState {
  return { state: newState(name, environment, randomHex), intents: [] };
}

/** A store whose lock reports that it is waited for, and is released when the process has to end. */
function talkingStore(store: StateStore, project: StateOwner, system: System): StateStore {
  const { locks } = system;
  if (locks === undefined) return store;
  return {
    ...store,
    async lock(request) {
      const place = commandWords(project, system);
      const since = system.now();
      const { timeoutMs } = request;
      const waiting = (holder: LockInfo | undefined) =>
        locks.waiting({ heldBy: heldBy(holder), wayOut: wayOutOf({ holder, place }), since, timeoutMs });
      const taking = store.lock({ ...request, signal: locks.signal, waiting });
      let held: LockInfo | undefined;
      const left = () => {
        if (held === undefined || !store.outlives) return undefined;
        const wayOut = wayOutOf({ holder: held, place });
        return `The lock ${held.id} at ${store.where} outlives the command. Release it with: ${wayOut}`;
      };
      const letGo = locks.hold(async () => {
        const session = await taking.catch(() => undefined);
        await session?.release();
      }, left);
      try {
        const session = await taking;
        held = session.info;
        const release = () =>
          session.release().catch((thrown: unknown) => Promise.reject(stillLocked(thrown, session.info, place)));
        return { ...session, release: () => release().finally(letGo) };
      } catch (problem) {
        letGo();
        throw placed(problem, place);
      } finally {
        locks.waiting(undefined);
      }
    },
    unlock: (id) =>
      store.unlock(id).catch((thrown: unknown) => Promise.reject(placed(thrown, commandWords(project, system)))),
  };
}

function placed(thrown: unknown, place: string): unknown {
  return thrown instanceof StateLocked ? new StateLocked(thrown.holder, place) : thrown;
}

/** The store knows the command that breaks its lock, but not the words that lead it to this state. */
function stillLocked(thrown: unknown, holder: LockInfo, place: string): unknown {
  if (!(thrown instanceof StoreFailed)) return thrown;
  const message = thrown.message.replace(wayOutOf({ holder, place: "" }), wayOutOf({ holder, place }));
  return new StoreFailed(message, { cause: thrown });
}
