import { bindingFor, generations, handlesBeside, possibleCreate, unresolvedCreates } from "../apply/recover.ts";
import { kinds } from "../kinds/index.ts";
import { type Diagnostic, warningOf } from "../model/diagnostic.ts";
import { kindsByName } from "../model/kind.ts";
import { liveHandle, type Tree } from "../model/tree.ts";
import { findLostCreates } from "../remote/find-lost-create.ts";
import { type CreateIntent, isPause, type PauseIntent, type State, type StateResource } from "../state/state.ts";
import type { StoredState } from "../state/store.ts";

/** The recovery of an interrupted run, in memory for a plan: nothing is stored (docs/engine.md, Reading). */
export function previewRecovery(
  stored: StoredState,
  live: Tree,
): { readonly state: State; readonly live: Tree; readonly diagnostics: readonly Diagnostic[] } {
  if (stored.intents.length === 0) return { state: stored.state, live, diagnostics: [] };
  const all = stored.intents.filter((intent): intent is CreateIntent => !isPause(intent));
  const creates = unresolvedCreates(all, { resources: stored.state.resources, live, kinds });
  const pauses = stored.intents.filter(isPause);
  const resources = withFound(creates, { resources: stored.state.resources, live });
  return {
    state: { ...stored.state, resources },
    live: asResumed(live, pauses),
    diagnostics: [...(creates.length > 0 ? [interrupted(creates.length)] : []), ...pauses.map(leftPaused)],
  };
}

function withFound(
  creates: readonly CreateIntent[],
  { resources: bound, live }: { readonly resources: State["resources"]; readonly live: Tree },
): State["resources"] {
  const resources: Record<string, StateResource> = { ...bound };
  for (const generation of generations(creates)) {
    const taken = handlesBeside(resources, generation);
    const isBound = (handle: string) => taken.has(handle);
    const pending = generation.flatMap((intent) => possibleCreate(kinds, intent, { resources, isBound }));
    for (const [{ intent }, match] of findLostCreates(pending, live)) {
      if (match.outcome !== "found" || isBound(match.node.handle)) continue;
      taken.add(match.node.handle);
      resources[intent.address] = bindingFor(intent, match.node, resources[intent.parent ?? ""]);
    }
  }
  return resources;
}

/** The next apply resumes them before it does anything else, so they count as not paused. */
function asResumed(live: Tree, pauses: readonly PauseIntent[]): Tree {
  if (pauses.length === 0) return live;
  const nodes = new Map(live.nodes);
  for (const { kind, id } of pauses) {
    const field = kindsByName(kinds).get(kind)?.pause?.field;
    const node = nodes.get(liveHandle(kind, id));
    if (field === undefined || node === undefined) continue;
    const shown = { fields: { ...node.fields, [field]: true }, facts: { ...node.facts, [field]: true } };
    nodes.set(node.handle, { ...node, ...shown });
  }
  return { ...live, nodes };
}

function leftPaused({ address }: PauseIntent): Diagnostic {
  const detail = "it was paused while the objects it runs were changed. The next apply resumes it first";
  return { ...warningOf("LF6006", `${address} is paused by an interrupted run`, detail), address };
}

function interrupted(count: number): Diagnostic {
  const what = count === 1 ? "one create" : `${count} creates`;
  const detail = `It is not known how ${what} ended; this plan uses what the service shows. If no apply is in progress, the next one resolves that first`;
  return warningOf("LF6005", "an apply was interrupted, or is still in progress", detail);
}
