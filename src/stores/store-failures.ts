import { Problem, problem, redactDiagnostic } from "../model/diagnostic.ts";
import type { Redact } from "../model/redact.ts";
import { StateUnusable } from "../state/state-text.ts";
import {
  type FetchedState,
  redactInfo,
  StateLocked,
  type StateSession,
  type StateStore,
  StoreFailed,
} from "../state/store.ts";

type Explain = (thrown: unknown) => Promise<never>;

function explaining(store: StateStore, explain: Explain): StateStore {
  const { fetch, holder } = store;
  return {
    ...store,
    read: () => store.read().catch(explain),
    ...(fetch && { fetch: () => fetch().then((found) => found && fetchedExplained(found, explain), explain) }),
    ...(holder && { holder: () => holder().catch(explain) }),
    lock: (request) => store.lock(request).then((session) => sessionExplained(session, explain), explain),
    unlock: (id) => store.unlock(id).catch(explain),
  };
}

function fetchedExplained(found: FetchedState, explain: Explain): FetchedState {
  return { ...found, read: () => found.read().catch(explain) };
}

function sessionExplained(session: StateSession, explain: Explain): StateSession {
  const { announce } = session;
  return {
    ...session,
    prepare: (state, intents) => session.prepare(state, intents).catch(explain),
    ...(announce && { announce: (intents) => announce(intents).catch(explain) }),
    record: (entries) => session.record(entries).catch(explain),
    save: (state, intents) => session.save(state, intents).catch(explain),
    release: () => session.release().catch(explain),
  };
}

/** Refusals by the disk are no defects. */
export function onDisk(store: StateStore): StateStore {
  return explaining(store, async (thrown) => {
    if (!(thrown instanceof Error && "syscall" in thrown && "code" in thrown)) throw thrown;
    // What was opened, and then could not be read, is not named.
    const why =
      thrown.code === "EISDIR" ? "is a folder (or its .lock or .journal is)" : `cannot be used (${thrown.message})`;
    const needed = "a state needs a file that can be read and written";
    throw new StoreFailed(`${store.where} ${why}: ${needed}`, { cause: thrown });
  });
}

/** Names the place and the way out when a state cannot be used. */
export function withWayOut(store: StateStore, wayOut: () => Promise<string>): StateStore {
  return explaining(store, async (thrown) => {
    if (!(thrown instanceof StateUnusable)) throw thrown;
    const found = `${store.where} is damaged or foreign: ${thrown.message}`;
    const refusal = problem("LF5002", "the state cannot be used", `${found}. It was left alone; ${await wayOut()}`);
    throw thrown.place === undefined ? refusal : refusal.at({ file: store.where, ...thrown.place });
  });
}

/** A store that says no secret: neither where it is nor what went wrong, which a remote may have worded, nor who holds its lock. */
export function redactedStore(store: StateStore, redact: Redact): StateStore {
  const redacted = explaining({ ...store, where: redact(store.where) }, async (thrown) => {
    throw cleanFailure(thrown, redact);
  });
  return {
    ...redacted,
    lock: ({ waiting, ...request }) =>
      redacted.lock({ ...request, ...(waiting && { waiting: (by) => waiting(by && redactInfo(by, redact)) }) }),
    unlock: async (id) => {
      const holder = await redacted.unlock(id);
      return holder && redactInfo(holder, redact);
    },
  };
}

function cleanFailure(thrown: unknown, redact: Redact): unknown {
  if (thrown instanceof Problem)
    return new Problem(
      // The place of a state may have a secret in it, too.
      thrown.diagnostics.map(({ file, ...each }) => ({
        ...redactDiagnostic(each, redact),
        ...(file !== undefined && { file: redact(file) }),
      })),
    );
  if (thrown instanceof StateLocked)
    return new StateLocked(thrown.holder && redactInfo(thrown.holder, redact), thrown.place);
  if (thrown instanceof Error) thrown.message = redact(thrown.message);
  return thrown;
}
