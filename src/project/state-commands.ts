import { relative } from "node:path";
import { addressMatcher, isWithin, parseAddress } from "../model/address.ts";
import { type Diagnostic, hasErrors, Problem, problem } from "../model/diagnostic.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import type { Json } from "../model/json.ts";
import { movedBindings } from "../plan/match-moves.ts";
import { counted } from "../report/terminal-text.ts";
import { openIntents } from "../state/journal.ts";
import { idOfIdle } from "../state/lock-holder.ts";
import { isPause, movedIntent, type State, type StateResource } from "../state/state.ts";
import { readState, StateUnusable, stateText } from "../state/state-text.ts";
import { notUnlocked, StateLocked, type StateStore, type StoredState } from "../state/store.ts";
import { withLock, withProject } from "./connect.ts";
import { orExplained } from "./explain-failure.ts";
import { type LoadedProject, loadFolder } from "./open-project.ts";
import { openState } from "./open-state.ts";
import { findPreviousState } from "./other-states.ts";
import type { ProjectFlags, System } from "./system.ts";

/** One `state` command; `input` is what `push` reads, `lockTimeoutSecs` how long a lock is waited for (default 0). */
export interface StateCommand {
  readonly verb: "list" | "show" | "mv" | "rm" | "pull" | "push" | "unlock" | "retarget";
  readonly args: readonly string[];
  readonly input?: string;
  readonly lockTimeoutSecs?: number;
}

/** The result of a `state` command. */
export interface StateOutcome {
  readonly status: "done" | "locked" | "failed";
  readonly output: Json;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface StateWork {
  readonly project: LoadedProject;
  readonly store: StateStore;
  readonly system: System;
  readonly command: StateCommand;
}

/** Shows the state, or mends it under the lock, for the commands of `loadform state`. `output` is their `--json`, `text` their words. */
export async function stateCommand(flags: ProjectFlags, system: System, command: StateCommand): Promise<StateOutcome> {
  return orExplained(async () => {
    const project = await loadFolder(flags, system, { unsetEnv: "warning" });
    // What breaks a rule of the service (LF12…) is no reason not to look into the state, and mend it, meanwhile.
    if (hasErrors(project.diagnostics.filter(({ code }) => !code.startsWith("LF12"))))
      return notDone(project.diagnostics);
    return verbs[command.verb]({ project, store: openState(project, system), system, command });
  }, notDone);
}

function notDone(diagnostics: readonly Diagnostic[], thrown?: unknown): StateOutcome {
  return { status: thrown instanceof StateLocked ? "locked" : "failed", output: null, text: "", diagnostics };
}

const verbs: Readonly<Record<StateCommand["verb"], (work: StateWork) => Promise<StateOutcome>>> = {
  list,
  show,
  mv: moveBindings,
  rm: removeBindings,
  pull,
  push: pushState,
  unlock,
  retarget: retargetState,
};

/** The whole state, creates in doubt included: pulled and pushed elsewhere it must not forget them. */
async function stored({ store }: StateWork): Promise<State> {
  const found = await store.read();
  if (found === undefined) throw noStateYet(store);
  return { ...found.state, pending: found.intents };
}

async function list(work: StateWork): Promise<StateOutcome> {
  const addresses = Object.keys((await work.store.read())?.state.resources ?? {}).sort();
  return done(addresses.join("\n"), addresses);
}

async function show(work: StateWork): Promise<StateOutcome> {
  const { resources } = await stored(work);
  const [address = ""] = work.command.args;
  if (isGlob(address)) {
    const found = Object.fromEntries(chosen(resources, address).map((each) => [each, resources[each]]));
    return done(JSON.stringify(found, undefined, 2), { resources: found as unknown as Json });
  }
  const resource = bound(resources, address);
  return done(JSON.stringify(resource, undefined, 2), resource as unknown as Json);
}

async function pull(work: StateWork): Promise<StateOutcome> {
  const text = stateText(await stored(work));
  return done(text.trimEnd(), JSON.parse(text) as Json);
}

async function unlock(work: StateWork): Promise<StateOutcome> {
  const [id = await idOfIdle(work.store)] = work.command.args;
  const holder = await work.store.unlock(id).catch((thrown: unknown) => {
    throw thrown instanceof StateLocked ? notUnlocked(id, thrown) : thrown;
  });
  const which = id === undefined ? "no lock" : `no lock with id ${id}`;
  if (!holder) return done(`Found ${which} at ${work.store.where}; nothing to do.`, { unlocked: null });
  const { who, operation, created } = holder;
  return done(`Broke the lock of ${who} (${operation}, since ${created}).`, { unlocked: holder.id });
}

async function moveBindings(work: StateWork): Promise<StateOutcome> {
  const [from = "", to = ""] = work.command.args;
  const kindsOf = (address: string) => String(parseAddress(address)?.map(({ kind }) => kind));
  if (parseAddress(to) === undefined)
    throw problem("LF9001", `${to} is not an address`, "An address is like testCase.checkout/scenario.browse");
  if (kindsOf(from) !== kindsOf(to))
    throw problem(
      "LF9001",
      "an address can only move to one of the same kind",
      `${from} and ${to} must have the same kinds in the same places`,
    );
  let moved = 0;
  await change(work, ({ state, intents }) => {
    bound(state.resources, from);
    if (to in state.resources)
      throw problem(
        "LF1005",
        `${to} is bound already`,
        "There is a binding at the new address. Remove it with: loadform state rm",
      );
    const addresses = Object.keys(state.resources).filter((address) => isWithin(address, from));
    const newAddress = (address: string) => (isWithin(address, from) ? to + address.slice(from.length) : address);
    const became = new Map(addresses.map((address) => [address, newAddress(address)]));
    moved = became.size;
    return {
      state: { ...state, resources: movedBindings(state.resources, became) },
      // What an interrupted run began below it is ended there.
      intents: intents.map((intent) => movedIntent(intent, newAddress)),
    };
  });
  return done(`Moved ${counted(moved, "binding")} from ${from} to ${to}.`, { moved, from, to });
}

async function removeBindings(work: StateWork): Promise<StateOutcome> {
  const [address = ""] = work.command.args;
  let removed: string[] = [];
  await change(work, ({ state, intents }) => {
    const roots = chosen(state.resources, address);
    const isRemoved = (each: string) => roots.some((root) => isWithin(each, root));
    removed = Object.keys(state.resources).filter(isRemoved);
    const kept = Object.entries(state.resources).filter(([each]) => !isRemoved(each));
    return {
      state: { ...state, resources: Object.fromEntries(kept) },
      // A create that is bound, or below what is not any more, is not looked for again; what is paused is still resumed.
      intents: intents.filter((intent) => isPause(intent) || !isRemoved(intent.address)),
    };
  });
  return done(`Forgot ${removed.join(", ")}. Nothing was deleted at the service.`, { removed });
}

async function pushState(work: StateWork): Promise<StateOutcome> {
  const pushed = parsePushed(work.command.input ?? "");
  const saved = await saveNew(work, (stored) => {
    const state = stored?.state;
    if (state && state.lineage !== pushed.lineage)
      throw problem(
        "LF5002",
        "the pushed state has another lineage",
        `Its lineage is ${pushed.lineage}, not ${state.lineage}: it belongs to another project or environment`,
      );
    if (state === undefined && pushed.project !== work.project.name)
      throw problem(
        "LF5002",
        "the pushed state belongs to another project",
        `It is the state of ${pushed.project}, not of ${work.project.name}. If the project was renamed, run loadform state retarget where the state is now, and pull it then`,
      );
    if (state && pushed.serial < state.serial)
      throw problem(
        "LF5002",
        "the pushed state is older",
        `Its serial is ${pushed.serial}, and that of the stored one is ${state.serial}. Pull, change the pulled state, and push it again`,
      );
    const sent = pushed.pending.map((intent) => ({ phase: "intent", intent }) as const);
    const serial = Math.max(pushed.serial, state?.serial ?? 0);
    return { state: { ...pushed, serial }, intents: openIntents(sent, stored?.intents) };
  });
  const left = await findPreviousState(work.project, work.system);
  const older = left?.state.lineage === saved.lineage ? relative(work.system.cwd, left.path) : undefined;
  const hint =
    older === undefined ? "" : `\n${older} is now an outdated copy: remove it, so that nobody applies from it.`;
  return done(`Pushed serial ${saved.serial} with ${counted(Object.keys(saved.resources).length, "binding")}.${hint}`, {
    serial: saved.serial,
    ...(older === undefined ? {} : { older }),
  });
}

/** Gives the state to this project, and to the service and environment that it names now. */
async function retargetState(work: StateWork): Promise<StateOutcome> {
  const { project, system } = work;
  return withProject(project, { system }, async ({ connection: { target } }) => {
    const { environment } = project;
    await change(work, ({ state: { environment: _former, ...state }, intents }) => ({
      state: { ...state, project: project.name, target, ...(environment === undefined ? {} : { environment }) },
      intents,
    }));
    const words = `The state now belongs to ${target.url}, organization ${target.organization}.`;
    return done(words, { target: { ...target } });
  });
}

function change(work: StateWork, edit: (stored: StoredState) => StoredState): Promise<State> {
  return saveNew(work, (stored) => {
    if (stored === undefined) throw noStateYet(work.store);
    return edit(stored);
  });
}

/** Saves a new state with its open intents, under the lock, in place of the one that may exist. */
async function saveNew(
  { store, command: { verb, lockTimeoutSecs = 0 } }: StateWork,
  edit: (stored: StoredState | undefined) => StoredState,
): Promise<State> {
  return withLock(
    { store, operation: `state ${verb}`, lockTimeoutSecs },
    (session) => {
      const { state, intents } = edit(session.stored);
      return session.save(state, intents);
    },
    (_saved, diagnostics) => {
      throw new Problem(diagnostics);
    },
  );
}

function parsePushed(text: string): State {
  try {
    return readState(text);
  } catch (thrown) {
    if (!(thrown instanceof StateUnusable)) throw thrown;
    const detail = `stdin is not a state: ${thrown.message}. Push the text of: loadform state pull`;
    const refusal = problem("LF5002", "the pushed state cannot be used", detail);
    throw thrown.place === undefined ? refusal : refusal.at({ file: "stdin", ...thrown.place });
  }
}

function bound(resources: State["resources"], address: string): StateResource {
  const resource = Object.hasOwn(resources, address) ? resources[address] : undefined;
  if (resource) return resource;
  throw notBound(resources, address, `${address} is not in the state`);
}

function notBound(resources: State["resources"], wanted: string, summary: string) {
  const hint = didYouMean(wanted, Object.keys(resources));
  return problem("LF5005", summary, `No object is bound to it. For those that are, run: loadform state list.${hint}`);
}

const isGlob = (address: string): boolean => /[*?]/.test(address);

/** Addresses that an address or a glob names, at least one. */
function chosen(resources: State["resources"], wanted: string): readonly string[] {
  if (!isGlob(wanted)) {
    bound(resources, wanted);
    return [wanted];
  }
  const found = Object.keys(resources).filter(addressMatcher(wanted)).sort();
  if (found.length === 0) throw notBound(resources, wanted, `${wanted} matches nothing in the state`);
  return found;
}

const done = (text: string, output: Json): StateOutcome => ({ status: "done", output, text, diagnostics: [] });

function noStateYet({ where }: StateStore) {
  const detail = `There is nothing at ${where}. The first apply creates the state`;
  return problem("LF5005", "there is no state yet", detail);
}
