import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { normalObject } from "../../model/normal-form.ts";
import type { ValueSources } from "../../remote/encode-fields.ts";
import type { TerraformAttribute } from "../../terraform-schema/attribute.ts";
import type { ResourceSchema } from "../../terraform-schema/resource.ts";
import { type Contents, decodeFields, knownFields } from "../values/decode-fields.ts";
import { type Value, type ValueMap, valueMap } from "../wire/values.ts";

/** What an object is to be, as requests are made of it. */
export interface DesiredObject {
  /** In normal form; secrets, texts and files are marks. */
  readonly fields: JsonObject;
  readonly sources: ValueSources;
}

/** The object of known values; write-only ones that `sends` names are from the configuration. */
export function desiredObject(
  { kind, attributes }: ResourceSchema,
  values: ValueMap,
  { config, sends }: { readonly config: ValueMap; readonly sends: (attribute: TerraformAttribute) => boolean },
): DesiredObject {
  const contents: Contents = new Map();
  const writeOnly = attributes.filter((attribute) => attribute.writeOnly && sends(attribute));
  const hidden = writeOnly.map(({ name }): [string, Value] => [name, config[name] ?? null]);
  const all = valueMap([...Object.entries(values), ...hidden]);
  const { known } = knownFields(decodeFields(attributes, all, contents));
  const secrets = new Map<string, Json>();
  const fields: Record<string, Json> = {};
  for (const [name, value] of Object.entries(normalObject(kind, known)))
    fields[name] = marked(value, {
      path: [name],
      isSecret: isSecretAt(kind.fields, [name]),
      secrets,
      fields: kind.fields,
    });
  return {
    fields,
    sources: {
      idOf: () => undefined,
      secret: (path) => secrets.get(path.join("\0")),
      content: (hash) => contents.get(hash),
    },
  };
}

type Fields = ResourceSchema["kind"]["fields"];

function isSecretAt(fields: Fields, [name = "", key]: readonly string[]): boolean {
  const field = fields[name];
  return key === undefined ? field?.secret === true : (field?.secretKeys?.includes(key) ?? false);
}

interface Marking {
  readonly path: readonly string[];
  readonly isSecret: boolean;
  readonly secrets: Map<string, Json>;
  readonly fields: Fields;
}

/** A value with marks for what is write-only in it; null clears and is none. */
function marked(value: Json, { path, isSecret, secrets, fields }: Marking): Json {
  if (value === null) return null;
  if (isSecret) {
    secrets.set(path.join("\0"), value);
    return { $secret: "" };
  }
  if (path.length > 1 || !isObject(value) || fields[path[0] ?? ""]?.secretKeys === undefined) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => {
    const inner = [...path, key];
    return [key, marked(member, { path: inner, isSecret: isSecretAt(fields, inner), secrets, fields })];
  });
  return Object.fromEntries(members);
}

/** The parts of an object that a request of its own sets, and the rest. */
export function splitSeparate(
  { kind }: ResourceSchema,
  fields: JsonObject,
): { readonly own: JsonObject; readonly separate: JsonObject } {
  const isSeparate = ([name]: readonly [string, Json]) => kind.fields[name]?.separateRequest === true;
  const entries = Object.entries(fields);
  return {
    own: Object.fromEntries(entries.filter((entry) => !isSeparate(entry))),
    separate: Object.fromEntries(entries.filter(isSeparate)),
  };
}
