import { warningOf } from "../model/diagnostic.ts";
import { contentVersionOf, type Hash } from "../model/fingerprint.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import type { BindingParts, Operation, PlannedChild } from "../plan/plan.ts";
import { changedInAnswer } from "../remote/compare-answer.ts";
import { type InlineList, writtenChildren } from "../remote/inline-children.ts";
import type { JournalEntry } from "../state/journal.ts";
import type { CreateIntent, StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";

function bindAnswer(of: {
  readonly kind: AnyKind;
  readonly wire: Wire;
  readonly binding: BindingParts;
  readonly parentId: number | undefined;
  readonly hash: Hash;
  /** The former binding, for members that the answer lacks. */
  readonly former?: StateResource;
}): StateResource {
  const { kind, wire, binding, parentId, former, hash } = of;
  const createdAt = typeof wire["createdAt"] === "string" ? wire["createdAt"] : (former?.createdAt ?? "");
  const { contentVersion: members } = kind;
  // Only a whole set of members is the content version of a text that is not read again.
  const isWhole = members?.every((member) => wire[member] !== undefined);
  const seen = members && isWhole ? contentVersionOf(wire, members, hash) : undefined;
  return {
    ...binding,
    id: wire.id,
    createdAt,
    ...(parentId === undefined ? {} : { parent: parentId }),
    ...(seen && { seen }),
  };
}

/** The inline children of a request, as remote writes them. */
export function inlineOf(
  context: ApplyContext,
  { inlineChildren, address }: Operation,
): (InlineList<PlannedChild> & { readonly kind: AnyKind }) | undefined {
  if (inlineChildren === undefined) return undefined;
  const items = inlineChildren.items.map((one) => ({ ...one, separate: { ...one.separate, ...one.binding?.applied } }));
  return {
    ...{ kind: context.kindOf(inlineChildren.kind), items, unchanged: inlineChildren.unchanged },
    sourcesOf: (item) => context.sourcesOf(item.address ?? address),
  };
}

function bindInline(context: ApplyContext, operation: Operation, wire: Wire) {
  const inline = inlineOf(context, operation);
  if (inline === undefined) return [];
  const { kind } = inline;
  const { hash } = context;
  return writtenChildren(inline, wire).flatMap(({ item, child, isAnew }) => {
    const { address, binding, boundTo } = item;
    if (inline.unchanged && !isAnew) return [];
    if (address !== undefined && binding !== undefined)
      return [[address, bindAnswer({ kind, wire: child, binding, parentId: wire.id, hash })] as const];
    const former = boundTo === undefined ? undefined : context.resources.get(boundTo);
    if (boundTo === undefined || former === undefined || !isAnew) return [];
    return [[boundTo, bindAnswer({ kind, wire: child, binding: former, parentId: wire.id, former, hash })] as const];
  });
}

/** Binds what an answer shows, and notes it; the creates that it answers remain open until they are confirmed. */
export async function bindWritten(
  context: ApplyContext,
  operation: Operation,
  answer: Pick<Parameters<typeof bindAnswer>[0], "kind" | "wire" | "parentId" | "former"> & {
    /** Creates that it answers for the first time. */
    readonly intents: readonly CreateIntent[];
  },
): Promise<void> {
  const { created, resources, hash } = context;
  const { address, binding, ends = [] } = operation;
  const { wire, intents, ...known } = answer;
  if (binding === undefined && operation.op === "create") throw new Error(`${operation.id} has no binding`);
  for (const intent of intents) {
    // Earlier objects no longer matter, as the answer has the time of the creation; not so for inline children of the same request.
    const createdAt = intent.address === address ? { createdAt: String(wire["createdAt"]) } : {};
    created.set(intent.address, { ...intent, preIds: [], ...createdAt });
  }
  const own: readonly (readonly [string, StateResource])[] =
    binding === undefined ? [] : [[address, bindAnswer({ ...known, wire, binding, hash })]];
  const bound = [...own, ...bindInline(context, operation, wire)];
  // The object exists even if the store fails now: the state that is saved at the end must have it.
  for (const each of ends) resources.delete(each);
  for (const [each, resource] of bound) resources.set(each, resource);
  context.touched.add(address);
  const ended = ends.map((each): JournalEntry => ({ phase: "gone", address: each }));
  const done = bound.map(([each, resource]): JournalEntry => {
    const intent = created.get(each);
    return { phase: "done", address: each, resource, ...(intent && { intent }) };
  });
  await context.session.record([...ended, ...done]);
}

/** Warns of values in an answer that differ from those sent: changed outside, or not accepted by the service. */
export function tellChanged(context: ApplyContext, { address, kind, fields }: Operation, wire: Wire): void {
  const sources = context.sourcesOf(address);
  for (const { name, sent, found } of changedInAnswer(context.kindOf(kind), fields, { wire, sources })) {
    const detail = `${shorten(sent)} was sent, and the answer shows ${shorten(found)}: someone may have changed it at the same moment. Plan again`;
    const told = warningOf("LF6003", `${address}: the service stored another ${name}`, detail);
    context.emit({ type: "diagnostic", diagnostic: { ...told, address }, address });
  }
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

/** Binds what was created by its use: a tag that a scenario just carried (docs/engine.md, Write routes). */
export async function bindCreatedByUse(context: ApplyContext): Promise<void> {
  const waiting = context.plan.pending;
  if (waiting.length === 0 || context.plan.operations.length === 0) return;
  const lists = new Map<string, readonly Wire[]>();
  for (const name of new Set(waiting.map(({ kind }) => kind))) {
    const listed = context.kindOf(name).remote.list?.(context.scopeOf(name));
    lists.set(name, (await listed?.catch(() => [])) ?? []);
  }
  for (const { address, kind, name, binding } of waiting) {
    const wire = lists.get(kind)?.find((candidate) => candidate["name"] === name);
    if (wire === undefined) continue;
    const resource = bindAnswer({ kind: context.kindOf(kind), wire, binding, parentId: undefined, hash: context.hash });
    context.resources.set(address, resource);
    await context.session.record([{ phase: "done", address, resource }]);
  }
}
