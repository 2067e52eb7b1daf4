import type { JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { liveHandle } from "../model/tree.ts";
import { isDormant } from "../plan/find-live.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { isMissing, OperationFailed } from "./operation-failed.ts";
import { lookLastsMs } from "./shared-look.ts";

/** How far two readings of one clock of the service may be apart within one write. */
const stampSlackMs = 20;

/**
 * An upsert that is sent more than a second after the tree was read is preceded by a look for an object of its name: one
 * that somebody made meanwhile would be updated, and bound as if this run had made it. What is bound here, or was deleted
 * by this run and is listed late, is nobody else's.
 */
export async function refuseNamesake(
  context: ApplyContext,
  {
    operation,
    body,
    parentId = 0,
  }: { readonly operation: Operation; readonly body: JsonObject; readonly parentId?: number },
): Promise<void> {
  const { address } = operation;
  const kind = context.kindOf(operation.kind);
  if (kind.remote.namesake === undefined || context.clock.now() - context.readAt <= lookLastsMs) return;
  const scope = { api: context.look(), organization: context.plan.target.organization, address };
  const found = await kind.remote.namesake({ ...scope, body, parentId }).catch((problem: unknown) => {
    if (!isMissing(problem)) throw problem;
  });
  if (found === undefined || isKnown(context, kind, found)) return;
  throw takenMeanwhile(kind, operation, found, "Nothing was written to it.");
}

/**
 * An upsert whose answer shows an object that is older than the request updated somebody else's: it is reported and not
 * bound. Its age is the span between its own two times, so that the two clocks need not agree.
 */
export function refuseOlder(
  context: ApplyContext,
  operation: Operation,
  { wire, sentAt }: { readonly wire: Wire; readonly sentAt: number },
): void {
  const kind = context.kindOf(operation.kind);
  if (isKnown(context, kind, wire)) return;
  const createdAt = Date.parse(String(wire["createdAt"]));
  const updatedAt = Date.parse(String(wire["updatedAt"] ?? wire["createdAt"]));
  const isOlder = updatedAt - createdAt > context.clock.now() - sentAt + stampSlackMs;
  if (isOlder || (kind.remote.upserts && hasChildren(context, kind, wire)))
    throw takenMeanwhile(kind, operation, wire, "The write updated it; look whether it lost anything.");
}

/** What was just created has nothing below it but what the request carried. */
function hasChildren({ kinds }: ApplyContext, kind: AnyKind, wire: Wire): boolean {
  const below = kinds.filter(({ parent, embedded }) => parent === kind.name && embedded === undefined);
  return below.some((child) => (child.remote.within?.(wire, undefined) ?? []).length > 0);
}

/** Bound here when the run began, or inactive: such objects count as absent, and a create activates them again. */
function isKnown({ live, boundBefore }: ApplyContext, kind: AnyKind, wire: Wire): boolean {
  const handle = liveHandle(kind.name, wire.id);
  const node = live.nodes.get(handle);
  const isInactive = node !== undefined && isDormant(kind, node);
  return isInactive || boundBefore.get(handle)?.createdAt === wire["createdAt"];
}

function takenMeanwhile(kind: AnyKind, { address, declared }: Operation, { id }: Wire, done: string): OperationFailed {
  const name = JSON.stringify(declared["name"] ?? "");
  return new OperationFailed(address, {
    code: "LF3001",
    summary: `${kind.name} ${name} exists already`,
    detail: `found ${liveHandle(kind.name, id)}, which somebody made under this name since the service was read; expected none. It is not bound to this project. ${done} Plan again: the plan says how to take it over`,
  });
}
