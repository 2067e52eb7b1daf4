import { shapes } from "../api/shapes.ts";
import type { PreparedCall } from "./build-request.ts";

/**
 * What is wrong with the object that a write answered; undefined when it can be believed, and for writes that answer no
 * stored object. It can be when it has an id (a whole number from 0 on) and a creation time (API 1, conventions 2), and is
 * the object that was asked for: the id of the path, the name of the body. A name may come back in another case.
 */
export function objectProblem(call: PreparedCall, value: unknown): string | undefined {
  if (!answersObject(call)) return undefined;
  const found = asObject(value);
  const { id, createdAt } = found ?? {};
  if (typeof id !== "number" || !Number.isInteger(id) || id < 0) return "found an answer without an id";
  if (typeof createdAt !== "string" || Number.isNaN(Date.parse(createdAt)))
    return "found an answer without the time at which the object was created";
  const asked = call.method === "POST" ? undefined : askedId(call);
  if (asked !== undefined && asked !== String(id)) return `found an answer about object ${id}`;
  return hasAskedName(call, found?.["name"]) ? undefined : "found an answer about an object of another name";
}

/** Whether a route writes one stored object and answers it. */
function answersObject({ method, descriptor: { answer } }: PreparedCall): boolean {
  if (!["POST", "PUT", "PATCH"].includes(method) || typeof answer !== "string" || !answer.startsWith("@")) return false;
  const shape = asObject(shapes[answer.slice(1) as keyof typeof shapes]);
  return shape !== undefined && shape["id"] === "int!" && "createdAt" in shape;
}

/** The id in the path of a change; undefined where an object may be named by another word. */
function askedId({ input }: PreparedCall): string | undefined {
  const [only, another] = Object.values(input.params ?? {}).map(String);
  return only !== undefined && another === undefined && /^\d+$/.test(only) ? only : undefined;
}

function hasAskedName({ method, input }: PreparedCall, found: unknown): boolean {
  const asked = asObject(input.body)?.["name"];
  if (typeof asked !== "string") return true;
  if (typeof found !== "string") return found === undefined && method !== "POST";
  return found.trim().toLowerCase() === asked.trim().toLowerCase();
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
