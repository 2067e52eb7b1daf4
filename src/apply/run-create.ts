import type { JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { ServiceError } from "../model/service-error.ts";
import type { TreeNode } from "../model/tree.ts";
import type { Operation } from "../plan/plan.ts";
import { writeOnlyFields } from "../remote/encode-fields.ts";
import { absent, isUnresolved } from "../remote/find-lost-create.ts";
import { createBody, createObject } from "../remote/write-object.ts";
import type { JournalEntry } from "../state/journal.ts";
import type { CreateIntent, StateResource } from "../state/state.ts";
import { renewIntent } from "../state/state.ts";
import { WaitStopped } from "../state/store.ts";
import type { ApplyContext } from "./apply-context.ts";
import { keepUnresolved, scopeOf, sourcesOf } from "./apply-context.ts";
import { bindAnswer, bindInline, inlineOf } from "./bind-answer.ts";
import { refuseNamesake, refuseOlder, tellChanged } from "./concurrent-edits.ts";
import { doneEntry, isBoundBeside, refuseWrongId, takeFromOthers, unconfirmed } from "./confirm-writes.ts";
import { intentsOf } from "./create-intents.ts";
import { OperationFailed } from "./explain-failure.ts";
import { refuseHidden, refuseShown } from "./hidden-objects.ts";
import { ambiguousCreate, awaitPendingCreates, pendingCreate } from "./pending-creates.ts";

/** How often a create is sent at most, the client's own tries included (docs/engine.md, Retries). */
const mostTries = 5;

/** The turn of an operation among those that write at a time. */
export interface Turn {
  /** Resolves when the operation may send; rejects when nothing is sent any more. */
  readonly begin: () => Promise<void>;
  /** The service has answered for good: the next one's turn may come before the answer is noted. */
  readonly answered: () => void;
}

/**
 * Makes an object: the intent is durable before the request leaves (docs/engine.md, Journal and recovery), and noted ahead of the
 * operation's turn unless what is bound to the address is given another one with it.
 */
export async function runCreate(context: ApplyContext, operation: Operation, turn: Turn): Promise<void> {
  const isAhead = operation.deposes === undefined;
  if (!isAhead) await turn.begin();
  await refuseHidden(context, operation);
  const kind = context.kindOf(operation.kind);
  const fields = { ...operation.fields, ...writeOnlyFields(kind, operation.declared) };
  const inline = inlineOf(context, operation);
  const sources = sourcesOf(context, operation.address);
  const body = createBody(kind, { fields, sources, ...(inline && { inline }) });
  const { parent } = operation;
  const place = { parentId: parent === undefined ? undefined : idOfParent(context, parent) };
  const intents = intentsOf(context, operation);
  // Looked before anything is noted too: of what is refused no create must seem to be pending if the run is killed now.
  await refuseNamesake(context, { operation, body, parentId: place.parentId ?? 0 }).catch(failing(context, intents));
  const former = context.resources.get(operation.address);
  const sent = intents.map((intent): JournalEntry => ({ phase: "intent", intent }));
  await context.session.record([...rebind(context, former, [operation.address, operation.deposes]), ...sent]);
  if (isAhead) await turn.begin().catch(failing(context, intents));
  const send = () => {
    // What the parent's create was answered with may have turned out to be another object meanwhile.
    if (parent !== undefined) place.parentId = idOfParent(context, parent);
    return createObject(scopeOf(context, operation.address), kind, { body, ...place });
  };
  const sending = { operation, kind, place, intents, send };
  const wire = await sendNew(context, sending, body).catch(async (problem: unknown) => {
    if (!context.unresolved.has(operation.address))
      await context.session.record(rebind(context, former, [operation.deposes, operation.address]));
    throw problem;
  });
  for (const intent of intents)
    context.created.set(intent.address, unconfirmed(intent, { address: operation.address, wire }));
  const noted = keep(context, operation, { kind, wire, ...place });
  turn.answered();
  await noted;
  refuseShown(context, operation, former);
  tellChanged(context, operation, wire);
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

interface Sending {
  readonly operation: Operation;
  readonly kind: AnyKind;
  /** Id of the parent that it is sent to. */
  readonly place: { readonly parentId: number | undefined };
  readonly intents: readonly CreateIntent[];
  readonly send: () => Promise<Wire>;
}

/** Sends a create, unless it would take over an unmanaged object, and refuses an answer that shows that it did. */
async function sendNew(context: ApplyContext, sending: Sending, body: JsonObject): Promise<Wire> {
  const { operation, intents } = sending;
  const fail = failing(context, intents);
  await refuseNamesake(context, { operation, body, parentId: sending.place.parentId ?? 0 }).catch(fail);
  const sentAt = context.clock.now();
  const wire = await sendOrRecover(context, sending);
  try {
    refuseOlder(context, operation, { wire, sentAt });
  } catch (problem) {
    return fail(problem);
  }
  return wire;
}

/** Notes that creates did not happen, and fails. */
function failing(context: ApplyContext, intents: readonly CreateIntent[]): (problem: unknown) => Promise<never> {
  return async (problem) => {
    await context.session.record(intents.map(({ address }) => ({ phase: "fail", address })));
    throw problem;
  };
}

async function sendOrRecover(context: ApplyContext, first: Sending): Promise<Wire> {
  let sending = first;
  for (let tries = 0; ; ) {
    try {
      const wire = await sending.send();
      await refuseWrongId(context, sending.operation, wire);
      return wire;
    } catch (problem) {
      if (!isUnresolved(problem)) {
        await context.session.record(sending.intents.map(({ address }) => ({ phase: "fail", address })));
        throw problem;
      }
      // It may have waited for long, and have been sent only just now.
      sending = { ...sending, intents: sending.intents.map((intent) => renewIntent(intent, context.clock.now())) };
      const found = await recoverSent(context, sending).catch((lost: unknown) => {
        keepUnresolved(context, sending.intents);
        throw lost instanceof WaitStopped ? problem : lost;
      });
      if (found) return found;
      tries += triesOf(problem);
      if (tries >= mostTries || context.signal.aborted) throw problem;
      sending = await sendingAgain(context, sending);
    }
  }
}

/** What is sent again may take effect as late as what was sent first: its time counts from now, durably. */
async function sendingAgain(context: ApplyContext, sending: Sending): Promise<Sending> {
  const intents = sending.intents.map((intent) => renewIntent(intent, context.clock.now()));
  await context.session.record(intents.map((intent): JournalEntry => ({ phase: "intent", intent })));
  return { ...sending, intents };
}

const triesOf = (problem: unknown): number => (problem instanceof ServiceError ? (problem.tries ?? 1) : 1);

/** The object that a lost request made, when it did. */
async function recoverSent(context: ApplyContext, { operation, kind, intents }: Sending): Promise<Wire | undefined> {
  const [intent] = intents;
  if (intent === undefined) return undefined;
  const { reread, clock, signal } = context;
  const waiting = (_creates: number, ms: number) => context.waiting?.(operation.address, ms);
  // Asked anew each time: others are bound while this one waits.
  const isBound = isBoundBeside(context, intent);
  const boundId = (address: string) => context.resources.get(address)?.id;
  const create = pendingCreate(kind, intent, { boundId, isBound, isOwn: true });
  const [match = absent] = await awaitPendingCreates([create], { reread, clock, signal, waiting });
  if (match.outcome === "absent") return undefined;
  if (match.outcome === "ambiguous") throw ambiguousCreate(operation.address, match.nodes);
  await takeFromOthers(context, operation.address, match.node.handle);
  return readBack(context, kind, match.node);
}

/** A recovered object as its own GET shows it, or as the tree did where a kind has none. */
async function readBack(context: ApplyContext, kind: AnyKind, node: TreeNode): Promise<Wire> {
  const id = node.identity?.id ?? 0;
  const read = await kind.remote.read?.({ ...scopeOf(context, node.handle), id });
  return read ?? { id, createdAt: node.identity?.createdAt ?? "", ...node.facts };
}

async function keep(
  context: ApplyContext,
  operation: Operation,
  of: { readonly kind: AnyKind; readonly wire: Wire; readonly parentId: number | undefined },
): Promise<void> {
  const { binding } = operation;
  if (binding === undefined) throw new Error(`${operation.id} has no binding`);
  const own: readonly [string, StateResource] = [operation.address, bindAnswer({ ...of, binding, hash: context.hash })];
  const bound = [own, ...bindInline(context, operation, of.wire)];
  // It is there, also when the store fails now: what is saved at the end must say so.
  for (const [address, resource] of bound) context.resources.set(address, resource);
  context.touched.add(operation.address);
  await context.session.record(bound.map(([address, resource]) => doneEntry(context, address, resource)));
}
