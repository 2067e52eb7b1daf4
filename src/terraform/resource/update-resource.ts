import { same } from "../../model/fingerprint.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { AnyKind, Wire } from "../../model/kind.ts";
import { isConflict } from "../../model/service-error.ts";
import { liveHandle, temporaryName } from "../../model/tree.ts";
import { type ObjectUpdate, updateObject } from "../../remote/write-object.ts";
import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { ResourceState } from "../provider-session.ts";
import type { LiveObject } from "../values/live-object.ts";
import { idIn, parentIdOf } from "../values/resource-type.ts";
import type { ValueMap } from "../wire/values.ts";
import { type DesiredObject, desiredObject } from "./desired-object.ts";
import { sameValue } from "./plan-values.ts";
import { refuse } from "./provider-problem.ts";
import { nameKey, type ResourceContext, scopeOf } from "./resource-context.ts";
import { settleState } from "./settle-state.ts";
import { readNow, refuseStray, type WriteRequest, wholeAnswer, withSent } from "./write-request.ts";
import { withSchedules } from "./write-schedule.ts";

/** What a change of an object sends. */
export interface PlannedUpdate {
  readonly now: DesiredObject;
  /** Changed fields; null clears. */
  readonly fields: JsonObject;
  readonly currentName: string;
}

/** Changes an object in place; nothing is sent when its fields mean what they meant. */
export async function updateResource(
  context: ResourceContext,
  request: WriteRequest,
  update: PlannedUpdate,
): Promise<ResourceState> {
  const { resource, prior, planned } = request;
  const id =
    idIn(prior["id"]) ??
    refuse(["id"], "the object has no id", "The state has none, so it is not known which object to change");
  const live = await sendUpdate(context, request, { ...update, id });
  return settleState(resource, planned, withSent(update.now, live), request.private);
}

async function sendUpdate(
  context: ResourceContext,
  request: WriteRequest,
  { now, fields, currentName, id }: PlannedUpdate & { readonly id: number },
): Promise<LiveObject> {
  const { resource, prior } = request;
  const { kind } = resource;
  if (Object.keys(fields).length === 0) return (await readNow(context, resource, id)) ?? gone(request, id);
  const scope = { ...(await scopeOf(context, resource)), habits: context.access.habits };
  const parentId = parentIdOf(resource, prior) ?? 0;
  const startedAt = context.access.now();
  try {
    const { fields: declared, sources } = now;
    const change = { id, parentId, currentName, fields, declared, sources };
    const wire = await sendChange(context, resource, { scope, change });
    if (wire.id !== id) await refuseStray(context, request, { wire, startedAt });
    context.known.add(liveHandle(kind.name, id));
    context.given.add(nameKey(resource, { parentId: parentIdOf(resource, prior), name: declared["name"] }));
    return await wholeAnswer(context, request, wire);
  } finally {
    context.trees.drop();
  }
}

interface NamedChange {
  readonly scope: Parameters<typeof updateObject>[0];
  readonly change: ObjectUpdate & { readonly parentId: number };
}

/**
 * Sends a change. Where it takes a name that another change of this run is about to give up, and that one waits for ours,
 * ours makes room under a temporary name; what then fails all the same has its former name again.
 */
async function sendChange(
  context: ResourceContext,
  resource: ResourceSchema,
  { scope, change }: NamedChange,
): Promise<Wire> {
  const { kind } = resource;
  const { currentName, fields, id, parentId } = change;
  // Schedules as they were before a temporary name, with which a service may have dropped them.
  let before: ObjectUpdate["inline"];
  const sendOnce = (more: Partial<ObjectUpdate>) => (inline: typeof before) => {
    if (more.isPartial) before = inline;
    return updateObject(scope, kind, { ...change, ...more, ...(inline && { inline }) });
  };
  const send = (more: Partial<ObjectUpdate> = {}) =>
    context.writes.send(() => withSchedules(context, { kind, scope, id }, sendOnce(more), before));
  const keyOf = (name: Json | undefined) => nameKey(resource, { parentId, name });
  const own = keyOf(currentName);
  if (typeof fields["name"] !== "string") return send();
  context.leaving.add(own);
  try {
    return await send();
  } catch (problem) {
    if (!isConflict(problem) || !context.leaving.has(keyOf(fields["name"]))) throw problem;
    const name = temporaryName(currentName, String(id));
    await send({ fields: { name }, isPartial: true });
    const isAwaited = () => context.leaving.has(keyOf(fields["name"]));
    try {
      return await sendWhile(isAwaited, () => send({ currentName: name }));
    } catch (second) {
      await send({ currentName: name, fields: { name: currentName }, isPartial: true }).catch(() => undefined);
      throw second;
    }
  } finally {
    context.leaving.delete(own);
  }
}

/** Sends again what conflicts, as long as another change that is to make room for it is under way. */
async function sendWhile(isAwaited: () => boolean, send: () => Promise<Wire>): Promise<Wire> {
  for (;;) {
    const mayPass = isAwaited();
    try {
      return await send();
    } catch (problem) {
      if (!isConflict(problem) || !mayPass) throw problem;
    }
  }
}

function gone({ resource }: WriteRequest, id: number): never {
  refuse(
    undefined,
    `${resource.type} ${id} is not there any more`,
    "The object of the state no longer exists. Plan again",
  );
}

/** What an update from the prior values to the planned ones sends. */
export function plannedUpdate({ resource, prior, planned, config }: WriteRequest): PlannedUpdate {
  const sends = (attribute: TerraformAttribute) => isToBeSent(attribute, { resource, prior, planned });
  const now = desiredObject(resource, planned, { config, sends });
  const was = desiredObject(resource, prior, { config, sends: () => false });
  const names = new Set([...Object.keys(was.fields), ...Object.keys(now.fields)]);
  const fields: Record<string, Json> = {};
  for (const name of names) {
    const [before, after] = [was.fields[name], now.fields[name]];
    if (same(before, after) && !hasOtherSecrets(name, { was, now })) continue;
    fields[name] = clearing(resource.kind, name, { before, after });
  }
  return { now, fields, currentName: String(was.fields["name"] ?? "") };
}

/** A write-only value is sent when its version changes, or when it takes the place of a plain one. */
function isToBeSent(
  { name, source }: TerraformAttribute,
  { resource, prior, planned }: Pick<WriteRequest, "resource" | "prior" | "planned">,
): boolean {
  const isVersion = (other: TerraformAttribute) => other.source.is === "version" && other.source.of === name;
  const version = resource.attributes.find(isVersion)?.name;
  if (version !== undefined && !sameValue(prior[version] ?? null, planned[version] ?? null)) return true;
  const plain = resource.attributes.find(
    (other) =>
      !other.writeOnly &&
      other.source.is === "field" &&
      source.is === "field" &&
      other.source.path.join(".") === source.path.join("."),
  );
  return plain !== undefined && isSet(prior, plain.name) && !isSet(planned, plain.name);
}

function isSet(values: ValueMap, name: string): boolean {
  return values[name] !== undefined && values[name] !== null;
}

/** Marks of secrets are all alike. */
function hasOtherSecrets(
  name: string,
  { was, now }: { readonly was: DesiredObject; readonly now: DesiredObject },
): boolean {
  const keys = [undefined, ...Object.keys(isObject(now.fields[name]) ? (now.fields[name] as JsonObject) : {})];
  return keys.some((key) => {
    const path = key === undefined ? [name] : [name, key];
    return now.sources.secret(path) !== undefined && now.sources.secret(path) !== was.sources.secret(path);
  });
}

/** What is sent for a field: null clears it, and each secret key that is no longer there. */
function clearing(
  kind: AnyKind,
  name: string,
  { before, after }: { readonly before: Json | undefined; readonly after: Json | undefined },
): Json {
  const keys = kind.fields[name]?.secretKeys ?? [];
  if (after === undefined) return null;
  if (!isObject(after) || !isObject(before)) return after;
  const lost = keys.filter((key) => before[key] !== undefined && after[key] === undefined);
  return { ...after, ...Object.fromEntries(lost.map((key) => [key, null])) };
}
