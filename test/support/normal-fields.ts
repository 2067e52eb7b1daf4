import type { Field } from "../../src/model/field.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { normalValue } from "../../src/model/normal-form.ts";

/** The normal form of an object's fields; unknown members are left out, null and absent differ. */
export function normalFields(fields: Readonly<Record<string, Field>>, values: JsonObject): JsonObject {
  const normal: Record<string, Json> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value !== undefined) normal[name] = normalValue(field, value);
  }
  return normal;
}
