import { isContentMark } from "../../model/fingerprint.ts";
import type { Wire } from "../../model/kind.ts";
import type { LiveObject } from "../values/live-object.ts";
import { liveAnswer } from "../values/live-object.ts";
import type { DesiredObject } from "./desired-object.ts";
import type { ResourceContext } from "./resource-context.ts";
import { isIncomplete } from "./settle-state.ts";
import type { WriteRequest } from "./write-request.ts";
import { readNow } from "./write-request.ts";

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
