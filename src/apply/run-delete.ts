import type { AnyKind } from "../model/kind.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { changedMeanwhile } from "./check-precondition.ts";
import { isConflict, isMissing, OperationFailed } from "./operation-failed.ts";

/** Deletes an object, after one more look that it is the one that was planned (engine.md 2.12). */
export async function runDelete(context: ApplyContext, operation: Operation): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const id = operation.precondition?.id ?? context.resources.get(operation.address)?.id;
  if (id !== undefined && (await stillThere(context, operation, { kind, id }))) {
    await context.session.record([]);
    await removeObject(context, operation, { kind, id });
  }
  const ends = operation.ends ?? [operation.address];
  for (const address of ends) context.resources.delete(address);
  await context.session.record(ends.map((address) => ({ phase: "gone", address })));
}

interface Found {
  readonly kind: AnyKind;
  readonly id: number;
}

/** Where a delete does not take children along (engine.md 2.15, A8), those inside the object's own requests go first. */
async function removeObject(context: ApplyContext, { address }: Operation, { kind, id }: Found): Promise<void> {
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
  await remove()
    .catch(async (problem: unknown) => {
      if (inside === undefined || !isConflict(problem)) throw problem;
      await kind.remote.update?.({ ...place, body: inside.clear, currentName: "", declared: {} });
      await remove();
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
  const history = await kind.history?.(scope);
  if (history && history.running > 0) throw stillRunning(address, history.running);
  return true;
}

function stillRunning(address: string, running: number): OperationFailed {
  const detail = `found ${running} running; expected none. Stop ${running === 1 ? "it" : "them"} and apply again`;
  return new OperationFailed(address, { code: "LF4003", summary: `${address} is running`, detail });
}

function ignoreMissing(problem: unknown): undefined {
  if (isMissing(problem)) return undefined;
  throw problem;
}
