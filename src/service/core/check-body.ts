import type { JsonValue } from "../../api/routes.ts";
import { momentOf } from "../../model/recurrence.ts";
import type { Findings } from "../refusal.ts";
import { isJsonObject } from "../store/json-values.ts";
import type { InputSchemas, ParsedDescriptor, ParsedFields } from "./descriptor.ts";

/** Where problems and unread fields of a body go. */
export interface BodyCheck {
  readonly schemas: InputSchemas;
  readonly findings: Findings;
  readonly unknown: string[];
}

/** Members that an object read from the service carries; sent back within a list they are no mistake. */
const readBack = ["createdAt", "updatedAt", "firstVersion"];

/** Checks the fields of an object body: types, closed enumerations, required ones; unread ones are collected. */
export function checkFields(body: Readonly<Record<string, JsonValue>>, fields: ParsedFields, check: BodyCheck): void {
  for (const [name, field] of fields) if (field.required) checkRequired(body[name], name, check);
  checkMembers(body, fields, { ...check, at: "" });
}

/** Checks a body that is described by one word. */
export function checkWhole(body: JsonValue, field: ParsedDescriptor, check: BodyCheck): void {
  checkValue(body, field, { ...check, at: "body" });
}

interface CheckedObject extends BodyCheck {
  /** Path of the object that is looked at. */
  readonly at: string;
}

function checkRequired(value: JsonValue | undefined, name: string, { findings }: BodyCheck): void {
  if (value === undefined || value === null) findings.add(name, `found none; expected ${name}: it is required`);
}

function checkMembers(object: Readonly<Record<string, JsonValue>>, fields: ParsedFields, place: CheckedObject): void {
  for (const [name, value] of Object.entries(object)) {
    const at = place.at === "" ? name : `${place.at}.${name}`;
    const field = fields.get(name);
    if (field) checkValue(value, field, { ...place, at });
    else if (!("id" in object && readBack.includes(name))) place.unknown.push(at);
  }
}

function checkValue(value: JsonValue, field: ParsedDescriptor, place: CheckedObject): void {
  if (value === null && field.type !== "object") return;
  if (!field.list) {
    checkOne(value, field, place);
    return;
  }
  if (value === null) return;
  if (!Array.isArray(value)) {
    place.findings.add(place.at, `found ${shownValue(value)}; expected a list`);
    return;
  }
  for (const [index, item] of value.entries()) checkOne(item, field, { ...place, at: `${place.at}[${index}]` });
}

function checkOne(value: JsonValue, field: ParsedDescriptor, place: CheckedObject): void {
  if (field.type === "object") {
    checkObject(value, field, place);
    return;
  }
  const expected = expectation(value, field);
  if (expected !== undefined) place.findings.add(place.at, `found ${shownValue(value)}; expected ${expected}`);
}

function checkObject(value: JsonValue, field: ParsedDescriptor, place: CheckedObject): void {
  if (isJsonObject(value)) checkMembers(value, place.schemas.shape(field.shape ?? ""), place);
  else place.findings.add(place.at, `found ${shownValue(value)}; expected an object`);
}

/** The expected type in words; undefined when the value fits. */
function expectation(value: JsonValue, field: ParsedDescriptor): string | undefined {
  switch (field.type) {
    case "string":
      return typeof value === "string" ? undefined : "text";
    case "int":
      return Number.isSafeInteger(value) ? undefined : "a whole number";
    case "number":
      return typeof value === "number" ? undefined : "a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "epoch":
      return Number.isNaN(momentOf(value)) ? "epoch milliseconds or an ISO 8601 time" : undefined;
    case "enum":
      return field.choices?.some((choice) => choice === value) ? undefined : `one of ${field.choices?.join(", ")}`;
    default:
      return undefined;
  }
}

/** A value for a message: short. */
export function shownValue(value: JsonValue | undefined): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
