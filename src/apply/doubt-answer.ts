import type { AnyKind, Wire } from "../model/kind.ts";
import { emptyTree, liveHandle } from "../model/tree.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { bindWhatWasMade } from "./confirm-writes.ts";
import { DoubtfulAnswer, isMissing } from "./operation-failed.ts";

/**
 * Refuses the answer to a create that is about an object which the create cannot have made: one that another create of
 * this run was answered with, or that was there before, bound to another address or read with the same creation time. An
 * id whose former object is gone may have been given again, which its own GET shows.
 */
export async function doubtAnswer(context: ApplyContext, operation: Operation, wire: Wire): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const handle = liveHandle(kind.name, wire.id);
  const answered = { kind, wire, handle };
  const claimant = context.answered.get(handle);
  // Without a pause after the look: two answers with the same id may come at the same moment.
  if (claimant === undefined) context.answered.set(handle, operation.address);
  if (claimant !== undefined && claimant !== operation.address)
    throw new DoubtfulAnswer(`found ${handle}, which another create was answered with`);
  const before = createdBefore(context, operation, answered);
  if (before.length === 0) return;
  const isSame = async () => (await readNow(context, answered))?.["createdAt"] === wire["createdAt"];
  if (!before.includes(String(wire["createdAt"])) && (await isSame())) return;
  if (context.answered.get(handle) === operation.address) context.answered.delete(handle);
  throw new DoubtfulAnswer(`found ${handle}, which was there before`);
}

interface Answered {
  readonly kind: AnyKind;
  readonly wire: Wire;
  readonly handle: string;
}

/** What turned out to be the object of an address is taken from creates that were answered with it; they are looked for. */
export async function takeFromOthers(context: ApplyContext, address: string, handle: string): Promise<void> {
  context.answered.set(handle, address);
  for (const [other, intent] of context.created) {
    const resource = context.resources.get(other);
    if (other === address || resource === undefined || liveHandle(resource.kind, resource.id) !== handle) continue;
    await bindWhatWasMade(context, await context.reread().catch(() => emptyTree), { intent, resource });
  }
}

/** When the objects were created that had this id before, those left out that an upsert may find again. */
function createdBefore(
  { boundBefore, live, state }: ApplyContext,
  { address, deposes }: Operation,
  { kind, wire, handle }: Answered,
): readonly string[] {
  const node = live.nodes.get(handle);
  const isUpserted = kind.remote.upserts === true && node?.fields["name"] === wire["name"];
  const isFormer = state.resources[address]?.id === wire.id;
  const read = node?.identity === undefined || isUpserted || isFormer ? [] : [node.identity.createdAt];
  const bound = boundBefore.get(handle);
  const isOwn = bound === undefined || bound.address === address || bound.address === deposes;
  return isOwn ? read : [...read, bound.createdAt];
}

/** The object that has the id now; undefined when there is none, or its kind has no read of one. A failed look leaves the doubt. */
async function readNow({ api, plan }: ApplyContext, { kind, wire, handle }: Answered): Promise<Wire | undefined> {
  const scope = { api, organization: plan.target.organization, address: handle, id: wire.id };
  return kind.remote.read?.(scope).catch((problem: unknown) => {
    if (isMissing(problem)) return undefined;
    throw new DoubtfulAnswer(`${handle} could not be read`, { cause: problem });
  });
}
