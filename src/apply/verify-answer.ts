import type { Diagnostic } from "../model/diagnostic.ts";
import { isContentMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { AnyKind, Wire } from "../model/kind.ts";
import { readFields } from "../model/wire-fields.ts";
import { holdsSecret, same } from "../plan/diff-fields.ts";
import type { Operation } from "../plan/plan.ts";
import type { ApplyContext } from "./apply-context.ts";
import { toLiveReferences } from "./encode-fields.ts";

/** Compares an answer with what was sent; a difference is somebody else's doing, or a value the service did not take. */
export function verifyAnswer(context: ApplyContext, operation: Operation, wire: Wire): readonly Diagnostic[] {
  const kind = context.kindOf(operation.kind);
  const answered = readFields(kind, wire);
  const sent = toLiveReferences(context, kind, comparable(kind, operation.fields));
  return Object.entries(sent)
    .filter(([name, value]) => answered[name] !== undefined && !same(value, answered[name]))
    .map(([name, value]) => ({
      severity: "warning" as const,
      code: "LF6003" as const,
      summary: `${operation.address}: the service stored another ${name}`,
      detail: `sent ${shorten(value)}, found ${shorten(answered[name])} in its answer; someone may have changed it at the same moment. Plan again`,
      address: operation.address,
    }));
}

/** Fields that were not sent and that an answer no longer shows as they were: the service's PUT replaces (A3). Upserts do not. */
export function lostFields(context: ApplyContext, operation: Operation, wire: Wire): JsonObject {
  const kind = context.kindOf(operation.kind);
  const { fields, declared, kept = {} } = operation;
  if (kind.remote.upserts || operation.binding === undefined) return {};
  const unsent = Object.entries({ ...kept, ...declared }).filter(([name]) => !(name in fields));
  const expected = toLiveReferences(context, kind, comparable(kind, Object.fromEntries(unsent)));
  const answered = readFields(kind, wire);
  const isLost = (name: string) => {
    // A deleted tag takes its labels along, and putting one back would make it anew.
    if (context.deletedKinds.has(kind.fields[name]?.of?.reference?.kind ?? "")) return false;
    const standard = kind.fields[name]?.default;
    const now = answered[name] ?? standard;
    return (isEmpty(now) || same(now, standard)) && !same(expected[name], now);
  };
  const values = Object.entries(expected).filter(([name]) => isLost(name));
  return Object.fromEntries([...values, ...lostTexts(context, kind, { unsent, answered })]);
}

/** Texts that an answer which carries texts no longer shows. */
function lostTexts(
  context: ApplyContext,
  kind: AnyKind,
  { unsent, answered }: { readonly unsent: readonly [string, Json][]; readonly answered: JsonObject },
): readonly [string, Json][] {
  const isText = (name: string) => kind.fields[name]?.content === "text";
  if (!Object.keys(answered).some(isText)) return [];
  return unsent.filter(
    ([name, value]) =>
      isText(name) &&
      answered[name] === undefined &&
      isContentMark(value) &&
      context.contents(value.$content) !== undefined,
  );
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** What an answer can show: no secrets, no files, no cleared fields. */
function comparable(kind: AnyKind, fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).filter(
    ([name, value]) => value !== null && !holdsSecret(value) && !isContentMark(value) && !kind.fields[name]?.ownRequest,
  );
  return Object.fromEntries(entries);
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
