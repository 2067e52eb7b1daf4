import { DecimalText, UNKNOWN, type Value } from "../../../src/terraform/wire/values.ts";

/** A value as Terraform's state file holds it. */
export function stateJson(value: Value): string {
  if (value === UNKNOWN) throw new Error("a state holds nothing unknown");
  if (typeof value === "bigint") return String(value);
  if (value instanceof DecimalText) return value.decimal;
  if (Array.isArray(value)) return `[${value.map((each: Value) => stateJson(each)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${stateJson(each)}`);
  return `{${members.join(",")}}`;
}
