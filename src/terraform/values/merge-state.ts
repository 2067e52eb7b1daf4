import { isContentMark, same } from "../../model/fingerprint.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { normalValue } from "../../model/normal-form.ts";
import { inactiveFields } from "../../model/variant.ts";
import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { isValueMap, isWhollyKnown, type Value, type ValueMap, valueMap } from "../wire/values.ts";
import { decodeAttribute } from "./decode-fields.ts";
import { encodeAttribute, encodePlain } from "./encode-attribute.ts";
import type { LiveObject } from "./live-object.ts";
import { keepMasked } from "./maybe-secret.ts";
import type { ImportMarks } from "./private-state.ts";

/**
 * The state of an object: its live values, but a value that means the same is exactly as it was (JSON text, moments, the
 * order of lists in which it means nothing), and what cannot be read back remains. Unknown values of `prior` become known.
 * `marks`: of what may be secret, the state of an import has what the service shows.
 */
export function mergeState(
  { kind, attributes }: ResourceSchema,
  prior: ValueMap,
  live: LiveObject,
  marks: ImportMarks = {},
): ValueMap {
  const fields = keepMasked(kind, { live: live.fields, prior: priorFields(attributes, prior), marks });
  const merge: Merge = {
    files: new Map(attributes.flatMap((attribute) => fileIn(attribute, priorOf(attribute, prior)))),
    live: { ...live, fields },
    imported: marks.imported === true,
    inactive: inactiveFields(kind.variants, live.fields),
  };
  return valueMap(attributes.map((attribute) => [attribute.name, merged(attribute, priorOf(attribute, prior), merge)]));
}

/**
 * The state of an object that has finished: it keeps what was declared. Undefined of one that has not, and of one that somebody made
 * into what has.
 */
export function finishedState(resource: ResourceSchema, prior: ValueMap, live: LiveObject): ValueMap | undefined {
  const { kind, attributes } = resource;
  const fields = [live.fields, priorFields(attributes, prior)];
  if (!fields.every((each) => kind.finished?.(each, live.facts))) return undefined;
  const now = mergeState(resource, prior, live);
  return valueMap(
    attributes.map(({ name, source }) => [name, (source.is === "field" ? prior[name] : now[name]) ?? null]),
  );
}

interface Merge {
  readonly live: LiveObject;
  readonly imported: boolean;
  /** The form of each text or file in the state. */
  readonly files: ReadonlyMap<string, FileInState>;
  /** Fields that do not count under the live variants. */
  readonly inactive: ReadonlySet<string>;
}

function priorOf({ name }: TerraformAttribute, prior: ValueMap): Value {
  const value = prior[name] ?? null;
  return isWhollyKnown(value) ? value : null;
}

function merged(attribute: TerraformAttribute, prior: Value, merge: Merge): Value {
  const { live, inactive, files } = merge;
  const { source } = attribute;
  if (attribute.writeOnly) return null;
  switch (source.is) {
    case "identity":
      return (
        encodePlain("string", live.identity?.[source.member]?.toString()) ?? (source.member === "id" ? null : prior)
      );
    case "parent":
      return live.parentId === undefined ? prior : String(live.parentId);
    case "fact":
      return encodePlain(attribute.type, live.facts[source.member]);
    case "field":
      if (inactive.has(source.path[0] ?? "")) return prior;
      if (source.field.content === undefined) return mergedField(attribute, prior, merge);
      return mergedContent(attribute, prior, { live, file: files.get(source.path[0] ?? "") });
    default:
      return prior;
  }
}

function mergedField(attribute: TerraformAttribute, prior: Value, { live, imported }: Merge): Value {
  const { source } = attribute;
  if (source.is !== "field" || source.path.length > 1 || source.field.secret) return prior;
  const [name = ""] = source.path;
  const now = live.fields[name];
  if (source.field.maybeSecret && prior === null && !imported) return null;
  if (prior !== null && meansSame(attribute, prior, now)) return prior;
  const value = encodeAttribute(attribute, live.fields, live.contents);
  if (value === null) return fallback(attribute, prior);
  return prior === null && !attribute.computed && isEmpty(value) ? null : value;
}

/**
 * The value of an attribute that the service does not answer: the documented default, nothing, or its former value
 * where that means nothing too.
 */
function fallback({ computed, type, default: standard }: TerraformAttribute, prior: Value): Value {
  if (prior !== null && isEmpty(prior)) return prior;
  return computed && standard !== undefined ? encodePlain(type, standard) : null;
}

/** Nothing in it: the same as not being set. */
function isEmpty(value: Value): boolean {
  if (value === "" || (Array.isArray(value) && value.length === 0)) return true;
  return isValueMap(value) && Object.keys(value).length === 0;
}

/** True where a value of Terraform means the same as a field's. */
export function meansSame(attribute: TerraformAttribute, value: Value, normal: Json | undefined): boolean {
  const { source } = attribute;
  if (source.is !== "field") return false;
  const own = decodeAttribute(attribute, value, new Map());
  if (own === undefined) return normal === undefined;
  const { field } = source;
  const live = field.secretKeys && isObject(normal) ? withoutKeys(normal, field.secretKeys) : normal;
  return same(normalValue(field, own as Json), live ?? field.default);
}

function withoutKeys(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** A text or a file in a state: in one of two attributes. */
interface FileInState {
  readonly form: string;
  readonly text: string;
}

function fileIn({ source }: TerraformAttribute, prior: Value): readonly (readonly [string, FileInState])[] {
  if (source.is !== "field" || source.field.content === undefined || typeof prior !== "string") return [];
  return [[source.path[0] ?? "", { form: source.form, text: prior }]];
}

/**
 * Texts are compared in the form that Terraform gives all text (NFC); one that was not read is as it was. A file that is in
 * the state as base64 remains so; another one is text as long as a text can hold it.
 */
function mergedContent(
  attribute: TerraformAttribute,
  prior: Value,
  { live, file }: { readonly live: LiveObject; readonly file: FileInState | undefined },
): Value {
  const { source } = attribute;
  if (source.is !== "field") return prior;
  const mark = live.fields[source.path[0] ?? ""];
  // A file is always there, and was not read.
  if (mark === undefined) return source.field.content === "bytes" ? prior : null;
  const content = isContentMark(mark) ? live.contents.get(mark.$content) : undefined;
  if (content === undefined || (file !== undefined && holdsSame(file.form, file.text, content))) return prior;
  if (file?.form === "base64") return source.form === "base64" ? Buffer.from(content).toString("base64") : null;
  const value = encodeAttribute(attribute, live.fields, live.contents);
  const isUnset = attribute.optional && source.field.content === "text" && file === undefined;
  return isUnset && value !== null && isEmpty(value) ? null : value;
}

function holdsSame(form: string, prior: string, content: string | Uint8Array): boolean {
  const bytes = Buffer.from(content);
  if (form === "base64") return Buffer.from(prior, "base64").equals(bytes);
  return bytes.toString("utf8").normalize("NFC") === prior.normalize("NFC");
}

function priorFields(attributes: readonly TerraformAttribute[], prior: ValueMap): JsonObject {
  const fields: Record<string, Json> = {};
  for (const attribute of attributes) {
    const { source } = attribute;
    if (source.is !== "field" || source.path.length > 1 || source.field.content !== undefined) continue;
    const value = decodeAttribute(attribute, priorOf(attribute, prior), new Map());
    if (value !== undefined) fields[source.path[0] ?? ""] = normalValue(source.field, value as Json);
  }
  return fields;
}
