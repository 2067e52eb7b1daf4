import type { Diagnostic } from "../model/diagnostic.ts";
import { type AnyKind, isDeactivated, type Wire } from "../model/kind.ts";
import { UnresolvedAnswer } from "../model/service-error.ts";
import { emptyTree, liveHandle, type Tree } from "../model/tree.ts";
import { deposedAddress } from "../plan/bind.ts";
import type { Operation } from "../plan/plan.ts";
import { refuseFormer } from "../remote/answered-otherwise.ts";
import { isThere } from "../remote/confirm-gone.ts";
import type { AwaitedCreate } from "../remote/create-surely.ts";
import { findLostCreate } from "../remote/find-lost-create.ts";
import type { CreateIntent, StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { explainOperation, OperationFailed } from "./operation-failed.ts";

/**
 * Reads the service once more after creates and deletes, and compares it with what their answers said. A create that was
 * answered with the id of another object is bound to the one that it made. What is not shown at all remains bound as it
 * was answered, for reads may be late (assumption A10), and the next run looks for it once more. An object that is there
 * although its delete was answered remains bound. What could not be confirmed is looked for by the next run.
 */
export async function confirmWrites(context: ApplyContext): Promise<readonly Diagnostic[]> {
  const { created, deleted, signal, reread, unresolved } = context;
  if (created.size + deleted.length === 0) return [];
  const live = signal.aborted ? undefined : await reread().catch(() => undefined);
  if (live === undefined) {
    for (const intent of created.values()) if (!unresolved.has(intent.address)) unresolved.set(intent.address, intent);
    return [];
  }
  await confirmCreates(context, live);
  return confirmDeletes(context, live);
}

async function confirmCreates(context: ApplyContext, live: Tree): Promise<void> {
  const { created, resources } = context;
  for (const [address, intent] of created) {
    const resource = resources.get(address);
    if (resource === undefined || isMade(live, intent, resource)) continue;
    const isThereStill = await answersToItsId(context, intent, resource);
    if (isThereStill === undefined) context.keepUnresolved([intent]);
    else if (!isThereStill) await bindWhatWasCreated(context, live, { intent, resource });
  }
}

/** Binds a create to the object that it made, when the tree shows one; otherwise the next run looks for it once more. */
async function bindWhatWasCreated(
  context: ApplyContext,
  live: Tree,
  { intent, resource }: { readonly intent: CreateIntent; readonly resource: StateResource },
): Promise<void> {
  const { resources, session } = context;
  const { address } = intent;
  const create = createOfRun(context, intent);
  const match = findLostCreate(create, live);
  if (match.outcome !== "found" || match.node.identity === undefined) {
    context.keepUnresolved([intent]);
    // An inline child, which was in its parent's answer, is of nobody else.
    if ((context.answered.get(liveHandle(resource.kind, resource.id)) ?? address) === address) return;
    // The object is that of another address.
    resources.delete(address);
    return session.record([{ phase: "gone", address, intent }]);
  }
  const { id, createdAt } = match.node.identity;
  const { handle } = match.node;
  // Other addresses give the object up first: a crash in between leaves no object bound twice.
  if (context.answered.get(handle) !== address)
    await rebindOthers(context, { address, handle, reread: async () => live });
  const found = { ...resource, id, createdAt, ...(create.parentId === undefined ? {} : { parent: create.parentId }) };
  resources.set(address, found);
  await session.record([{ phase: "done", address, resource: found }]);
}

async function confirmDeletes(context: ApplyContext, live: Tree): Promise<readonly Diagnostic[]> {
  const { deleted, resources, session } = context;
  const found: Diagnostic[] = [];
  // Parents first: what is inline in an object is there as long as that is, whatever a late list shows.
  for (const { address, resource } of deleted.toSorted((left, right) => left.address.length - right.address.length)) {
    const kind = context.kindOf(resource.kind);
    const node = live.nodes.get(liveHandle(resource.kind, resource.id));
    if (node === undefined || isDeactivated(kind, node) || !isShown(live, resource)) continue;
    const isWithout = kind.inline && !isBoundBy(context, { kind: kind.parent ?? "", id: resource.parent ?? -1 });
    if (isWithout || isBoundBy(context, resource)) continue;
    if (kind.remote.read !== undefined && (await answersToItsId(context, { address }, resource)) === false) continue;
    const place = resources.has(address) ? deposedAddress(address, (each) => resources.has(each)) : address;
    resources.set(place, resource);
    await session.record([{ phase: "done", address: place, resource }]);
    found.push(stillThere(address, resource));
  }
  return found;
}

function isShown(live: Tree, { kind, id, createdAt }: StateResource): boolean {
  return live.nodes.get(liveHandle(kind, id))?.identity?.createdAt === createdAt;
}

/** True where the tree shows the object that a create was answered with, under the name that was sent. */
function isMade(live: Tree, { name }: CreateIntent, resource: StateResource): boolean {
  const node = live.nodes.get(liveHandle(resource.kind, resource.id));
  return isShown(live, resource) && (name === undefined || node?.fields["name"] === name);
}

function isBoundBy({ resources }: ApplyContext, { kind, id }: Pick<StateResource, "kind" | "id">): boolean {
  return [...resources.values()].some((bound) => bound.kind === kind && bound.id === id);
}

/** Lists may be late, so an object that they do not show is read by its id; undefined when the read failed. */
async function answersToItsId(
  context: ApplyContext,
  { address, name }: Pick<CreateIntent, "address" | "name">,
  resource: StateResource,
): Promise<boolean | undefined> {
  const { id, createdAt, kind } = resource;
  return isThere(context.scopeOf(address), context.kindOf(kind), { id, createdAt, name }).catch(() => undefined);
}

function stillThere(address: string, { kind, id }: StateResource): Diagnostic {
  const detail = `${liveHandle(kind, id)} still exists, although the service reported it as deleted. It remains bound. Run apply again`;
  const summary = `${address} still exists after it was deleted`;
  return explainOperation(new OperationFailed(address, { code: "LF6002", summary, detail }), address);
}

/**
 * Refuses the answer to a create that is about an object which the create cannot have made: one that another create of
 * this run was answered with, or that was there before, bound to another address or read with the same creation time. An
 * id whose former object is gone may have been given again, which its own GET shows.
 */
export async function refuseWrongId(context: ApplyContext, operation: Operation, wire: Wire): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const handle = liveHandle(kind.name, wire.id);
  const claimant = context.answered.get(handle);
  // Without a pause after the look: two answers with the same id may come at the same moment.
  if (claimant === undefined) context.answered.set(handle, operation.address);
  if (claimant !== undefined && claimant !== operation.address)
    throw new UnresolvedAnswer(`the create was answered with ${handle}, as another one was`);
  const before = createdBefore(context, operation, wire);
  await refuseFormer(context.scopeOf(handle), kind, { wire, before }).catch((problem: unknown) => {
    if (context.answered.get(handle) === operation.address) context.answered.delete(handle);
    throw problem;
  });
}

/** Takes the object of an address from other creates that were answered with it; theirs are looked for. */
export async function takeFromOthers(context: ApplyContext, address: string, handle: string): Promise<void> {
  const reread = (intent: CreateIntent) => context.reread([intent]).catch(() => emptyTree);
  await rebindOthers(context, { address, handle, reread });
}

/** Binds every other address that has this object to the object that its own create made, which may take that from a further address. */
async function rebindOthers(
  context: ApplyContext,
  of: { readonly address: string; readonly handle: string; readonly reread: (intent: CreateIntent) => Promise<Tree> },
): Promise<void> {
  const { address, handle, reread } = of;
  context.answered.set(handle, address);
  for (const [other, intent] of context.created) {
    const resource = context.resources.get(other);
    if (other === address || resource === undefined || liveHandle(resource.kind, resource.id) !== handle) continue;
    await bindWhatWasCreated(context, await reread(intent), { intent, resource });
  }
}

/** When the objects were created that had this id before, those left out that an upsert may find again. */
function createdBefore(
  { boundBefore, deleted, kindOf, live, state }: ApplyContext,
  { address, deposes, kind: name }: Operation,
  wire: Wire,
): readonly string[] {
  const kind = kindOf(name);
  const handle = liveHandle(name, wire.id);
  const node = live.nodes.get(handle);
  const isUpserted = kind.remote.upserts === true && node?.fields["name"] === wire["name"];
  const isFormer = state.resources[address]?.id === wire.id;
  // What this run deleted is not found again, whatever a late list shows.
  const isAgain =
    (isUpserted || isFormer) && !deleted.some(({ resource }) => liveHandle(resource.kind, resource.id) === handle);
  const read = node?.identity === undefined || isAgain ? [] : [node.identity.createdAt];
  const bound = boundBefore.get(handle);
  const isSame = bound === undefined || bound.address === address || bound.address === deposes;
  return isSame ? read : [...read, bound.createdAt];
}

/** A create whose intent is recorded and of which it is not known whether it happened. */
export interface PendingCreate extends AwaitedCreate {
  readonly intent: CreateIntent;
}

/** The create of an intent, with the bindings as they are by now. */
export function pendingCreate(
  kind: AnyKind,
  intent: CreateIntent,
  at: Pick<PendingCreate, "isBound" | "isOwn"> & { readonly boundId: (address: string) => number | undefined },
): PendingCreate {
  const { boundId, ...rest } = at;
  const { id, ref } = intent.within ?? {};
  return {
    ...rest,
    kind,
    intent,
    parentId: intent.parent === undefined ? undefined : boundId(intent.parent),
    withinId: typeof ref === "string" ? boundId(ref) : typeof id === "number" ? id : undefined,
    name: intent.name,
    sent: intent.sent ?? {},
    sentAt: intent.since ?? intent.t,
    lastSentAt: intent.t,
    timeoutMs: intent.timeoutMs,
    createdAt: intent.createdAt,
    known: intent.preIds,
  };
}

/** A create of this run, with the bindings as they are by now. */
export function createOfRun(context: ApplyContext, intent: CreateIntent): PendingCreate {
  const { kindOf, resources } = context;
  const boundId = (address: string) => resources.get(address)?.id;
  return pendingCreate(kindOf(intent.kind), intent, { boundId, isBound: boundBeside(context, intent) });
}

/** True of a handle that is bound; a create of another name that was answered with it was answered wrongly. */
function boundBeside({ resources, created }: ApplyContext, { name }: CreateIntent): (handle: string) => boolean {
  return (handle) =>
    [...resources].some(
      ([address, { kind, id }]) => liveHandle(kind, id) === handle && (created.get(address)?.name ?? name) === name,
    );
}
