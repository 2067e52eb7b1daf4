import type { Diagnostic } from "../model/diagnostic.ts";
import { hasErrors } from "../model/diagnostic.ts";
import type { Json } from "../model/json.ts";
import type { State } from "../state/state.ts";
import { stateText } from "../state/state-text.ts";
import { StateLocked } from "../state/store.ts";
import { bound, chosen, isGlob } from "./choose-bound.ts";
import { loadFolder } from "./load-folder.ts";
import { moveBindings, pushState, removeBindings, retargetState } from "./mend-state.ts";
import { notUnlocked, orExplained } from "./problem.ts";
import { stateAt } from "./state-at.ts";
import type { StateCommand, StateOutcome, StateWork } from "./state-outcome.ts";
import { done, noStateYet } from "./state-outcome.ts";
import type { ProjectFlags, World } from "./world.ts";

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
      return moveBindings(work);
    case "rm":
      return removeBindings(work);
    case "push":
      return pushState(work);
    case "unlock":
      return unlock(work);
    case "retarget":
      return retargetState(work);
  }
}

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
