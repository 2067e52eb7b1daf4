import { numberOfText } from "./decimal.ts";
import { attributeType } from "./value-codec.ts";
import { type CtyType, type Value, valueMap } from "./values.ts";

/** Reads a value of a type from JSON, its numbers exactly. JSON has no unknown values. */
export function decodeJsonValue(type: CtyType, bytes: Uint8Array): Value {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  // JSON.parse would round numbers: they are read as texts, and the schema tells which texts are numbers.
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return fromJson(type, JSON.parse(quoted));
}

function fromJson(type: CtyType, json: unknown): Value {
  if (json === null) return null;
  if (typeof type === "string") return primitiveFromJson(type, json);
  if (type[0] === "list" || type[0] === "set") {
    if (Array.isArray(json)) return json.map((each) => fromJson(type[1], each));
    throw jsonMismatch(type[0], json);
  }
  if (typeof json !== "object" || json === undefined || Array.isArray(json)) throw jsonMismatch(type[0], json);
  const given = Object.entries(json);
  if (type[0] === "map") return valueMap(given.map(([key, each]) => [key, fromJson(type[1], each)]));
  const [, attributes] = type;
  for (const [name] of given) attributeType(attributes, name);
  const values = new Map(given);
  return valueMap(Object.entries(attributes).map(([name, its]) => [name, fromJson(its, values.get(name) ?? null)]));
}

function primitiveFromJson(type: "string" | "number" | "bool", json: unknown): Value {
  if (type === "string" && typeof json === "string") return json;
  if (type === "bool" && typeof json === "boolean") return json;
  if (type === "number" && typeof json === "string") return numberOfText(json);
  throw jsonMismatch(type, json);
}

function jsonMismatch(expected: string, found: unknown): Error {
  return new Error(`found ${typeof found} in JSON; expected ${expected}`);
}
