import { isWithin, parentAddress } from "../model/address.ts";
import type { Operation } from "../plan/plan.ts";
import type { StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { OperationFailed } from "./operation-failed.ts";
import { standsById } from "./stands-by-id.ts";

/**
 * An object that the service's list no longer showed is asked for once more by its id before it is made again: the list
 * may have been late or cut short (docs/engine.md, Assumptions A10 and A15).
 */
export async function refuseHidden(context: ApplyContext, { address, kind: name }: Operation): Promise<void> {
  const { api, plan, resources, vanished } = context;
  const kind = context.kindOf(name);
  const known = resources.get(address);
  const parent = parentAddress(address);
  if (!vanished.has(address) || known === undefined) return;
  // A parent that is surely gone took it along.
  if (parent !== undefined && vanished.has(parent)) return;
  const isThere = await standsById(kind, known, { api, organization: plan.target.organization, address });
  if (isThere) refuse(context, { address, kind: name }, known.id);
}

/** The same where an upsert answered with the object that was not shown, and so nothing below it; what slept may be woken. */
export function refuseShown(
  context: ApplyContext,
  { address, kind }: Operation,
  former: StateResource | undefined,
): void {
  const { vanished, resources, kindOf } = context;
  const now = resources.get(address);
  const isSame = former?.id === now?.id && former?.createdAt === now?.createdAt;
  const isHidden = isSame && vanished.has(address) && kindOf(kind).remote.dormant === undefined;
  if (isHidden && now !== undefined) refuse(context, { address, kind }, now.id);
}

/** It is there after all: what was bound below it, and was taken for gone with it, stays bound. */
function refuse(
  { state, resources }: ApplyContext,
  { address, kind }: Pick<Operation, "address" | "kind">,
  id: number,
): never {
  for (const [each, resource] of Object.entries(state.resources))
    if (isWithin(each, address) && !resources.has(each)) resources.set(each, resource);
  throw new OperationFailed(address, {
    code: "LF6002",
    summary: `${address} is there after all`,
    detail: `found ${kind} ${id}, which the service's list did not show; expected it to be gone. It was not made a second time. Plan again; if this stays so, the service's lists are incomplete`,
  });
}
