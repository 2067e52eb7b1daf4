import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";

/**
 * The document as its shape is checked: required fields that an object lacks are there where the defaults of its kind have
 * them. The document itself where no default has one.
 */
export function fillRequired(document: JsonObject, kinds: readonly AnyKind[]): JsonObject {
  const gifts = requiredDefaults(document.defaults, kinds);
  return gifts.size === 0 ? document : { ...document, ...filledBelow(document, undefined, { kinds, gifts }) };
}

interface Filling {
  readonly kinds: readonly AnyKind[];
  /** Required fields by the name of the kind. */
  readonly gifts: ReadonlyMap<string, JsonObject>;
}

function requiredDefaults(defaults: Json | undefined, kinds: readonly AnyKind[]): ReadonlyMap<string, JsonObject> {
  const gifts = new Map<string, JsonObject>();
  for (const { name, fields } of isObject(defaults) ? kinds : []) {
    const own = isObject(defaults) ? defaults[name] : undefined;
    const required = Object.entries(isObject(own) ? own : {}).filter(([field]) => fields[field]?.required === true);
    if (required.length > 0) gifts.set(name, Object.fromEntries(required));
  }
  return gifts;
}

/** The collections directly below an object, or of the document, with all that stands below them. */
function filledBelow(holder: JsonObject, parent: string | undefined, filling: Filling): JsonObject {
  const filled: Record<string, Json> = {};
  for (const kind of filling.kinds) {
    const collection = holder[kind.plural];
    if (kind.parent !== parent || !isObject(collection)) continue;
    const objects = Object.entries(collection).map(([key, own]) => [key, filledObject(kind, own, filling)] as const);
    filled[kind.plural] = Object.fromEntries(objects);
  }
  return filled;
}

/** An empty object is one without fields; what is no object is left to the check. */
function filledObject(kind: AnyKind, value: Json, filling: Filling): Json {
  const own = value === null ? {} : value;
  if (!isObject(own)) return value;
  return { ...filling.gifts.get(kind.name), ...own, ...filledBelow(own, kind.name, filling) };
}
