import { type AttributeSchema, isNestedSchema, type NestedSchema } from "../../../src/terraform/provider-schema.ts";
import {
  DecimalText,
  isValueMap,
  UNKNOWN,
  type Value,
  type ValueMap,
  valueMap,
} from "../../../src/terraform/wire/values.ts";

type Attributes = readonly AttributeSchema[];

/** What may be written for a value in a test: attributes that are left out are null. */
export type Written = Value | { readonly [name: string]: Written } | readonly Written[];

/** An object of a schema with all its attributes. */
export function wholeObject(attributes: Attributes, written: { readonly [name: string]: Written }): ValueMap {
  const known = new Set(attributes.map(({ name }) => name));
  for (const name of Object.keys(written)) if (!known.has(name)) throw new Error(`the schema has no ${name}`);
  return valueMap(attributes.map(({ name, type }) => [name, wholeValue(type, written[name] ?? null)]));
}

function wholeValue(type: AttributeSchema["type"], written: Written): Value {
  if (!isNestedSchema(type) || written === null || written === UNKNOWN) return written as Value;
  if (Array.isArray(written)) return written.map((each) => (each === null ? null : wholeObject(type.attributes, each)));
  return wholeObject(type.attributes, written as { readonly [name: string]: Written });
}

/** What the core proposes as the new state: the configuration, and prior values where it is null and they are computed. */
export function proposedState(attributes: Attributes, prior: Value, config: Value): Value {
  if (!isValueMap(config)) return config;
  const before = isValueMap(prior) ? prior : undefined;
  return valueMap(
    attributes.map((attribute) => {
      const { name, type, computed } = attribute;
      const wanted = config[name] ?? null;
      const old = before?.[name] ?? null;
      if (wanted === null) return [name, computed ? old : null];
      return [name, isNestedSchema(type) ? proposedNested(type, old, wanted) : wanted];
    }),
  );
}

function proposedNested({ nesting, attributes }: NestedSchema, prior: Value, config: Value): Value {
  if (nesting === "single") return proposedState(attributes, prior, config);
  if (!Array.isArray(config)) return config;
  const before: readonly Value[] = Array.isArray(prior) ? prior : [];
  return config.map((each: Value, index) => {
    const old = nesting === "list" ? before[index] : before.find((other) => isMatch(attributes, other, each));
    return proposedState(attributes, old ?? null, each);
  });
}

/** Elements of a set have no place: the prior one is that which agrees in everything that is configured. */
function isMatch(attributes: Attributes, prior: Value, config: Value): boolean {
  if (!isValueMap(prior) || !isValueMap(config)) return false;
  return attributes.every(
    ({ name, computed }) =>
      (computed && (config[name] ?? null) === null) || isEqual(prior[name] ?? null, config[name] ?? null),
  );
}

/** Whether two values are the same; the order of a map's keys says nothing. */
export function isEqual(left: Value, right: Value): boolean {
  return canonical(left) === canonical(right);
}

function canonical(value: Value): string {
  if (value === UNKNOWN) return "unknown";
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map((each: Value) => canonical(each)).join(",")}]`;
  if (value instanceof DecimalText) return value.decimal;
  if (!isValueMap(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(",")}}`;
}
