import type { JsonObject } from "../model/json.ts";
import { type AnyKind, isDeactivated, type Wire } from "../model/kind.ts";
import { WaitStopped } from "../model/sleep-unless.ts";
import { liveHandle } from "../model/tree.ts";
import type { Operation } from "../plan/plan.ts";
import { findNamesake, hasTakenOver } from "../remote/answered-otherwise.ts";
import { CreateInDoubt, createSurely } from "../remote/create-surely.ts";
import { writeOnlyFields } from "../remote/encode-fields.ts";
import { isUnresolved } from "../remote/find-lost-create.ts";
import { createBody, createObject } from "../remote/write-object.ts";
import type { JournalEntry } from "../state/journal.ts";
import { type CreateIntent, renewIntent, type StateResource } from "../state/state.ts";
import { type ApplyContext, lookLastsMs } from "./apply-context.ts";
import { bindWritten, inlineOf, tellChanged } from "./bind-answer.ts";
import { createOfRun, refuseWrongId, takeFromOthers } from "./confirm-writes.ts";
import { intentsOf } from "./create-intents.ts";
import { refuseHidden, refuseShown } from "./hidden-objects.ts";
import { ambiguousCreate, OperationFailed } from "./operation-failed.ts";

/** The turn of an operation among those that write at a time. */
export interface Turn {
  /** Resolves when the operation may send; rejects when nothing is sent any more. */
  readonly begin: () => Promise<void>;
  /** The service has answered for good: the next one's turn may come before the answer is noted. */
  readonly answered: () => void;
}

/**
 * Creates an object: the intent is durable before the request leaves (docs/engine.md, Journal and recovery), and recorded ahead
 * of the operation's turn unless the replaced object is bound to another address with it.
 */
export async function runCreate(context: ApplyContext, operation: Operation, turn: Turn): Promise<void> {
  const { address, deposes, parent } = operation;
  const isAhead = deposes === undefined;
  if (!isAhead) await turn.begin();
  const place = { parentId: parent === undefined ? undefined : idOfParent(context, parent) };
  await refuseHidden(context, operation);
  const kind = context.kindOf(operation.kind);
  const fields = { ...operation.fields, ...writeOnlyFields(kind, operation.declared) };
  const inline = inlineOf(context, operation);
  const body = createBody(kind, { fields, sources: context.sourcesOf(address), ...(inline && { inline }) });
  const intents = intentsOf(context, operation);
  const fail = failing(context, intents);
  const look = () => refuseNamesake(context, operation, { body, ...place }).catch(fail);
  // This look also precedes the journal: a refused create must not seem to be pending if the run is killed now.
  await look();
  const former = context.resources.get(address);
  const sent = intents.map((intent): JournalEntry => ({ phase: "intent", intent }));
  await context.session.record([...rebind(context, former, [address, deposes]), ...sent]);
  if (isAhead) await turn.begin().catch(fail);
  const send = () => {
    // The parent may be bound to another object meanwhile, if its create was answered wrongly.
    if (parent !== undefined) place.parentId = idOfParent(context, parent);
    return createObject(context.scopeOf(address), kind, { body, ...place });
  };
  let wire: Wire;
  try {
    await look();
    const sentAt = context.clock.now();
    wire = await sendSurely(context, { operation, kind, intents, send });
    const takenOver = takeoverIn(context, operation, { wire, sentAt });
    if (takenOver !== undefined) await fail(takenOver);
  } catch (problem) {
    if (!context.unresolved.has(address)) await context.session.record(rebind(context, former, [deposes, address]));
    throw problem;
  }
  const noted = bindWritten(context, operation, { kind, wire, ...place, intents });
  turn.answered();
  await noted;
  tellChanged(context, operation, wire);
  refuseShown(context, operation, former);
}

/** Binds the old object to a second address while its replacement is created, so that neither is lost if the run is killed. */
function rebind(
  context: ApplyContext,
  resource: StateResource | undefined,
  [from, to]: readonly [string | undefined, string | undefined],
): readonly JournalEntry[] {
  if (resource === undefined || from === undefined || to === undefined) return [];
  context.resources.delete(from);
  context.resources.set(to, resource);
  return [{ phase: "moved", address: from, to, resource }];
}

function idOfParent(context: ApplyContext, address: string): number {
  const resource = context.resources.get(address);
  if (resource !== undefined) return resource.id;
  const summary = `${address} is not bound`;
  const detail = "loadform does not know which object it is, so nothing below it can be created. Run apply again";
  throw new OperationFailed(address, { code: "LF6004", summary, detail });
}

function failing(context: ApplyContext, intents: readonly CreateIntent[]): (problem: unknown) => Promise<never> {
  return async (problem) => {
    await context.session.record(intents.map(({ address }) => ({ phase: "fail", address })));
    throw problem;
  };
}

/** Sends a create by the protocol of `remote`, with its intents noted in the journal. */
async function sendSurely(
  context: ApplyContext,
  of: {
    readonly operation: Operation;
    readonly kind: AnyKind;
    readonly intents: readonly CreateIntent[];
    readonly send: () => Promise<Wire>;
  },
): Promise<Wire> {
  const { clock, signal, session } = context;
  const { operation, kind } = of;
  const { address } = operation;
  let { intents } = of;
  const renew = () => {
    intents = intents.map((intent) => renewIntent(intent, clock.now()));
  };
  try {
    return await createSurely({
      ...{ kind, clock, signal, scope: context.scopeOf(address) },
      async send() {
        const wire = await of.send();
        await refuseWrongId(context, operation, wire);
        return wire;
      },
      lost() {
        // It may have waited for long, and have been sent only just now.
        renew();
        const [own] = intents;
        if (own === undefined) throw new Error(`${operation.id} has no intent`);
        return { ...createOfRun(context, own), isOwn: true };
      },
      look: () => context.reread(intents.slice(0, 1)),
      waiting: (_creates, ms) => context.waiting?.(address, ms),
      found: (handle) => takeFromOthers(context, address, handle),
      async again() {
        // It may take effect as late as what was sent first: its time counts from now, durably.
        renew();
        await session.record(intents.map((intent): JournalEntry => ({ phase: "intent", intent })));
      },
    });
  } catch (problem) {
    if (!(problem instanceof CreateInDoubt)) {
      // Surely not created after all its tries: the next run looks once more.
      if (isUnresolved(problem)) throw problem;
      return failing(context, intents)(problem);
    }
    context.keepUnresolved(intents);
    if (problem.nodes.length > 0) throw ambiguousCreate(address, problem.nodes);
    throw problem.cause instanceof WaitStopped ? problem.sent : problem.cause;
  }
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
function takeoverIn(
  context: ApplyContext,
  operation: Operation,
  { wire, sentAt }: { readonly wire: Wire; readonly sentAt: number },
): OperationFailed | undefined {
  const { kinds, answered, clock } = context;
  const kind = context.kindOf(operation.kind);
  if (isKnown(context, kind, wire)) return undefined;
  const elapsedMs = clock.now() - sentAt;
  return hasTakenOver(kind, { wire, elapsedMs, kinds, isOurs: (handle) => answered.has(handle) })
    ? takenMeanwhile(kind, operation, wire, "The write updated it; check whether it lost anything.")
    : undefined;
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
