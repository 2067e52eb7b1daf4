import { holdsSecret, isContentMark, same } from "../model/fingerprint.ts";
import { isEmptyJson, type Json, type JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { readFields } from "../model/normal-form.ts";
import { referencesAsLive } from "../model/references.ts";
import type { ValueSources } from "./encode-fields.ts";

/** Fields that an answer shows otherwise than they were sent: changed outside, or not taken by the service. Of texts only the length is told. */
export function changedInAnswer(
  kind: AnyKind,
  sent: JsonObject,
  { wire, sources }: { readonly wire: Wire; readonly sources: Pick<ValueSources, "idOf" | "content"> },
) {
  const shown = comparable(kind, sent);
  const answered = readFields(kind, wire);
  const changed = Object.entries(referencesAsLive(kind, shown, sources))
    .filter(([name, value]) => answered[name] !== undefined && !same(value, answered[name]))
    .map(([name, value]) => ({ name, sent: value, found: answered[name] }));
  const texts = Object.entries(sent).flatMap(([name, mark]) => {
    const text = isContentMark(mark) ? sources.content(mark.$content) : undefined;
    const found = kind.fields[name]?.content === "text" ? answered[name] : undefined;
    if (typeof text !== "string" || typeof found !== "string" || found === text) return [];
    return [{ name, sent: `${text.length} characters`, found: `${found.length} others` }];
  });
  return [...changed, ...texts];
}

/** Readable fields of which the object says something else than is known of it. */
export function changedFields(
  kind: AnyKind,
  known: JsonObject,
  { wire, sources }: { readonly wire: Wire; readonly sources: Pick<ValueSources, "idOf"> },
): readonly string[] {
  const readable = Object.entries(known).filter(([, value]) => !holdsSecret(value) && !isContentMark(value));
  const expected = referencesAsLive(kind, Object.fromEntries(readable), sources);
  const fields = readFields(kind, wire);
  return Object.keys(expected).filter((name) => !same(expected[name], fields[name] ?? kind.fields[name]?.default));
}

/** The fields that an update sent, and those that must remain. */
export interface SentUpdate {
  readonly fields: JsonObject;
  /** Every declared field, sent or not. */
  readonly declared: JsonObject;
  /** Fields that remain as they are at the service although they are not declared. */
  readonly kept?: JsonObject;
  /** Kinds whose objects are deleted meanwhile: their names may be missing, and sending one would create it anew. */
  readonly deletedKinds?: ReadonlySet<string>;
  readonly sources: ValueSources;
}

/** Fields that were not sent and that an answer no longer shows as they were: the service's PUT replaces (A3). */
export function lostFields(kind: AnyKind, sent: SentUpdate, wire: Wire): JsonObject {
  const { fields, declared, kept = {}, deletedKinds, sources } = sent;
  const unsent = Object.entries({ ...kept, ...declared }).filter(([name]) => !(name in fields));
  const expected = referencesAsLive(kind, comparable(kind, Object.fromEntries(unsent)), sources);
  const answered = readFields(kind, wire);
  const isLost = (name: string) => {
    if (deletedKinds?.has(kind.fields[name]?.of?.reference?.kind ?? "")) return false;
    const standard = kind.fields[name]?.default;
    const now = answered[name] ?? standard;
    return (isEmptyJson(now) || same(now, standard)) && !same(expected[name], now);
  };
  // Only an answer that carries texts can lack one.
  const isText = (name: string) => kind.fields[name]?.content === "text";
  const isTextLost = ([name, value]: readonly [string, Json]) =>
    isText(name) &&
    answered[name] === undefined &&
    isContentMark(value) &&
    sources.content(value.$content) !== undefined;
  return Object.fromEntries([
    ...Object.entries(expected).filter(([name]) => isLost(name)),
    ...(Object.keys(answered).some(isText) ? unsent.filter(isTextLost) : []),
  ]);
}

/** Fields that an answer can show: no secrets, no files, no cleared fields. */
function comparable(kind: AnyKind, fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).filter(
    ([name, value]) =>
      value !== null && !holdsSecret(value) && !isContentMark(value) && !kind.fields[name]?.separateRequest,
  );
  return Object.fromEntries(entries);
}
