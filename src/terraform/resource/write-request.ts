import { isContentMark } from "../../model/fingerprint.ts";
import type { Wire } from "../../model/kind.ts";
import { liveHandle } from "../../model/tree.ts";
import { readObject } from "../../remote/confirm-gone.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { PrivateBytes } from "../provider-session.ts";
import { type LiveObject, liveAnswer, liveNode } from "../values/live-object.ts";
import type { ValueMap } from "../wire/values.ts";
import type { DesiredObject } from "./desired-object.ts";
import { type ResourceContext, scopeOf } from "./resource-context.ts";
import { isIncomplete } from "./settle-state.ts";

/** A planned write of one object. */
export interface WriteRequest {
  readonly resource: ResourceSchema;
  readonly prior: ValueMap;
  readonly planned: ValueMap;
  readonly config: ValueMap;
  readonly private: PrivateBytes;
}

/** The object as it is now: by its own request, or in the tree where its kind has none; undefined when it is not there. */
export async function readNow(
  context: ResourceContext,
  resource: ResourceSchema,
  id: number,
): Promise<LiveObject | undefined> {
  const { kind } = resource;
  if (kind.remote.read !== undefined) {
    const wire = await readObject(await scopeOf(context, resource), kind, id);
    return wire && liveAnswer(kind, wire);
  }
  const tree = await context.trees.read(kind.name);
  const node = tree.nodes.get(liveHandle(kind.name, id));
  return node && liveNode(node, tree.contents);
}

/** The answer to a write, or what a read shows where the answer lacks something. */
export async function wholeAnswer(
  context: ResourceContext,
  { resource, planned }: WriteRequest,
  wire: Wire,
): Promise<LiveObject> {
  const answered = liveAnswer(resource.kind, wire);
  if (!isIncomplete(resource, planned, answered)) return answered;
  const read = await readNow(context, resource, wire.id).catch(() => undefined);
  return read === undefined
    ? answered
    : { ...read, facts: { ...answered.facts, ...read.facts }, fields: { ...answered.fields, ...read.fields } };
}

/** The object with the texts and files that were sent, which an answer need not repeat. */
export function withSent({ fields, sources }: DesiredObject, live: LiveObject): LiveObject {
  const sent = Object.entries(fields).filter(
    ([name, value]) => isContentMark(value) && live.fields[name] === undefined,
  );
  const get = (hash: string) => live.contents.get(hash) ?? sources.content(hash);
  return { ...live, fields: { ...live.fields, ...Object.fromEntries(sent) }, contents: { get } };
}
