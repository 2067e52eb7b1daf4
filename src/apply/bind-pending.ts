import type { Wire } from "../model/kind.ts";
import type { ApplyContext } from "./apply-context.ts";
import { bindAnswer } from "./bind-answer.ts";

/** Binds wishes that came true with what carries them: a tag that a scenario just brought (docs/engine.md, Write routes). */
export async function bindPending(context: ApplyContext): Promise<void> {
  const waiting = context.plan.pending;
  if (waiting.length === 0 || context.plan.operations.length === 0) return;
  const lists = new Map<string, readonly Wire[]>();
  for (const name of new Set(waiting.map(({ kind }) => kind))) lists.set(name, await listKind(context, name));
  for (const { address, kind, name, binding } of waiting) {
    const wire = lists.get(kind)?.find((candidate) => candidate["name"] === name);
    if (wire === undefined) continue;
    const resource = bindAnswer({ kind: context.kindOf(kind), wire, binding, parentId: undefined, hash: context.hash });
    context.resources.set(address, resource);
    await context.session.record([{ phase: "done", address, resource }]);
  }
}

async function listKind(context: ApplyContext, name: string): Promise<readonly Wire[]> {
  const { api, plan } = context;
  const scope = { api, organization: plan.target.organization, address: name, filtered: true };
  return (
    (await context
      .kindOf(name)
      .remote.list?.(scope)
      .catch(() => [])) ?? []
  );
}
