import { type NumberValue, narrowInteger, numberOfDouble, numberOfText, textOfNumber } from "./decimal.ts";
import { MsgpackReader, type Token } from "./msgpack-reader.ts";
import { MsgpackWriter } from "./msgpack-writer.ts";
import { type CtyType, DecimalText, isValueMap, UNKNOWN, type Value, type ValueMap } from "./values.ts";

/** Reads a value of a type from Terraform's MessagePack; every extension, also a refined unknown value, is UNKNOWN. */
export function decodeValue(type: CtyType, bytes: Uint8Array): Value {
  const reader = new MsgpackReader(bytes);
  const value = readTyped(reader, type);
  if (!reader.isDone()) throw new Error("found bytes behind the value; expected one value");
  return value;
}

/** Writes a value of a type as Terraform's MessagePack. An object must have exactly the keys of its type. */
export function encodeValue(type: CtyType, value: Value): Buffer {
  const writer = new MsgpackWriter();
  writeTyped(writer, { type, value, at: "" });
  return writer.finish();
}

function readTyped(reader: MsgpackReader, type: CtyType): Value {
  const token = reader.next();
  if (token.is === "nil") return null;
  if (token.is === "extension") return UNKNOWN;
  if (typeof type === "string") return readPrimitive(type, token);
  const [shape, part] = type;
  if ((shape === "list" || shape === "set") && token.is === "list")
    return Array.from({ length: token.size }, () => readTyped(reader, part));
  if (shape === "map" && token.is === "map") return readPairs(reader, token.size, () => part);
  if (shape === "object" && token.is === "map") {
    const object = readPairs(reader, token.size, (key) => attributeType(part, key));
    for (const key of Object.keys(part)) if (!Object.hasOwn(object, key)) throw new Error(`found no attribute ${key}`);
    return object;
  }
  throw mismatch(shape, token.is);
}

function readPairs(reader: MsgpackReader, size: number, typeOf: (key: string) => CtyType): ValueMap {
  const map: Record<string, Value> = Object.create(null);
  for (let left = size; left > 0; left -= 1) {
    const key = reader.next();
    if (key.is !== "text") throw mismatch("a text as key", key.is);
    map[key.value] = readTyped(reader, typeOf(key.value));
  }
  return map;
}

function readPrimitive(type: "string" | "number" | "bool", token: Token): Value {
  if (type === "string" && token.is === "text") return token.value;
  if (type === "bool" && token.is === "boolean") return token.value;
  if (type === "number" && token.is === "integer") return narrowInteger(BigInt(token.value));
  if (type === "number" && token.is === "double") return numberOfDouble(token.value);
  if (type === "number" && token.is === "text") return numberOfText(token.value);
  throw mismatch(type, token.is);
}

/** The type of an object's attribute; an attribute of another schema is refused. */
export function attributeType(attributes: { readonly [name: string]: CtyType }, name: string): CtyType {
  const type = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (type === undefined) throw new Error(`found the attribute ${name}, which the schema does not have`);
  return type;
}

interface Part {
  readonly type: CtyType;
  readonly value: Value;
  /** Where the value is, for messages. */
  readonly at: string;
}

function writeTyped(writer: MsgpackWriter, part: Part): void {
  const { type, value } = part;
  if (value === null) writer.nil();
  else if (value === UNKNOWN) writer.unknown();
  else if (typeof type === "string") writePrimitive(writer, part);
  else if (type[0] === "list" || type[0] === "set") writeList(writer, type[1], part);
  else if (!isValueMap(value)) throw misfit(part.at, type[0], value);
  else if (type[0] === "object") {
    checkKeys(type[1], value, part.at);
    writePairs(writer, { value, at: part.at }, (key) => attributeType(type[1], key));
  } else writePairs(writer, { value, at: part.at }, () => type[1]);
}

function writeList(writer: MsgpackWriter, type: CtyType, { type: [shape = ""], value, at }: Part): void {
  if (!Array.isArray(value)) throw misfit(at, String(shape), value);
  writer.list(value.length);
  for (const [index, each] of value.entries()) writeTyped(writer, { type, value: each, at: `${at}[${index}]` });
}

function writePairs(
  writer: MsgpackWriter,
  { value, at }: { readonly value: ValueMap; readonly at: string },
  typeOf: (key: string) => CtyType,
): void {
  const keys = Object.keys(value);
  writer.map(keys.length);
  for (const key of keys) {
    writer.text(key);
    writeTyped(writer, { type: typeOf(key), value: value[key] ?? null, at: at === "" ? key : `${at}.${key}` });
  }
}

function checkKeys(attributes: { readonly [name: string]: CtyType }, value: ValueMap, at: string): void {
  const missing = Object.keys(attributes).filter((name) => !Object.hasOwn(value, name));
  const extra = Object.keys(value).filter((name) => !Object.hasOwn(attributes, name));
  if (missing.length + extra.length === 0) return;
  throw new Error(
    `${at === "" ? "the object" : at}: found an object without [${missing}] and with [${extra}] in excess; expected exactly the schema's attributes`,
  );
}

function writePrimitive(writer: MsgpackWriter, { type, value, at }: Part): void {
  if (type === "string" && typeof value === "string") writer.text(value);
  else if (type === "bool" && typeof value === "boolean") writer.boolean(value);
  else if (type === "number" && isNumber(value)) writeNumber(writer, value);
  else throw misfit(at, String(type), value);
}

/**
 * All numbers are decimal text. A double would be another number, for cty compares 512 bits; and an integer of MessagePack
 * has another precision than the one in the state's JSON, which `plan -refresh-only -detailed-exitcode` takes for a change.
 */
function writeNumber(writer: MsgpackWriter, value: NumberValue): void {
  writer.text(textOfNumber(value));
}

function isNumber(value: Value): value is NumberValue {
  return typeof value === "number" || typeof value === "bigint" || value instanceof DecimalText;
}

function misfit(at: string, expected: string, value: Value): Error {
  const found = Array.isArray(value) ? "a list" : isNumber(value) ? "a number" : `a ${typeof value}`;
  return new Error(`${at === "" ? "the value" : at}: found ${found}; expected the type ${expected}`);
}

function mismatch(expected: string, found: string): Error {
  return new Error(`found ${found} in MessagePack; expected ${expected}`);
}
