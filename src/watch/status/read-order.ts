import { momentOf } from "../../model/recurrence.ts";
import { Refusal } from "./refusal.ts";
import type { StatusRequest } from "./status-request.ts";

/** Members that the body of an order may have. */
type Members = Readonly<Record<string, "boolean" | "moment">>;

/** The body of an order, as it was understood; a moment is in epoch milliseconds. */
type Order<Known extends Members> = {
  readonly [Name in keyof Known]?: Known[Name] extends "boolean" ? boolean : number;
};

const limit = 10_000;

/**
 * Reads the JSON body of a POST; an empty one is an empty object, and needs no content type. A form of another page cannot send that of
 * JSON, and always sends one.
 */
export async function readOrder<Known extends Members>(request: StatusRequest, known: Known): Promise<Order<Known>> {
  const type = request.headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(String(type))) throw untyped();
  const text = new TextDecoder().decode(await request.readBody(limit));
  if (type === undefined && text !== "") throw untyped();
  const given = parseOrder(text);
  const names = Object.keys(known);
  const expected = names.length === 0 ? "expected {}" : `expected an object with at most ${names.join(", ")}`;
  if (given === undefined || Object.keys(given).some((name) => !names.includes(name)))
    throw new Refusal(400, `The body is not what this path takes; ${expected}`);
  const order = names.flatMap((name) => {
    const value = given[name];
    return value === undefined || value === null ? [] : [[name, readOrdered(name, known[name], value)]];
  });
  return Object.fromEntries(order) as Order<Known>;
}

function untyped(): Refusal {
  return new Refusal(
    415,
    "The body must be JSON: send it with Content-Type: application/json, or no body for no choice",
  );
}

function readOrdered(name: string, type: Members[string] | undefined, value: unknown): boolean | number {
  if (type === "boolean" && typeof value === "boolean") return value;
  if (type === "boolean") throw new Refusal(400, `\`${name}\` must be true or false`);
  const moment = typeof value === "string" && isoMoment.test(value) ? momentOf(value) : Number.NaN;
  if (Number.isNaN(moment)) throw new Refusal(400, `\`${name}\` must be a moment, as in "2026-11-24T18:00:00Z"`);
  return moment;
}

/** With its distance from UTC, so that it means the same everywhere. */
const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function parseOrder(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
