import type { JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import type { Operation } from "../plan/plan.ts";
import type { JournalEntry } from "../state/journal.ts";
import type { StateResource } from "../state/state.ts";
import type { ApplyContext } from "./apply-context.ts";
import { keepDoubtful } from "./apply-context.ts";
import { bindAnswer } from "./bind-answer.ts";
import { bindEmbedded, setAgain } from "./bind-embedded.ts";
import { changedMeanwhile, checkPrecondition } from "./check-precondition.ts";
import { doneEntry, unconfirmed } from "./confirm-writes.ts";
import { encodeFields } from "./encode-fields.ts";
import type { OperationFailed } from "./operation-failed.ts";
import { isInDoubt } from "./operation-failed.ts";
import { refuseNamesake } from "./refuse-takeover.ts";
import { lostFields, verifyAnswer } from "./verify-answer.ts";
import { intentsOf, unitBody, writeOnlyFields } from "./write-request.ts";

/** Changes an object in place. */
export async function runUpdate(context: ApplyContext, operation: Operation): Promise<void> {
  const kind = context.kindOf(operation.kind);
  const resource = boundResource(context, operation.address);
  await checkPrecondition(context, operation, kind);
  const fields = { ...fieldsToSend(context, operation), ...writeOnlyFields(kind, operation.declared) };
  const body = unitBody(context, operation, fields);
  const intents = intentsOf(context, operation);
  await context.session.record(intents.map((intent): JournalEntry => ({ phase: "intent", intent })));
  const answer = await send(context, operation, { kind, resource, body }).catch(async (problem: unknown) => {
    if (isInDoubt(problem)) keepDoubtful(context, intents);
    else await context.session.record(intents.map(({ address }) => ({ phase: "fail", address })));
    throw problem;
  });
  if (answer.id !== resource.id) throw await strayUpsert(context, operation, { kind, wire: answer, resource });
  const { createdAt = resource.createdAt } = answer;
  if (createdAt !== resource.createdAt) throw changedMeanwhile(operation.address, "another object has its id");
  for (const intent of intents)
    context.created.set(intent.address, unconfirmed(intent, { address: operation.address, wire: answer }));
  await keep(context, operation, { kind, wire: answer, resource });
  const wire = await putBackLost(context, operation, { kind, resource, wire: answer });
  if (wire !== answer) await keep(context, operation, { kind, wire, resource });
  await setAgain(context, operation, wire);
  for (const diagnostic of verifyAnswer(context, operation, wire))
    context.emit({ type: "diagnostic", diagnostic, address: operation.address });
}

/** The binding of an address that must have one by now. */
export function boundResource(context: ApplyContext, address: string): StateResource {
  const resource = context.resources.get(address);
  if (resource === undefined) throw new Error(`${address} is not bound`);
  return resource;
}

function fieldsToSend(context: ApplyContext, operation: Operation): JsonObject {
  if (!context.putReplaces) return operation.fields;
  return { ...operation.kept, ...operation.declared, ...operation.fields };
}

interface Update {
  readonly kind: AnyKind;
  readonly resource: StateResource;
  readonly body: JsonObject;
}

async function send(context: ApplyContext, operation: Operation, { kind, resource, body }: Update): Promise<Wire> {
  const { api, plan } = context;
  const live = context.live.nodes.get(`${resource.kind}#${resource.id}`);
  const currentName = String(live?.fields["name"] ?? operation.declared["name"] ?? "");
  const declared = encodeFields(context, {
    kind,
    address: operation.address,
    fields: withoutContents(kind, operation.declared),
  });
  if (kind.remote.update === undefined) throw new Error(`a ${kind.name} cannot be changed`);
  if (kind.remote.upserts && !context.touched.has(operation.address))
    await refuseNamesake(context, { operation, body: { ...declared, name: currentName } });
  const place = { api, organization: plan.target.organization, address: operation.address };
  return kind.remote.update({ ...place, id: resource.id, parentId: resource.parent ?? 0, body, currentName, declared });
}

/** Texts and files are only sent when they change; a saved plan holds no others. */
function withoutContents(kind: AnyKind, fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => kind.fields[name]?.content === undefined));
}

/** An upsert made another object: someone renamed ours meanwhile. The stray is deleted only when this call made it. */
async function strayUpsert(
  context: ApplyContext,
  operation: Operation,
  { kind, wire, resource }: { readonly kind: AnyKind; readonly wire: Wire; readonly resource: StateResource },
): Promise<OperationFailed> {
  const { api, plan } = context;
  const place = { api, organization: plan.target.organization, address: operation.address, id: wire.id };
  const isNew = await isJustMade(context, kind, await kind.remote.read?.(place));
  if (isNew) await kind.remote.remove?.({ ...place, parentId: 0 });
  const stray = isNew
    ? "; the empty object that the write made was removed"
    : `; ${kind.name} ${wire.id} took the write instead`;
  return changedMeanwhile(operation.address, `${kind.name} ${resource.id} was renamed by someone else${stray}`);
}

/** Whether an object, as its own GET shows it, was created by the last upsert: never updated since, and with nothing below it. */
function isJustMade({ kinds, readAt }: ApplyContext, kind: AnyKind, wire: Wire | undefined): boolean {
  if (wire === undefined || wire["createdAt"] !== wire["updatedAt"]) return false;
  const isFull = kinds.some(
    (child) => child.parent === kind.name && child.remote.within?.(wire, undefined)?.length !== 0,
  );
  return !isFull && Date.parse(String(wire["createdAt"])) >= readAt;
}

/** Where the service's PUT drops what it does not carry, that is put back at once, and later PUTs carry everything. Gives the last answer. */
async function putBackLost(
  context: ApplyContext,
  operation: Operation,
  { kind, resource, wire }: { readonly kind: AnyKind; readonly resource: StateResource; readonly wire: Wire },
): Promise<Wire> {
  const lost = lostFields(context, operation, wire);
  if (Object.keys(lost).length === 0) return wire;
  context.putReplaces = true;
  const body = unitBody(context, withMadeIds(context, operation), fieldsToSend(context, operation));
  return send(context, operation, { kind, resource, body });
}

/** The operation with the ids of the embedded children that its first request made: a second one keeps them. */
function withMadeIds(context: ApplyContext, operation: Operation): Operation {
  const { embedded } = operation;
  if (embedded === undefined) return operation;
  const items = embedded.items.map((item) => {
    const address = item.address ?? item.stays;
    const id = address === undefined ? undefined : context.resources.get(address)?.id;
    return id === undefined ? item : { ...item, id };
  });
  return { ...operation, embedded: { ...embedded, items } };
}

async function keep(
  context: ApplyContext,
  operation: Operation,
  { kind, wire, resource }: { readonly kind: AnyKind; readonly wire: Wire; readonly resource: StateResource },
): Promise<void> {
  const own: readonly (readonly [string, StateResource])[] =
    operation.binding === undefined
      ? []
      : [
          [
            operation.address,
            bindAnswer({
              kind,
              wire,
              binding: operation.binding,
              parentId: resource.parent,
              former: resource,
              hash: context.hash,
            }),
          ],
        ];
  const bound = [...own, ...bindEmbedded(context, operation, wire)];
  const ended = (operation.ends ?? []).map((address): JournalEntry => ({ phase: "gone", address }));
  for (const address of operation.ends ?? []) context.resources.delete(address);
  for (const [address, of] of bound) context.resources.set(address, of);
  context.touched.add(operation.address);
  await context.session.record([...ended, ...bound.map(([address, of]) => doneEntry(context, address, of))]);
}
