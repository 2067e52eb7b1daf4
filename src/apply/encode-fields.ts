import { isContentMark, isSecretMark } from "../model/fingerprint.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { mapReferences } from "../model/references.ts";
import { writeFields } from "../model/wire-fields.ts";
import type { ApplyContext } from "./apply-context.ts";

/** The body of a request for planned fields: secrets revealed, texts put in, references as ids. */
export function encodeFields(
  context: ApplyContext,
  of: { readonly kind: AnyKind; readonly address: string; readonly fields: JsonObject },
): JsonObject {
  const { kind, address } = of;
  const plain: Record<string, Json> = {};
  for (const [name, value] of Object.entries(of.fields))
    plain[name] = withContent(context, kind, name, revealed(context, address, [name], value));
  return writeFields(kind, toIds(context, kind, plain));
}

/** References of planned fields as the ids that they have by now. */
function toIds(context: ApplyContext, kind: AnyKind, fields: JsonObject): JsonObject {
  return mapReferences(kind, fields, (value) => referredId(context, value));
}

/** References of planned fields in the spelling of a live tree. */
export function toLiveReferences(context: ApplyContext, kind: AnyKind, fields: JsonObject): JsonObject {
  return mapReferences(kind, fields, (value) => ({ id: referredId(context, value) }));
}

function referredId(context: ApplyContext, value: Json): Json {
  if (!isObject(value)) return value;
  if (typeof value["id"] === "number") return value["id"];
  const bound = typeof value["ref"] === "string" ? context.resources.get(value["ref"]) : undefined;
  if (bound === undefined) throw new Error(`reference to ${JSON.stringify(value)} has no id yet`);
  return bound.id;
}

function revealed(context: ApplyContext, address: string, path: readonly string[], value: Json): Json {
  if (isSecretMark(value)) return context.reveal(address, path) ?? missing(address, path);
  if (isContentMark(value) || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, revealed(context, address, [...path, key], member)]),
  );
}

function missing(address: string, path: readonly string[]): never {
  throw new Error(`no value for ${path.join(".")} of ${address}`);
}

function withContent(context: ApplyContext, kind: AnyKind, name: string, value: Json): Json {
  if (!isContentMark(value)) return value;
  const content = context.contents(value.$content);
  if (content === undefined) throw new Error(`content ${value.$content} is not at hand`);
  if (kind.fields[name]?.content === "bytes") return Buffer.from(content).toString("base64");
  return typeof content === "string" ? content : Buffer.from(content).toString("utf8");
}
