import { relative } from "node:path";
import { isWithin, parseAddress } from "../model/address.ts";
import { movedBindings } from "../plan/moved-address.ts";
import { openIntents } from "../state/journal.ts";
import type { State } from "../state/state.ts";
import { readState, StateUnusable } from "../state/state-text.ts";
import { bound, chosen } from "./choose-bound.ts";
import { withConnection } from "./connect.ts";
import { findLeftover } from "./left-behind.ts";
import { problem } from "./problem.ts";
import type { StateOutcome, StateWork } from "./state-outcome.ts";
import { done, noStateYet } from "./state-outcome.ts";

/** Leads bindings to another address. */
export async function moveBindings(work: StateWork): Promise<StateOutcome> {
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

/** Forgets bindings; nothing is deleted at the service. */
export async function removeBindings(work: StateWork): Promise<StateOutcome> {
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

/** Stores a state that was pulled, here or elsewhere. */
export async function pushState(work: StateWork): Promise<StateOutcome> {
  const pushed = parsePushed(work.command.input ?? "");
  const saved = await saveAnother(
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

/** Says that the state belongs to this project, and to the service and environment that it says now. */
export async function retargetState(work: StateWork): Promise<StateOutcome> {
  const { project, world } = work;
  return withConnection(project, { root: project.root, world }, async ({ target }) => {
    const { environment } = project;
    await change(work, ({ environment: _former, ...state }) => ({
      ...state,
      project: project.name,
      target,
      ...(environment === undefined ? {} : { environment }),
    }));
    return done(`The state now belongs to ${target.url}, organization ${target.organization}.`, {
      target: { ...target },
    });
  });
}

/** Changes the state that is there. */
function change(work: StateWork, edit: (state: State) => State): Promise<State> {
  return saveAnother(work, (state) => {
    if (state === undefined) throw noStateYet(work.store);
    return edit(state);
  });
}

/** Saves another state, under the lock, in the place of the one that may be there. */
async function saveAnother(
  work: StateWork,
  edit: (state: State | undefined) => State,
  pushed: State["pending"] = [],
): Promise<State> {
  const { verb, lockTimeoutSecs = 0 } = work.command;
  const session = await work.store.lock({ operation: `state ${verb}`, timeoutMs: lockTimeoutSecs * 1000 });
  try {
    const next = edit(session.stored?.state);
    const sent = pushed.map((intent) => ({ phase: "intent", intent }) as const);
    return await session.save(next, openIntents(sent, session.stored?.intents));
  } finally {
    await session.release();
  }
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
