import type { Field } from "../model/field.ts";
import { type ContentMark, holdsSecret, isContentMark, isSecretMark } from "../model/fingerprint.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import { writeFields } from "../model/normal-form.ts";
import { type BoundIds, referencesAsIds } from "../model/references.ts";

/** Where the values are found that the fields of an object only point at. */
export interface ValueSources extends BoundIds {
  /** The value of a secret by its path within the fields; undefined when it is not known. */
  readonly secret: (path: readonly string[]) => Json | undefined;
  /** A text or the bytes of a file by hash; undefined when they are not at hand. */
  readonly content: (hash: string) => string | Uint8Array | undefined;
}

/** The body of a request for fields in normal form: secrets revealed, texts put in, references as ids. */
export function encodeFields(kind: AnyKind, fields: JsonObject, sources: ValueSources): JsonObject {
  const plain: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    // A secret may be a whole text.
    const shown = revealed(value, [name], sources);
    plain[name] = isContentMark(shown) ? contentOf(kind.fields[name], shown, sources) : shown;
  }
  return writeFields(kind, referencesAsIds(kind, plain, sources));
}

/** Fields that only go out: a request carries them whenever it carries anything (docs/engine.md, Assumptions A3). */
export function writeOnlyFields(kind: AnyKind, declared: JsonObject): JsonObject {
  const isWriteOnly = (name: string) =>
    kind.fields[name]?.secret === true || kind.fields[name]?.secretKeys !== undefined;
  return Object.fromEntries(Object.entries(declared).filter(([name, each]) => isWriteOnly(name) && holdsSecret(each)));
}

function revealed(value: Json, path: readonly string[], sources: ValueSources): Json {
  if (isSecretMark(value)) {
    const secret = sources.secret(path);
    if (secret === undefined) throw new Error(`no value for ${path.join(".")}`);
    return secret;
  }
  if (isContentMark(value) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revealed(each, [...path, key], sources)]));
}

function contentOf(field: Field | undefined, { $content }: ContentMark, sources: ValueSources): string {
  const content = sources.content($content);
  if (content === undefined) throw new Error(`content ${$content} is not at hand`);
  if (field?.content === "bytes") return Buffer.from(content).toString("base64");
  return typeof content === "string" ? content : Buffer.from(content).toString("utf8");
}
