import type { Diagnostic } from "../model/diagnostic.ts";
import type { Wire } from "../model/kind.ts";
import type { Tree } from "../model/tree.ts";
import { liveHandle } from "../model/tree.ts";
import { deposedAddress } from "../plan/deposed.ts";
import { isDormant } from "../plan/find-live.ts";
import type { CreateIntent, JournalEntry } from "../state/journal.ts";
import type { StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { keepDoubtful } from "./apply-context.ts";
import { failureDiagnostic, isMissing, OperationFailed } from "./operation-failed.ts";
import { lookFor, withinIdOf } from "./recover-create.ts";

/**
 * The intent of a create once it was answered. What was there before no longer matters: its object was created at the
 * moment that the answer says. Of what was made along with it, the answer's own time says nothing.
 */
export function unconfirmed(intent: CreateIntent, { address, wire }: { address: string; wire: Wire }): CreateIntent {
  const createdAt = intent.address === address ? { createdAt: String(wire["createdAt"]) } : {};
  return { ...intent, preIds: [], ...createdAt };
}

/** The journal's entry for a binding; a create remains open until it is confirmed. */
export function doneEntry({ created }: ApplyContext, address: string, resource: StateResource): JournalEntry {
  const intent = created.get(address);
  return { phase: "done", address, resource, ...(intent && { intent }) };
}

/**
 * Reads the service once more after creates and deletes, and compares it with what their answers said. A create that was
 * answered with the id of another object is bound to the one that it made. What is not shown at all remains bound as it
 * was answered, for reads may be late (assumption A10), and the next run looks for it once more. An object that is there
 * although its delete was answered remains bound. What could not be confirmed is looked for by the next run.
 */
export async function confirmWrites(context: ApplyContext): Promise<readonly Diagnostic[]> {
  const { created, deleted, signal, reread, doubtful } = context;
  if (created.size + deleted.length === 0) return [];
  const live = signal.aborted ? undefined : await reread().catch(() => undefined);
  if (live === undefined) {
    for (const intent of created.values()) if (!doubtful.has(intent.address)) doubtful.set(intent.address, intent);
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
    const isAnswered = await isThere(context, intent, resource);
    if (isAnswered === undefined) keepDoubtful(context, [intent]);
    else if (!isAnswered) await bindWhatWasMade(context, live, { intent, resource });
  }
}

/** Binds a create to the object that it made, when the tree shows one; otherwise the next run looks for it once more. */
export async function bindWhatWasMade(
  context: ApplyContext,
  live: Tree,
  { intent, resource }: { readonly intent: CreateIntent; readonly resource: StateResource },
): Promise<void> {
  const { resources, session } = context;
  const { address } = intent;
  const parentId = intent.parent === undefined ? undefined : resources.get(intent.parent)?.id;
  const isBound = isBoundBeside(context, intent);
  const withinId = withinIdOf(intent, (each) => resources.get(each)?.id);
  const create = { kind: context.kindOf(intent.kind), intent, parentId, withinId, isBound };
  const recovery = lookFor([create], live).get(create);
  if (recovery?.outcome !== "found" || recovery.node.identity === undefined) {
    keepDoubtful(context, [intent]);
    if (context.answered.get(liveHandle(resource.kind, resource.id)) === address) return;
    // The object is that of another address.
    resources.delete(address);
    return session.record([
      { phase: "gone", address },
      { phase: "intent", intent },
    ]);
  }
  const { id, createdAt } = recovery.node.identity;
  const found = { ...resource, id, createdAt, ...(parentId === undefined ? {} : { parent: parentId }) };
  resources.set(address, found);
  await session.record([{ phase: "done", address, resource: found }]);
}

/** Whether a handle is bound; a create of another name that was answered with it was answered wrongly. */
export function isBoundBeside(
  { resources, created }: ApplyContext,
  { name }: CreateIntent,
): (handle: string) => boolean {
  return (handle) =>
    [...resources].some(
      ([address, { kind, id }]) => liveHandle(kind, id) === handle && (created.get(address)?.name ?? name) === name,
    );
}

async function confirmDeletes(context: ApplyContext, live: Tree): Promise<readonly Diagnostic[]> {
  const { deleted, resources, session } = context;
  const found: Diagnostic[] = [];
  for (const { address, resource } of deleted) {
    if (!isShown(live, resource) || isBoundAnew(context, resource)) continue;
    const kind = context.kindOf(resource.kind);
    const node = live.nodes.get(liveHandle(resource.kind, resource.id));
    if (node === undefined || isDormant(kind, node)) continue;
    if (kind.remote.read !== undefined && (await isThere(context, { address }, resource)) === false) continue;
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

/** Whether the tree shows the object that a create was answered with, under the name that was sent. */
function isMade(live: Tree, { name }: CreateIntent, resource: StateResource): boolean {
  const node = live.nodes.get(liveHandle(resource.kind, resource.id));
  return isShown(live, resource) && (name === undefined || node?.fields["name"] === name);
}

function isBoundAnew({ resources }: ApplyContext, { kind, id }: StateResource): boolean {
  return [...resources.values()].some((bound) => bound.kind === kind && bound.id === id);
}

/** Lists may be late, so an object that they do not show is asked for by its id; undefined when that could not be asked. */
async function isThere(
  { api, plan, kindOf }: ApplyContext,
  { address, name }: Pick<CreateIntent, "address" | "name">,
  resource: StateResource,
): Promise<boolean | undefined> {
  const { id, createdAt, kind } = resource;
  const scope = { api, organization: plan.target.organization, address, id };
  try {
    const found = await kindOf(kind).remote.read?.(scope);
    return found?.["createdAt"] === createdAt && (name === undefined || found["name"] === name);
  } catch (problem) {
    return isMissing(problem) ? false : undefined;
  }
}

function stillThere(address: string, { kind, id }: StateResource): Diagnostic {
  const detail = `found ${liveHandle(kind, id)} after the service had answered that it is deleted; expected it to be gone. It remains bound. Run apply again`;
  const summary = `${address} is there after it was deleted`;
  return failureDiagnostic(address, new OperationFailed(address, { code: "LF6002", summary, detail }));
}
