import fc from "fast-check";
import type { Json, JsonObject } from "../../src/model/json.ts";

/** Names as people give them. */
export const word = fc.constantFrom("alpha", "Beta", "gamma 3", "δ", "x,y", 'q"uote');
/** A field that is set in `weight - 1` of `weight` cases. */
export const maybe = <T extends Json>(field: string, value: fc.Arbitrary<T>, weight = 2) =>
  fc
    .option(value, { freq: weight, nil: undefined })
    .map((each): JsonObject => (each === undefined ? {} : { [field]: each }));
/** The fields of all parts. */
export const join = (...parts: readonly fc.Arbitrary<JsonObject>[]) =>
  fc.tuple(...parts).map((all): JsonObject => Object.assign({}, ...all) as JsonObject);
/** A field that is always set. */
export const always = <T extends Json>(field: string, value: fc.Arbitrary<T>) =>
  value.map((each): JsonObject => ({ [field]: each }));
