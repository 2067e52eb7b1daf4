import { kinds } from "../../kinds/index.ts";
import { isContentMark } from "../../model/fingerprint.ts";
import type { Wire } from "../../model/kind.ts";
import { liveHandle } from "../../model/tree.ts";
import { removeStray } from "../../remote/answered-otherwise.ts";
import { readObject } from "../../remote/confirm-gone.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import type { PrivateBytes } from "../provider-session.ts";
import { type LiveObject, liveAnswer, liveNode } from "../values/live-object.ts";
import { isWhollyKnown, type ValueMap } from "../wire/values.ts";
import type { DesiredObject } from "./desired-object.ts";
import { refuse } from "./provider-problem.ts";
import { type ResourceContext, scopeOf } from "./resource-context.ts";

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

/** True of an answer that lacks what the state has to say. */
function isIncomplete({ attributes }: ResourceSchema, planned: ValueMap, { facts, fields }: LiveObject): boolean {
  return attributes.some(({ name, source }) => {
    if (isWhollyKnown(planned[name] ?? null)) return false;
    if (source.is === "fact") return facts[source.member] === undefined;
    return source.is === "field" && source.path.length === 1 && fields[source.path[0] ?? ""] === undefined;
  });
}

/** An upsert made another object: someone renamed ours meanwhile. */
export async function refuseStray(
  context: ResourceContext,
  { resource, prior }: WriteRequest,
  { wire, startedAt }: { readonly wire: Wire; readonly startedAt: number },
): Promise<void> {
  const scope = await scopeOf(context, resource);
  const stray = (await removeStray(scope, resource.kind, { wire, kinds, since: startedAt }))
    ? "The empty object that the write made was removed"
    : `Id ${wire.id} took the write instead`;
  refuse(
    undefined,
    `${resource.type} changed since it was planned`,
    `Someone renamed id ${String(prior["id"])} since it was read. ${stray}. Plan again`,
  );
}

/** The object with the texts and files that were sent, which an answer need not repeat. */
export function withSent({ fields, sources }: DesiredObject, live: LiveObject): LiveObject {
  const sent = Object.entries(fields).filter(
    ([name, value]) => isContentMark(value) && live.fields[name] === undefined,
  );
  const get = (hash: string) => live.contents.get(hash) ?? sources.content(hash);
  return { ...live, fields: { ...live.fields, ...Object.fromEntries(sent) }, contents: { get } };
}
