import { relative } from "node:path";
import { isWithin, parseAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import { movedBindings } from "../plan/moved-address.ts";
import { openIntents } from "../state/journal.ts";
import type { State } from "../state/state.ts";
import { readState, StateUnusable, stateText } from "../state/state-text.ts";
import type { StateSession, StateStore } from "../state/store.ts";
import { StateLocked } from "../state/store.ts";
import { bound, chosen, isGlob } from "./choose-bound.ts";
import { withConnection } from "./connect.ts";
import { findLeftover } from "./left-behind.ts";
import type { OpenProject } from "./load-folder.ts";
import { loadFolder } from "./load-folder.ts";
import { notUnlocked, orExplained, problem } from "./problem.ts";
import { stateAt } from "./state-at.ts";
import type { ProjectFlags, World } from "./world.ts";

/** One `state` command; `input` is what `push` reads, `lockTimeoutSecs` how long a held lock is waited for (default 0). */
export interface StateCommand {
  readonly verb: "list" | "show" | "mv" | "rm" | "pull" | "push" | "unlock" | "retarget";
  readonly args: readonly string[];
  readonly input?: string;
  readonly lockTimeoutSecs?: number;
}

/** What a `state` command has to say. */
export interface StateOutcome {
  readonly status: "done" | "locked" | "failed";
  readonly output: Json;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

interface StateWork {
  readonly project: OpenProject;
  readonly store: StateStore;
  readonly world: World;
  readonly command: StateCommand;
}

/** Looks into the state, or mends it under the lock. */
export async function stateCommand(flags: ProjectFlags, world: World, command: StateCommand): Promise<StateOutcome> {
  return orExplained(async () => {
    const project = await loadFolder(flags, world, "warning");
    if (hasErrors(project.diagnostics)) return notDone(project.diagnostics);
    const store = stateAt(project, world);
    return runVerb({ project, store, world, command });
  }, notDone);
}

function notDone(diagnostics: readonly Diagnostic[], thrown?: unknown): StateOutcome {
  return { status: thrown instanceof StateLocked ? "locked" : "failed", output: null, text: "", diagnostics };
}

function runVerb(work: StateWork): Promise<StateOutcome> {
  switch (work.command.verb) {
    case "list":
      return list(work);
    case "show":
      return show(work);
    case "pull":
      return pull(work);
    case "mv":
      return move(work);
    case "rm":
      return remove(work);
    case "push":
      return push(work);
    case "unlock":
      return unlock(work);
    case "retarget":
      return retarget(work);
  }
}

const done = (text: string, output: Json): StateOutcome => ({ status: "done", output, text, diagnostics: [] });

/** The whole state, creates in doubt included: pulled and pushed elsewhere it must not forget them. */
async function stored({ store }: StateWork): Promise<State> {
  const found = await store.read();
  if (found === undefined) throw noStateYet(store);
  return { ...found.state, pending: found.intents };
}

function noStateYet({ where }: StateStore) {
  const detail = `found nothing at ${where}; expected a state. It comes with the first apply`;
  return problem("LF5005", "there is no state yet", detail);
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

/** Changes the state under its lock. */
async function change(
  work: StateWork,
  edit: (state: State, session: StateSession) => State,
  pushed: State["pending"] = [],
): Promise<State> {
  const { verb, lockTimeoutSecs = 0 } = work.command;
  const session = await work.store.lock({ operation: `state ${verb}`, timeoutMs: lockTimeoutSecs * 1000 });
  try {
    if (session.stored === undefined && verb !== "push") throw noStateYet(work.store);
    const before = session.stored?.state;
    const next = edit(before as State, session);
    const sent = pushed.map((intent) => ({ phase: "intent", intent }) as const);
    return await session.save(next, openIntents(sent, session.stored?.intents));
  } finally {
    await session.release();
  }
}

async function move(work: StateWork): Promise<StateOutcome> {
  const [from = "", to = ""] = work.command.args;
  const kindOf = (address: string) =>
    parseAddress(address)
      ?.map(({ kind }) => kind)
      .join("/");
  if (kindOf(to) === undefined)
    throw problem("LF9001", `${to} is no address`, "expected one like testCase.checkout/scenario.browse");
  if (kindOf(from) !== kindOf(to))
    throw problem(
      "LF9001",
      "an address moves to one of the same kind",
      `found ${from} and ${to}; expected the same kinds in the same places`,
    );
  let moved = 0;
  await change(work, (state) => {
    bound(state.resources, from);
    if (to in state.resources)
      throw problem(
        "LF1005",
        `${to} is bound already`,
        "found a binding at the new address; expected none: remove it with: loadform state rm",
      );
    const addresses = Object.keys(state.resources).filter((address) => isWithin(address, from));
    const became = new Map(addresses.map((address) => [address, to + address.slice(from.length)]));
    moved = became.size;
    return { ...state, resources: movedBindings(state.resources, became) };
  });
  return done(`Moved ${moved} ${moved === 1 ? "binding" : "bindings"} from ${from} to ${to}.`, { moved, from, to });
}

async function remove(work: StateWork): Promise<StateOutcome> {
  const [address = ""] = work.command.args;
  let removed: string[] = [];
  await change(work, (state) => {
    const roots = chosen(state.resources, address);
    const goes = (each: string) => roots.some((root) => isWithin(each, root));
    removed = Object.keys(state.resources).filter(goes);
    const kept = Object.entries(state.resources).filter(([each]) => !goes(each));
    return { ...state, resources: Object.fromEntries(kept) };
  });
  return done(`Forgot ${removed.join(", ")}. Nothing was deleted at the service.`, { removed });
}

async function push(work: StateWork): Promise<StateOutcome> {
  const pushed = parsePushed(work.command.input ?? "");
  const saved = await change(
    work,
    (state) => {
      if (state && state.lineage !== pushed.lineage)
        throw problem(
          "LF5002",
          "the pushed state has another lineage",
          `found ${pushed.lineage}; expected ${state.lineage}: it belongs to another project or environment`,
        );
      if (state && pushed.serial < state.serial)
        throw problem(
          "LF5002",
          "the pushed state is older",
          `found serial ${pushed.serial}; expected at least ${state.serial}. Pull, change that, and push again`,
        );
      return { ...pushed, serial: Math.max(pushed.serial, state?.serial ?? 0) };
    },
    pushed.pending,
  );
  const older = await olderCopy(work, saved);
  const hint =
    older === undefined ? "" : `\n${older} is the older copy now: remove it, so that nobody applies from it.`;
  return done(`Pushed serial ${saved.serial} with ${Object.keys(saved.resources).length} bindings.${hint}`, {
    serial: saved.serial,
    ...(older === undefined ? {} : { older }),
  });
}

/** The file that the state came from when `state:` changed. */
async function olderCopy({ project, world }: StateWork, { lineage }: State): Promise<string | undefined> {
  const left = await findLeftover(project, world);
  return left?.state.lineage === lineage ? relative(world.cwd, left.path) : undefined;
}

function parsePushed(text: string): State {
  try {
    return readState(text);
  } catch (thrown) {
    if (!(thrown instanceof StateUnusable)) throw thrown;
    throw problem(
      "LF5002",
      "the pushed state cannot be used",
      `found that ${thrown.message}; expected the text of: loadform state pull`,
    );
  }
}

async function unlock(work: StateWork): Promise<StateOutcome> {
  const [id] = work.command.args;
  const holder = await work.store.unlock(id).catch((thrown: unknown) => {
    throw thrown instanceof StateLocked ? notUnlocked(id, thrown) : thrown;
  });
  if (holder)
    return done(`Broke the lock of ${holder.who} (${holder.operation}, since ${holder.created}).`, {
      unlocked: holder.id,
    });
  const which = id === undefined ? "no lock" : `no lock with id ${id}`;
  return done(`Found ${which} at ${work.store.where}; nothing to do.`, { unlocked: null });
}

async function retarget(work: StateWork): Promise<StateOutcome> {
  const { project, world } = work;
  return withConnection(project, { root: project.root, world }, async ({ target }) => {
    const { environment } = project;
    await change(work, ({ environment: _former, ...state }) => ({
      ...state,
      target,
      ...(environment === undefined ? {} : { environment }),
    }));
    return done(`The state now belongs to ${target.url}, organization ${target.organization}.`, {
      target: { ...target },
    });
  });
}
