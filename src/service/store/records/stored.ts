import type { JsonValue } from "../../../api/routes.ts";
import { bagOf, id, number, optional, type Shape, shape, text, time } from "../shape.ts";

/** Members of every stored object (API 1, conventions 2). */
export interface Stored {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Values of which only a salted digest is kept, by field. */
export type Digests = Readonly<Record<string, string>>;

/** Free JSON by key. */
export type Bag = Readonly<Record<string, JsonValue>>;

/** The shape of every member of a record; the compiler compares it with the record's type. */
export type Members<R> = { readonly [K in keyof Required<R>]: Shape };

/** Its members. */
export const stored: Members<Stored> = { id, createdAt: time, updatedAt: time };

/** Members that are digests, by field. */
export const digests = bagOf(text);

/** Text that holds a JSON object. */
export const jsonText = shape("JSON text of an object", (value) => {
  try {
    const parsed: unknown = JSON.parse(String(value));
    return typeof value === "string" && typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
});

/** A number that may be absent. */
export const count = optional(number);
