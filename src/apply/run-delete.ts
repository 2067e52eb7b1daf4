import type { AnyKind } from "../model/kind.ts";
import { isDeactivated } from "../model/kind.ts";
import { liveHandle } from "../model/tree.ts";
import type { Operation } from "../plan/plan.ts";
import { handlesBelow } from "../remote/answered-otherwise.ts";
import { readObject, removeUntilGone } from "../remote/confirm-gone.ts";
import type { ApplyContext } from "./apply-context.ts";
import { changedMeanwhile, OperationFailed } from "./explain-failure.ts";

/** Deletes an object, after one more look that it is the one that was planned (docs/engine.md, Guards). */
export async function runDelete(context: ApplyContext, operation: Operation): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const id = operation.precondition?.id ?? context.resources.get(operation.address)?.id;
  if (id !== undefined) {
    const found = { kind, id };
    await removeUntilGone(context.scopeOf(operation.address), kind, {
      id,
      parentId: context.resources.get(operation.address)?.parent,
      inlineKind: context.kinds.find(({ parent, inline }) => inline && parent === kind.name),
      mayRemove: () => mayRemove(context, operation, found),
      isListed: () => isListed(context, operation, found),
      sleep: context.clock.sleep,
    });
  }
  const former = context.resources.get(operation.address);
  if (former !== undefined) context.deleted.push({ address: operation.address, resource: former });
  const ends = operation.ends ?? [operation.address];
  for (const address of ends) context.resources.delete(address);
  await context.session.record(ends.map((address) => ({ phase: "gone", address })));
}

interface Found {
  readonly kind: AnyKind;
  readonly id: number;
}

/** The look comes last: storing may take its time, and what is created below the object meanwhile must be seen. */
async function mayRemove(context: ApplyContext, operation: Operation, found: Found): Promise<boolean> {
  await context.session.record([]);
  return isStillToDelete(context, operation, found);
}

async function isListed(context: ApplyContext, { precondition }: Operation, { kind, id }: Found): Promise<boolean> {
  const node = (await context.shownNow()).nodes.get(liveHandle(kind.name, id));
  return node?.identity?.createdAt === precondition?.createdAt && node !== undefined && !isDeactivated(kind, node);
}

async function isStillToDelete(context: ApplyContext, operation: Operation, { kind, id }: Found): Promise<boolean> {
  const { address, precondition } = operation;
  const scope = context.scopeOf(address);
  if (kind.remote.read === undefined) return true;
  const now = await readObject(scope, kind, id);
  if (now === undefined) return false;
  if (now["createdAt"] !== precondition?.createdAt)
    throw changedMeanwhile(address, "Its id now belongs to another object");
  const planned = context.live.nodes.get(liveHandle(kind.name, id))?.fields["name"];
  if (planned !== undefined && now["name"] !== planned && !context.touched.has(address))
    throw changedMeanwhile(address, `It was renamed to ${JSON.stringify(now["name"] ?? null)}`);
  // No plan has shown that an object below it that was created since the plan would be lost.
  const isNew = (handle: string) => !context.live.nodes.has(handle) && !context.answered.has(handle);
  const appeared = handlesBelow(kind, now, context.kinds).find(isNew);
  if (appeared !== undefined) throw changedMeanwhile(address, `${appeared} was created below it`);
  const history = await kind.history?.({ ...scope, id });
  if (history && history.running > 0) throw stillRunning(address, history.running);
  return true;
}

function stillRunning(address: string, running: number): OperationFailed {
  const [runs, them] = running === 1 ? ["1 run is", "it"] : [`${running} runs are`, "them"];
  const detail = `${runs} under way. Stop ${them} and apply again`;
  return new OperationFailed(address, { code: "LF4003", summary: `${address} is running`, detail });
}
