import { isJsonObject } from "./json-values.ts";

/** A value that is not as expected, and where in the document it is. */
export interface Misfit {
  readonly at: string;
  readonly found: unknown;
  readonly expected: string;
}

/** Looks at a value at a place of a document; undefined when it fits. */
export type Shape = (value: unknown, at: string) => Misfit | undefined;

/** A shape that one test and one word describe. */
export function shape(expected: string, fits: (value: unknown) => boolean): Shape {
  return (found, at) => (fits(found) ? undefined : { at, found, expected });
}

export const text = shape("text", (value) => typeof value === "string");
export const flag = shape("true or false", (value) => typeof value === "boolean");
export const number = shape("a number", (value) => typeof value === "number" && Number.isFinite(value));
export const id = shape("a whole number, at least 0", (value) => Number.isSafeInteger(value) && Number(value) >= 0);
/** Beyond it no moment that is computed from another one is safe from lying beyond all dates. */
export const time = shape(
  "an ISO 8601 time before the year 10000",
  (value) => typeof value === "string" && Math.abs(Date.parse(value)) <= 253_402_300_799_999,
);
export const anything: Shape = () => undefined;

/** One of several words. */
export function oneOf(...words: readonly string[]): Shape {
  return shape(`one of ${words.join(", ")}`, (value) => words.some((word) => word === value));
}

/** A shape, or null. */
export function orNull(inner: Shape): Shape {
  return (value, at) => (value === null ? undefined : alternative(inner(value, at), "null"));
}

/** A shape, or nothing at all. */
export function optional(inner: Shape): Shape {
  return (value, at) => (value === undefined ? undefined : alternative(inner(value, at), "nothing"));
}

/** A list whose items are of one shape. */
export function listOf(inner: Shape): Shape {
  return (value, at) => {
    if (!Array.isArray(value)) return { at, found: value, expected: "a list" };
    return first(value.map((item: unknown, index) => () => inner(item, `${at}[${index}]`)));
  };
}

/** An object whose values are of one shape, whatever their keys. */
export function bagOf(inner: Shape): Shape {
  return (value, at) => {
    if (!isJsonObject(value)) return { at, found: value, expected: "an object" };
    return first(
      Object.entries(value).map(
        ([name, each]) =>
          () =>
            inner(each, `${at}.${name}`),
      ),
    );
  };
}

/** An object of at least these members. */
export function record(members: Readonly<Record<string, Shape>>): Shape {
  return (value, at) => {
    if (!isJsonObject(value)) return { at, found: value, expected: "an object" };
    return first(
      Object.entries(members).map(
        ([name, inner]) =>
          () =>
            inner(value[name], `${at}.${name}`),
      ),
    );
  };
}

function first(looks: readonly (() => Misfit | undefined)[]): Misfit | undefined {
  for (const look of looks) {
    const misfit = look();
    if (misfit) return misfit;
  }
  return undefined;
}

function alternative(misfit: Misfit | undefined, other: string): Misfit | undefined {
  return misfit && { ...misfit, expected: `${misfit.expected}, or ${other}` };
}
