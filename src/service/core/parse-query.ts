import { momentOf } from "../../model/recurrence.ts";
import { type Findings, Refusal } from "../refusal.ts";
import type { ParsedDescriptor, ParsedFields } from "./descriptor.ts";

/** A parameter that has been read. */
export type ParamValue = string | number | boolean;

/** Parameters that belong to no route: how a caller identifies itself. */
const ownNames = ["key", "sid"];

/** DECISION (API 1, conventions 7: bounds of paging are not shown): an offset is at least 0; a limit too, or -1 for all. */
export const least: Readonly<Record<string, number>> = { limit: -1, offset: 0, numIntervals: 0 };

/** Reads query parameters with their defaults (API 1, conventions 3 and 8); unread ones are collected. */
export function parseQuery(
  query: URLSearchParams,
  fields: ParsedFields,
  into: { readonly findings: Findings; readonly unknown: string[] },
): Readonly<Record<string, ParamValue>> {
  const values: Record<string, ParamValue> = {};
  for (const [name, field] of fields) {
    const text = query.get(name) ?? field.default;
    const value = text === undefined ? undefined : inRange(readParam(text, field), least[name]);
    if (value !== undefined) values[name] = value;
    else if (text !== undefined) into.findings.add(name, `found "${text}"; expected ${expected(field)}${bound(name)}`);
    else if (field.required) into.findings.add(name, `found none; expected query parameter ${name}`);
  }
  for (const name of new Set(query.keys()))
    if (!fields.has(name) && !ownNames.includes(name)) into.unknown.push(`?${name}`);
  return values;
}

/** Reads path parameters: whole numbers, unless described otherwise. What is no id belongs to no object. */
export function parseParams(
  params: Readonly<Record<string, string>>,
  fields: ParsedFields,
): Readonly<Record<string, ParamValue>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => {
      if (fields.get(name)?.type === "string") return [name, text];
      if (!/^\d{1,15}$/.test(text)) throw new Refusal(404, `found no object "${text}"; expected an id, a whole number`);
      return [name, Number(text)];
    }),
  );
}

function readParam(text: string, field: ParsedDescriptor): ParamValue | undefined {
  switch (field.type) {
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "int":
      return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
    case "epoch":
      return Number.isNaN(momentOf(text)) ? undefined : momentOf(text);
    case "enum":
      return field.choices?.includes(text) ? text : undefined;
    default:
      return text;
  }
}

function inRange(value: ParamValue | undefined, minimum: number | undefined): ParamValue | undefined {
  return typeof value === "number" && minimum !== undefined && value < minimum ? undefined : value;
}

export function bound(name: string): string {
  return name in least ? `, at least ${least[name]}` : "";
}

function expected(field: ParsedDescriptor): string {
  const words: Readonly<Record<string, string>> = {
    boolean: "true or false",
    int: "a whole number",
    epoch: "epoch milliseconds or an ISO 8601 time",
    enum: `one of ${field.choices?.join(", ")}`,
  };
  return words[field.type] ?? "text";
}
