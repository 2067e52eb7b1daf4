import { keyPattern } from "../model/address.ts";
import { didYouMean } from "../model/did-you-mean.ts";
import type { Field } from "../model/field.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { isObject } from "../model/json.ts";
import { checkScalar } from "./check-scalar.ts";
import { describeField, describePath, describeValue, withHint } from "./describe-value.ts";
import type { DocumentPath, Report } from "./place.ts";

/** How to look at a value. */
export interface ShapeCheck {
  readonly report: Report;
  /** Against a live service, limits that the seeds do not state are warnings. */
  readonly live: boolean;
  /** Words for the objects of a kind: "a configuration". */
  readonly names: ReadonlyMap<Field, string>;
  /** Values came from `${…}`: they are not shown, and nothing is left to replace. */
  readonly expanded?: true;
}

interface At {
  readonly path: DocumentPath;
  readonly check: ShapeCheck;
}

/**
 * Says in our words what the compiled schema refuses: the same fields, the same verdict. It runs only when there is
 * something to say.
 */
export function checkShape(field: Field, value: Json, path: DocumentPath, check: ShapeCheck): void {
  const at = { path, check };
  if (field.alsoText && typeof value === "string") return;
  if (field.type === "object") checkObject(field, value, at);
  else if (field.type === "map") checkMap(field, value, at);
  else if (field.type === "list") checkList(field, value, at);
  else if (field.type === "reference") checkReference(field, value, at);
  else checkScalar(field, value, path, check);
}

function checkObject(field: Field, value: Json, at: At): void {
  if (!isObject(value)) {
    wrongType(field, value, at);
    return;
  }
  const members = field.fields ?? {};
  for (const [name, member] of Object.entries(value)) checkMember({ field, members, name, value: member }, at);
  for (const [name, member] of Object.entries(members)) {
    const isMissing = member.required && (value[name] === undefined || value[name] === null);
    if (isMissing && !standsMisspelt(name, value, members)) missing(name, member, field, at);
  }
}

interface Member {
  readonly field: Field;
  readonly members: Readonly<Record<string, Field>>;
  readonly name: string;
  readonly value: Json;
}

function checkMember({ field, members, name, value }: Member, at: At): void {
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member === undefined) unknownKey(field, members, name, at);
  else if (value !== null) checkShape(member, value, [...at.path, name], at.check);
}

function checkMap(field: Field, value: Json, at: At): void {
  if (!isObject(value)) {
    wrongType(field, value, at);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const path = [...at.path, key];
    if (field.keyed && !keyPattern.test(key)) badKey(key, { ...at, path });
    if (field.of) checkMapMember(field, field.of, member, { ...at, path });
  }
}

/** An empty object under a key is an object without fields: what it lacks is said as usual. */
function checkMapMember(map: Field, of: Field, value: Json, at: At): void {
  const isEmpty = value === null && (map.keyed || of.nullable);
  const key = String(at.path.at(-1));
  if (!isEmpty) checkShape(map.secretKeys?.includes(key) ? { ...of, secret: true } : of, value, at.path, at.check);
  else if (of.type === "object") checkObject(of, {}, at);
}

function checkList(field: Field, value: Json, at: At): void {
  const { of } = field;
  if (Array.isArray(value)) {
    if (of) for (const [index, item] of value.entries()) checkShape(of, item as Json, [...at.path, index], at.check);
  } else if (of && field.alsoOne && !isObject(value)) checkShape(of, value, at.path, at.check);
  else wrongType(field, value, at);
}

function checkReference(field: Field, value: Json, at: At): void {
  if (typeof value === "string" && value !== "") return;
  const isOne = isObject(value) && Object.keys(value).length === 1;
  if (!(isOne && (Number.isInteger(value.id) || typeof value.name === "string"))) wrongType(field, value, at);
}

function wrongType(field: Field, value: Json, { path, check }: At): void {
  const detail = `found ${describeValue(value)}; expected ${describeField(field)}`;
  const place = { path, at: "value" } as const;
  check.report({
    severity: "error",
    code: "LF1102",
    summary: `${describePath(path)} has the wrong type`,
    detail,
    place,
  });
}

function unknownKey(field: Field, members: Readonly<Record<string, Field>>, name: string, at: At): void {
  const kind = at.check.names.get(field)?.replace(/\..*/, "");
  const schema = kind === undefined ? "" : ` \`loadform schema ${kind}\` lists them.`;
  const hint = didYouMean(name, Object.keys(members)) || schema;
  const detail = `found ${name}; expected a key of ${kind ?? describePath(at.path)}`;
  const place = { path: [...at.path, name], at: "key" } as const;
  const problem = { severity: "error", code: "LF1101", summary: `unknown key ${name}`, place } as const;
  at.check.report({ ...problem, detail: withHint(detail, hint) });
}

function missing(name: string, member: Field, field: Field, { path, check }: At): void {
  const kind = check.names.get(field) ?? describePath(path);
  const detail = `found no ${name} in ${kind}; expected ${describeField(member)}: ${member.description}`;
  const place = { path, at: "key" } as const;
  check.report({ severity: "error", code: "LF1103", summary: `${name} is missing`, detail, place });
}

/** A required key that stands there misspelt is not missing too. */
function standsMisspelt(name: string, value: JsonObject, members: Readonly<Record<string, Field>>): boolean {
  return Object.keys(value).some((key) => !Object.hasOwn(members, key) && didYouMean(key, [name]) !== "");
}

function badKey(key: string, { path, check }: At): void {
  const detail = `found "${key}"; expected letters, digits, ".", "_" or "-", beginning with a letter or digit`;
  const place = { path, at: "key" } as const;
  check.report({ severity: "error", code: "LF1105", summary: `${key} is not usable as a key`, detail, place });
}
