import type { AnyKind, Wire } from "../model/kind.ts";
import { liveHandle } from "../model/tree.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { DoubtfulAnswer, isMissing } from "./operation-failed.ts";

/**
 * Refuses the answer to a create that is about an object which was there before: bound to another address, or read with
 * the same creation time. An id whose former object is gone may have been given again, which its own GET shows.
 */
export async function doubtAnswer(context: ApplyContext, operation: Operation, wire: Wire): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const before = createdBefore(context, operation, { kind, wire });
  if (before.length === 0) return;
  const isKnown = before.includes(String(wire["createdAt"])) || !(await isThere(context, kind, wire));
  if (isKnown) throw new DoubtfulAnswer(`found ${liveHandle(kind.name, wire.id)}, which was there before`);
}

/** When the objects were created that had this id before, those left out that an upsert may find again. */
function createdBefore(
  { resources, live, state }: ApplyContext,
  { address, deposes }: Operation,
  { kind, wire }: { readonly kind: AnyKind; readonly wire: Wire },
): readonly string[] {
  const node = live.nodes.get(liveHandle(kind.name, wire.id));
  const isUpserted = kind.remote.upserts === true && node?.fields["name"] === wire["name"];
  const isFormer = state.resources[address]?.id === wire.id;
  const read = node?.identity === undefined || isUpserted || isFormer ? [] : [node.identity.createdAt];
  const bound = [...resources].flatMap(([each, { kind: name, id, createdAt }]) =>
    name === kind.name && id === wire.id && each !== address && each !== deposes ? [createdAt] : [],
  );
  return [...read, ...bound];
}

async function isThere({ api, plan }: ApplyContext, kind: AnyKind, { id, createdAt }: Wire): Promise<boolean> {
  const scope = { api, organization: plan.target.organization, address: liveHandle(kind.name, id), id };
  const found = await kind.remote.read?.(scope).catch((problem: unknown) => {
    if (!isMissing(problem)) throw problem;
  });
  return found?.["createdAt"] === createdAt;
}
