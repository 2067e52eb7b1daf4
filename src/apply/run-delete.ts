import { isDeactivated } from "../model/kind.ts";
import { liveHandle } from "../model/tree.ts";
import type { Operation } from "../plan/plan.ts";
import { handlesBelow } from "../remote/answered-otherwise.ts";
import { readObject, removeUntilGone } from "../remote/confirm-gone.ts";
import type { ApplyContext } from "./apply-context.ts";
import { changedMeanwhile, OperationFailed } from "./operation-failed.ts";

/** Deletes an object, after one more look that it is the one that was planned (docs/engine.md, Guards). */
export async function runDelete(context: ApplyContext, operation: Operation): Promise<void> {
  const { address, precondition, ends = [address] } = operation;
  const kind = context.kindOf(operation.kind);
  const id = precondition?.id ?? context.resources.get(address)?.id;
  if (id !== undefined)
    await removeUntilGone(context.scopeOf(address), kind, {
      id,
      parentId: context.resources.get(address)?.parent,
      inlineKind: context.kinds.find(({ parent, inline }) => inline && parent === kind.name),
      async isListed() {
        const node = (await context.shownNow()).nodes.get(liveHandle(kind.name, id));
        return (
          node?.identity?.createdAt === precondition?.createdAt && node !== undefined && !isDeactivated(kind, node)
        );
      },
      mayRemove: () => mayRemove(context, operation, id),
      sleep: context.clock.sleep,
    });
  for (const each of ends) {
    const former = context.resources.get(each);
    if (former !== undefined) context.deleted.push({ address: each, resource: former });
    context.resources.delete(each);
  }
  await context.session.record(ends.map((each) => ({ phase: "gone", address: each })));
}

/** The look comes last: storing may take its time, and what is created below the object meanwhile must be seen. */
async function mayRemove(context: ApplyContext, operation: Operation, id: number): Promise<boolean> {
  await context.session.record([]);
  return isStillToDelete(context, operation, id);
}

async function isStillToDelete(context: ApplyContext, operation: Operation, id: number): Promise<boolean> {
  const { address, precondition } = operation;
  const kind = context.kindOf(operation.kind);
  const scope = context.scopeOf(address);
  if (kind.remote.read === undefined) return true;
  const now = await readObject(scope, kind, id);
  if (now === undefined) return false;
  if (now.id !== id || now["createdAt"] !== precondition?.createdAt)
    throw changedMeanwhile(address, "Its id now belongs to another object");
  const planned = context.live.nodes.get(liveHandle(kind.name, id))?.fields["name"];
  if (planned !== undefined && now["name"] !== planned && !context.touched.has(address))
    throw changedMeanwhile(address, `It was renamed to ${JSON.stringify(now["name"] ?? null)}`);
  // No plan has shown that an object below it that was created since the plan would be lost.
  const isNew = (handle: string) => !context.live.nodes.has(handle) && !context.answered.has(handle);
  const appeared = handlesBelow(kind, now, context.kinds).find(isNew);
  if (appeared !== undefined) throw changedMeanwhile(address, `${appeared} was created below it`);
  const history = await kind.history?.({ ...scope, id });
  if (history && history.running > 0) {
    const [runs, them] = history.running === 1 ? ["1 run is", "it"] : [`${history.running} runs are`, "them"];
    const detail = `${runs} under way. Stop ${them} and apply again`;
    throw new OperationFailed(address, { code: "LF4003", summary: `${address} is running`, detail });
  }
  return true;
}
