import { findCreated } from "../apply/recover-create.ts";
import { kinds } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { kindsByName } from "../model/kind.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import type { State, StateResource } from "../state/state.ts";
import type { StoredState } from "../state/store.ts";

/** Matches the creates of an interrupted run in memory, for a plan: nothing is stored (engine.md 2.2). */
export function matchIntents(
  stored: StoredState,
  live: Tree,
): { readonly state: State; readonly diagnostics: readonly Diagnostic[] } {
  if (stored.intents.length === 0) return { state: stored.state, diagnostics: [] };
  const byName = kindsByName(kinds);
  const resources: Record<string, StateResource> = { ...stored.state.resources };
  for (const intent of stored.intents) {
    const kind = byName.get(intent.kind);
    const parent = intent.parent === undefined ? undefined : resources[intent.parent];
    if (kind === undefined || intent.address in resources || (intent.parent !== undefined && parent === undefined))
      continue;
    const bound = new Set(Object.values(resources).map((resource) => liveHandle(resource.kind, resource.id)));
    const found = findCreated({ kind, intent, parentId: parent?.id, isBound: (handle) => bound.has(handle) }, live);
    const [node] = found;
    if (node?.identity === undefined || found.length > 1) continue;
    const { id, createdAt } = node.identity;
    resources[intent.address] = { kind: kind.name, id, createdAt, ...(parent && { parent: parent.id }), applied: {} };
  }
  return { state: { ...stored.state, resources }, diagnostics: [interrupted(stored.intents.length)] };
}

function interrupted(count: number): Diagnostic {
  const what = count === 1 ? "one create" : `${count} creates`;
  return {
    severity: "warning",
    code: "LF6005",
    summary: "an earlier run was interrupted",
    detail: `found ${what} of which it is not known how they ended; this plan takes what the service shows. The next apply settles them first`,
  };
}
