/** A value that Terraform will know later. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** A number that a JavaScript number does not hold exactly, as decimal text without exponent: "0.1000000000000000000001". */
export class DecimalText {
  readonly decimal: string;
  constructor(decimal: string) {
    this.decimal = decimal;
  }
}

/** A map or an object; without prototype, so that the key `__proto__` is plain data. */
export interface ValueMap {
  readonly [key: string]: Value;
}

/**
 * A value of Terraform's type system. Integers in the safe range and decimals whose text survives a round trip are
 * numbers, greater integers are bigints, all other numbers DecimalText. Lists and sets are arrays.
 */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | DecimalText
  | readonly Value[]
  | ValueMap
  | typeof UNKNOWN;

/** A type of Terraform's type system, as its JSON spells it. Ours are never `dynamic` and never tuples. */
export type CtyType =
  | "string"
  | "number"
  | "bool"
  | readonly ["list", CtyType]
  | readonly ["set", CtyType]
  | readonly ["map", CtyType]
  | readonly ["object", { readonly [name: string]: CtyType }];

/** True for a map or an object. */
export function isValueMap(value: Value): value is ValueMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof DecimalText);
}

/** A map or an object of these entries, without prototype. */
export function valueMap(entries: Iterable<readonly [string, Value]>): ValueMap {
  const map: Record<string, Value> = Object.create(null);
  for (const [key, value] of entries) map[key] = value;
  return map;
}

/** True for a value that is known in all its parts. */
export function isWhollyKnown(value: Value): boolean {
  if (value === UNKNOWN) return false;
  if (Array.isArray(value)) return value.every(isWhollyKnown);
  return !isValueMap(value) || Object.values(value).every(isWhollyKnown);
}

/** True for unknown values too. */
export function isSet(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
}
