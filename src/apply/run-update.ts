import { isContentMark } from "../model/fingerprint.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { readFields } from "../model/normal-form.ts";
import { liveHandle } from "../model/tree.ts";
import type { Operation, Precondition } from "../plan/plan.ts";
import { removeStray } from "../remote/answered-otherwise.ts";
import { changedFields } from "../remote/compare-answer.ts";
import { readObject } from "../remote/confirm-gone.ts";
import { encodeFields } from "../remote/encode-fields.ts";
import { isUnresolved } from "../remote/find-lost-create.ts";
import { declaredBody, updateObject } from "../remote/write-object.ts";
import type { JournalEntry } from "../state/journal.ts";
import type { StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { bindWritten, inlineOf, tellChanged } from "./bind-answer.ts";
import { intentsOf } from "./create-intents.ts";
import { changedMeanwhile, type OperationFailed } from "./operation-failed.ts";
import { refuseNamesake } from "./run-create.ts";

/** From this age on, what was read is read again before it is written (docs/engine.md, Concurrency). */
const staleAfterMs = 10_000;

/** Changes an object in place. */
export async function runUpdate(context: ApplyContext, operation: Operation): Promise<void> {
  const { address, declared, fields, kept } = operation;
  const kind = context.kindOf(operation.kind);
  const resource = boundResource(context, address);
  await checkPrecondition(context, operation, kind);
  const intents = intentsOf(context, operation);
  const doubtful = doubtSecrets(context, operation, resource);
  await context.session.record([...intents.map((intent): JournalEntry => ({ phase: "intent", intent })), ...doubtful]);
  // A remote store would write it later.
  if (doubtful.length > 0) await context.session.announce?.([]);
  const live = context.live.nodes.get(liveHandle(resource.kind, resource.id));
  const currentName = String(live?.fields["name"] ?? declared["name"] ?? "");
  const sources = context.sourcesOf(address);
  let isAnswered = false;
  const answered = async (wire: Wire): Promise<void> => {
    const isFirst = !isAnswered;
    isAnswered = true;
    if (isFirst) await checkAnswer(context, operation, { kind, wire, resource });
    const noted = { parentId: resource.parent, former: resource, intents: isFirst ? intents : [] };
    await bindWritten(context, operation, { kind, wire, ...noted });
  };
  const inline = inlineOf(context, operation);
  const update = {
    ...{ id: resource.id, parentId: resource.parent ?? 0, currentName, fields, declared, sources, answered },
    ...(kept && { kept }),
    ...(inline && { inline }),
    isPartial: operation.binding === undefined,
    deletedKinds: context.deletedKinds,
  };
  try {
    if (kind.remote.upserts && !context.touched.has(address)) {
      const body = { ...declaredBody(kind, declared, sources), name: currentName };
      await refuseNamesake(context, operation, { body });
    }
    const scope = { ...context.scopeOf(address), habits: context.habits };
    tellChanged(context, operation, await updateObject(scope, kind, update));
  } catch (problem) {
    if (!isAnswered && isUnresolved(problem)) context.keepUnresolved(intents);
    else if (!isAnswered) {
      const restored = doubtful.map((each) => ({ ...each, resource }));
      restored.forEach((each) => void context.resources.set(each.address, each.resource));
      const failed = intents.map((intent): JournalEntry => ({ phase: "fail", address: intent.address }));
      await context.session.record([...failed, ...restored]);
    }
    throw problem;
  }
}

/**
 * Nobody can read a secret back: until a write of one is answered, the one that the service has is unknown, so that it is sent again
 * (docs/engine.md, Journal and recovery): "" is the fingerprint of none. Answers what is to be noted of it.
 */
function doubtSecrets(context: ApplyContext, { address, fields }: Operation, resource: StateResource) {
  const secrets = Object.entries(resource.secrets ?? {});
  const isSent = (path: string) => fields[path.split(".")[0] ?? ""] !== undefined;
  if (!secrets.some(([path]) => isSent(path))) return [];
  const doubted = Object.fromEntries(secrets.map(([path, known]) => [path, isSent(path) ? "" : known]));
  context.resources.set(address, { ...resource, secrets: doubted });
  return [{ phase: "done" as const, address, resource: { ...resource, secrets: doubted } }];
}

/** Refuses to write over what someone changed since it was read. */
async function checkPrecondition(context: ApplyContext, operation: Operation, kind: AnyKind): Promise<void> {
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

/** Sets fields that have a request of their own: pausing and resuming a schedule. */
export async function runSet(context: ApplyContext, operation: Operation): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const { address, binding } = operation;
  const resource = boundResource(context, address);
  const body = encodeFields(kind, operation.fields, context.sourcesOf(address));
  await context.session.record([]);
  await kind.remote.set?.({ ...context.scopeOf(address), id: resource.id, body });
  if (binding === undefined || !isObject(binding.applied)) return;
  const next = { ...resource, ...binding };
  context.resources.set(address, next);
  await context.session.record([{ phase: "done", address, resource: next }]);
}

function boundResource(context: ApplyContext, address: string): StateResource {
  const resource = context.resources.get(address);
  if (resource === undefined) throw new Error(`${address} is not bound`);
  return resource;
}

async function checkAnswer(
  context: ApplyContext,
  operation: Operation,
  of: { readonly kind: AnyKind; readonly wire: Wire; readonly resource: StateResource },
): Promise<void> {
  const { wire, resource } = of;
  if (wire.id !== resource.id) throw await strayUpsert(context, operation, of);
  const { createdAt = resource.createdAt } = wire;
  if (createdAt !== resource.createdAt)
    throw changedMeanwhile(operation.address, "Its id now belongs to another object");
}

/** An upsert made another object: someone renamed ours meanwhile. */
async function strayUpsert(
  context: ApplyContext,
  { address }: Operation,
  { kind, wire, resource }: { readonly kind: AnyKind; readonly wire: Wire; readonly resource: StateResource },
): Promise<OperationFailed> {
  const { kinds, readAt: since } = context;
  const stray = (await removeStray(context.scopeOf(address), kind, { wire, kinds, since }))
    ? "; the empty object that the write created was removed"
    : `; ${kind.name} ${wire.id} took the write instead`;
  return changedMeanwhile(address, `${kind.name} ${resource.id} was renamed by someone else${stray}`);
}
