import { isContentMark } from "../model/fingerprint.ts";
import type { JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { isDeactivated } from "../model/kind.ts";
import { readFields } from "../model/normal-form.ts";
import { liveHandle } from "../model/tree.ts";
import type { Operation, Precondition } from "../plan/plan.ts";
import { findNamesake, hasTakenOver } from "../remote/answered-otherwise.ts";
import { changedFields, changedInAnswer } from "../remote/compare-answer.ts";
import { readObject } from "../remote/confirm-gone.ts";
import type { ApplyContext } from "./apply-context.ts";
import { lookLastsMs } from "./apply-context.ts";
import { OperationFailed } from "./explain-failure.ts";

/** From this age on, what was read is read again before it is written (docs/engine.md, Concurrency). */
const staleAfterMs = 10_000;

/** Refuses to write over what someone changed since it was read. */
export async function checkPrecondition(context: ApplyContext, operation: Operation, kind: AnyKind): Promise<void> {
  const { precondition, address } = operation;
  const isFresh = context.clock.now() - context.readAt <= staleAfterMs;
  if (precondition === undefined || isFresh || context.touched.has(address) || kind.remote.read === undefined) return;
  const now = await readObject(context.scopeOf(address), kind, precondition.id);
  if (now === undefined) throw changedMeanwhile(address, "It is gone");
  if (now["createdAt"] !== precondition.createdAt)
    throw changedMeanwhile(address, "Its id now belongs to another object");
  if (now["updatedAt"] === precondition.updatedAt) return;
  const moved = [
    ...changedFields(kind, precondition.managed, { wire: now, sources: context.sourcesOf(address) }),
    ...(await movedContents(context, kind, { operation, precondition, now })),
  ];
  if (moved.length > 0) throw changedMeanwhile(address, `Someone changed ${moved.join(", ")}`);
}

/** Texts and files that are others than those that were read; what an answer does not carry is fetched. */
async function movedContents(
  context: ApplyContext,
  kind: AnyKind,
  { operation, precondition, now }: { operation: Operation; precondition: Precondition; now: Wire },
): Promise<readonly string[]> {
  const scope = { ...context.scopeOf(operation.address), id: precondition.id };
  const fields = readFields(kind, now);
  const moved: string[] = [];
  for (const [name, planned] of Object.entries(precondition.managed)) {
    if (!isContentMark(planned)) continue;
    const content = kind.fields[name]?.content === "bytes" ? await kind.remote.download?.(scope) : fields[name];
    const isText = typeof content === "string" || content instanceof Uint8Array;
    if (!isText || context.hash(content) !== planned.$content) moved.push(name);
  }
  return moved;
}

/** The object is not as planned, so it is left alone; `found` is a sentence. */
export function changedMeanwhile(address: string, found: string): OperationFailed {
  return new OperationFailed(address, {
    code: "LF6002",
    summary: `${address} changed since it was planned`,
    detail: `${found}. Nothing was written to it. Plan again`,
  });
}

/**
 * An upsert that is sent more than a second after the tree was read is preceded by a look for an object of its name: one
 * that was created outside meanwhile would be updated, and bound as if this run had made it. What is bound here, or was deleted
 * by this run and is listed late, belongs to this run.
 */
export async function refuseNamesake(
  context: ApplyContext,
  operation: Operation,
  upsert: { readonly body: JsonObject; readonly parentId?: number | undefined },
): Promise<void> {
  const kind = context.kindOf(operation.kind);
  if (context.clock.now() - context.readAt <= lookLastsMs) return;
  const found = await findNamesake({ ...context.scopeOf(operation.address), api: context.look() }, kind, upsert);
  if (found === undefined || isKnown(context, kind, found)) return;
  throw takenMeanwhile(kind, operation, found, "Nothing was written to it.");
}

/** An upsert whose answer shows an object of somebody else updated an unmanaged one: it is reported and not bound. */
export function refuseTakenOver(
  context: ApplyContext,
  operation: Operation,
  { wire, sentAt }: { readonly wire: Wire; readonly sentAt: number },
): void {
  const { kinds, answered, clock } = context;
  const kind = context.kindOf(operation.kind);
  if (isKnown(context, kind, wire)) return;
  const elapsedMs = clock.now() - sentAt;
  if (hasTakenOver(kind, { wire, elapsedMs, kinds, isOurs: (handle) => answered.has(handle) }))
    throw takenMeanwhile(kind, operation, wire, "The write updated it; check whether it lost anything.");
}

/** Bound here when the run began, or inactive: such objects count as absent, and a create activates them again. */
function isKnown({ live, boundBefore }: ApplyContext, kind: AnyKind, wire: Wire): boolean {
  const handle = liveHandle(kind.name, wire.id);
  const node = live.nodes.get(handle);
  const isInactive = node !== undefined && isDeactivated(kind, node);
  return isInactive || boundBefore.get(handle)?.createdAt === wire["createdAt"];
}

function takenMeanwhile(kind: AnyKind, { address, declared }: Operation, { id }: Wire, done: string): OperationFailed {
  const name = JSON.stringify(declared["name"] ?? "");
  return new OperationFailed(address, {
    code: "LF3001",
    summary: `${kind.name} ${name} exists already`,
    detail: `Somebody created ${liveHandle(kind.name, id)} under this name since the service was read. It is not bound to this project. ${done} Plan again: the plan says how to take it over`,
  });
}

/** Warns of values in an answer that differ from those sent: changed outside, or not accepted by the service. */
export function tellChanged(context: ApplyContext, { address, kind, fields }: Operation, wire: Wire): void {
  const sources = context.sourcesOf(address);
  for (const { name, sent, found } of changedInAnswer(context.kindOf(kind), fields, { wire, sources }))
    context.emit({
      type: "diagnostic",
      diagnostic: {
        severity: "warning",
        code: "LF6003",
        summary: `${address}: the service stored another ${name}`,
        detail: `${shorten(sent)} was sent, and the answer shows ${shorten(found)}: someone may have changed it at the same moment. Plan again`,
        address,
      },
      address,
    });
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
