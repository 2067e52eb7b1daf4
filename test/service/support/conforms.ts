import type { RouteDescriptor } from "../../../src/api/routes.ts";
import {
  type ParsedDescriptor,
  type ParsedFields,
  parseDescriptor,
  parseFields,
  parseShape,
} from "../../../src/service/core/descriptor.ts";

/** Where an answer departs from what the route table says: unknown members, wrong types, missing ids. */
export function departures(route: RouteDescriptor, value: unknown): readonly string[] {
  const found: string[] = [];
  const { answer } = route;
  if (typeof answer === "object") checkMembers(value, parseFields(answer), "", found);
  else if (!["none", "text", "binary"].includes(answer)) checkValue(value, parseDescriptor(answer), "", found);
  return found;
}

function checkValue(value: unknown, field: ParsedDescriptor, at: string, found: string[]): void {
  if (!field.list) checkOne(value, field, at, found);
  else if (Array.isArray(value)) value.forEach((item, index) => void checkOne(item, field, `${at}[${index}]`, found));
  else found.push(`${at}: no list`);
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  int: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  time: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  enum: (value) => typeof value === "string",
  json: () => true,
};

function checkOne(value: unknown, field: ParsedDescriptor, at: string, found: string[]): void {
  if (field.type === "object") checkMembers(value, parseShape(field.shape ?? ""), at, found);
  else if (!types[field.type]?.(value)) found.push(`${at}: found ${JSON.stringify(value)}, expected ${field.type}`);
}

function checkMembers(value: unknown, fields: ParsedFields, at: string, found: string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    found.push(`${at}: no object`);
    return;
  }
  for (const [name, field] of fields) if (field.required && !(name in value)) found.push(`${at}.${name}: missing`);
  for (const [name, each] of Object.entries(value)) {
    const field = fields.get(name);
    if (field === undefined) found.push(`${at}.${name}: unknown`);
    else if (each !== null) checkValue(each, field, `${at}.${name}`, found);
  }
}
