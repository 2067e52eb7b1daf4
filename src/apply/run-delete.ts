import type { AnyKind, Wire } from "../model/kind.ts";
import { liveHandle } from "../model/tree.ts";
import { isDormant } from "../plan/find-live.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { changedMeanwhile } from "./check-precondition.ts";
import { isConflict, isMissing, OperationFailed } from "./operation-failed.ts";

/** Deletes an object, after one more look that it is the one that was planned (docs/engine.md, Guards). */
export async function runDelete(context: ApplyContext, operation: Operation): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const id = operation.precondition?.id ?? context.resources.get(operation.address)?.id;
  if (id !== undefined) await removeUntilGone(context, operation, { kind, id });
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

/** Pauses before the looks at an object of which the service says that it is missing while its lists show it. */
const looksAfterMs = [0, 1_000, 2_000];

/**
 * Deletes an object. A 404, to the look before or to the delete, is believed once the lists do not show the object either:
 * it may be the word of a proxy that is passing.
 */
async function removeUntilGone(context: ApplyContext, operation: Operation, found: Found): Promise<void> {
  for (const pauseMs of looksAfterMs) {
    if (pauseMs > 0) await context.clock.sleep(pauseMs);
    if (await stillThere(context, operation, found)) {
      await context.session.record([]);
      if ((await removeObject(context, operation, found)) !== undefined) return;
    }
    if (!(await isListed(context, operation, found))) return;
  }
}

async function isListed(context: ApplyContext, { precondition }: Operation, { kind, id }: Found): Promise<boolean> {
  const node = (await context.shownNow()).nodes.get(liveHandle(kind.name, id));
  return node?.identity?.createdAt === precondition?.createdAt && node !== undefined && !isDormant(kind, node);
}

/**
 * Answers what the service said of it; undefined when it said that there is no such object, or nothing. Where a delete
 * does not take children along (assumption A8), those inside the object's own requests are deleted first.
 */
async function removeObject(context: ApplyContext, { address }: Operation, { kind, id }: Found): Promise<unknown> {
  const { api, plan, resources } = context;
  const place = {
    api,
    organization: plan.target.organization,
    address,
    id,
    parentId: resources.get(address)?.parent ?? 0,
  };
  const remove = async () => kind.remote.remove?.(place);
  const inside = context.kinds.find(({ parent, embedded }) => embedded && parent === kind.name)?.embedded;
  return remove()
    .catch(async (problem: unknown) => {
      if (inside === undefined || !isConflict(problem)) throw problem;
      await kind.remote.update?.({ ...place, body: inside.clear, currentName: "", declared: {} });
      return remove();
    })
    .catch(ignoreMissing);
}

async function stillThere(context: ApplyContext, operation: Operation, { kind, id }: Found): Promise<boolean> {
  const { api, plan } = context;
  const { address, precondition } = operation;
  const scope = { api, organization: plan.target.organization, id, address };
  if (kind.remote.read === undefined) return true;
  const now = await kind.remote.read(scope).catch(ignoreMissing);
  if (now === undefined) return false;
  if (now["createdAt"] !== precondition?.createdAt) throw changedMeanwhile(address, "another object has its id");
  const planned = context.live.nodes.get(`${kind.name}#${id}`)?.fields["name"];
  if (planned !== undefined && now["name"] !== planned && !context.touched.has(address))
    throw changedMeanwhile(address, `it was renamed to ${JSON.stringify(now["name"] ?? null)}`);
  const [appeared] = appearedBelow(context, kind, now);
  if (appeared !== undefined) throw changedMeanwhile(address, `somebody made ${appeared} below it`);
  const history = await kind.history?.(scope);
  if (history && history.running > 0) throw stillRunning(address, history.running);
  return true;
}

/** Objects below one that is to be deleted that were not there when the plan was made: nobody was told that they would be lost. */
function appearedBelow({ kinds, live, answered }: ApplyContext, kind: AnyKind, wire: Wire): readonly string[] {
  return kinds
    .filter(({ parent, embedded }) => parent === kind.name && embedded === undefined)
    .flatMap((child) => (child.remote.within?.(wire, undefined) ?? []).map(({ id }) => liveHandle(child.name, id)))
    .filter((handle) => !live.nodes.has(handle) && !answered.has(handle));
}

function stillRunning(address: string, running: number): OperationFailed {
  const detail = `found ${running} running; expected none. Stop ${running === 1 ? "it" : "them"} and apply again`;
  return new OperationFailed(address, { code: "LF4003", summary: `${address} is running`, detail });
}

function ignoreMissing(problem: unknown): undefined {
  if (isMissing(problem)) return undefined;
  throw problem;
}
