import type { DynamicValue } from "../../../gen/tfplugin6.js";
import { decodeJsonValue } from "./json-value.ts";
import { decodeValue, encodeValue } from "./value-codec.ts";
import type { CtyType, Value } from "./values.ts";

/** The value in a message; a message without one is null. */
export function fromDynamic(type: CtyType, message: DynamicValue | undefined): Value {
  if (message === undefined) return null;
  if (message.msgpack.length > 0) return decodeValue(type, message.msgpack);
  return message.json.length > 0 ? decodeJsonValue(type, message.json) : null;
}

/** A value as a message. */
export function toDynamic(type: CtyType, value: Value): DynamicValue {
  return { msgpack: encodeValue(type, value), json: Buffer.alloc(0) };
}
