import type { JsonObject } from "../../model/json.ts";
import type { AnyKind } from "../../model/kind.ts";
import { createBody } from "../../remote/write-object.ts";
import type { ResourceState } from "../provider-session.ts";
import { parentIdOf } from "../values/resource-type.ts";
import { adoptExisting } from "./adopt-existing.ts";
import { type DesiredObject, desiredObject } from "./desired-object.ts";
import { findExisting, type NewPlace } from "./find-existing.ts";
import { nameKey, type ResourceContext } from "./resource-context.ts";
import { sendCreate } from "./send-create.ts";
import { settleState } from "./settle-state.ts";
import { type WriteRequest, wholeAnswer, withSent } from "./write-request.ts";

/**
 * Creates an object that has a create of its own, after a look for one that it would collide with. Where a name is unique a
 * second create of it waits for the first, which it would otherwise update.
 */
export async function createResource(
  context: ResourceContext,
  request: WriteRequest,
  desired: DesiredObject,
): Promise<ResourceState> {
  const { resource, planned } = request;
  const place = { resource, fields: desired.fields, parentId: parentIdOf(resource, planned) };
  const key = nameKey(resource, { ...place, name: desired.fields["name"] });
  if (resource.kind.naturalKey === undefined) return createAt(context, request, { desired, place });
  return context.shared.oneAtATime(key, async () => {
    const created = await createAt(context, request, { desired, place });
    context.given.add(key);
    return created;
  });
}

async function createAt(
  context: ResourceContext,
  request: WriteRequest,
  { desired, place }: { readonly desired: DesiredObject; readonly place: NewPlace },
): Promise<ResourceState> {
  const { resource, planned } = request;
  const existing = await findExisting(context, place);
  if (existing !== undefined) return adoptExisting(context, request, { desired, existing });
  const body = createBody(resource.kind, { ...desired, fields: withCleared(resource.kind, desired.fields) });
  const { wire, warnings } = await sendCreate(context, { ...place, body });
  const live = withSent(desired, await wholeAnswer(context, request, wire));
  const settled = settleState(resource, planned, live);
  return { ...settled, diagnostics: [...warnings, ...settled.diagnostics] };
}

/** An object that its create activates again has what it had: what is not declared is cleared. A reference is never cleared. */
function withCleared({ remote, fields: known }: AnyKind, fields: JsonObject): JsonObject {
  if (remote.deactivated === undefined) return fields;
  const cleared = Object.keys(known).filter((name) => !known[name]?.required && known[name]?.type !== "reference");
  return { ...Object.fromEntries(cleared.map((name) => [name, null])), ...fields };
}

/** What a create sends of the configuration alone: every write-only value. */
export function desiredNew({ resource, planned, config }: WriteRequest): DesiredObject {
  return desiredObject(resource, planned, { config, sends: () => true });
}
