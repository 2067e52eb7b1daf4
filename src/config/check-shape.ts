import { keyPattern } from "../model/address.ts";
import { type DocumentPath, errorOf, wrongValue } from "../model/diagnostic.ts";
import { didYouMean, hinted } from "../model/did-you-mean.ts";
import { brokenLimit, type Field, fileDescription } from "../model/field.ts";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { Report } from "./collect-problems.ts";
import { describeField, describePath, describeValue } from "./describe-value.ts";
import { isUnset } from "./expand.ts";

export interface ShapeCheck {
  readonly report: Report;
  /** Against a live service, limits that the API does not document are warnings. */
  readonly live: boolean;
  /** Words for the objects of a kind: "a configuration". */
  readonly names: ReadonlyMap<Field, string>;
  /** Values come from `${…}`: they are not shown, and nothing in them is replaced. */
  readonly expanded?: true;
  /** Errors of modules were reported, such as a parameter without a value: nothing is said of the places where it is lacking. */
  readonly hasGaps?: boolean;
}

interface PathCheck extends ShapeCheck {
  readonly path: DocumentPath;
}

/**
 * Puts the refusals of the compiled schema into our words: the same fields, the same verdict. It runs only when there is something to say.
 */
export function checkShape(field: Field, value: Json, path: DocumentPath, check: ShapeCheck): void {
  if (field.alsoText && typeof value === "string") return;
  if ((check.expanded || check.hasGaps) && isUnset(value)) return;
  const at = { ...check, path };
  if (field.type === "object") checkObject(field, value, at);
  else if (field.type === "map") checkMap(field, value, at);
  else if (field.type === "list") checkList(field, value, at);
  else if (field.type === "reference") checkReference(field, value, at);
  else checkScalar(field, value, at);
}

function checkObject(field: Field, value: Json, at: PathCheck): void {
  if (!isObject(value)) {
    reportWrongType(field, value, at);
    return;
  }
  const members = field.fields ?? {};
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(members, name) ? members[name] : undefined;
    if (known === undefined) reportUnknownKey(field, name, at);
    else if (member !== null) checkShape(known, member, [...at.path, name], at);
  }
  for (const [name, member] of Object.entries(members)) {
    const isMissing = member.required && (value[name] === undefined || value[name] === null);
    if (isMissing && !isMisspelt(name, value, members)) reportMissing(name, member, at.names.get(field), at);
  }
}

function checkMap(field: Field, value: Json, at: PathCheck): void {
  if (!isObject(value)) {
    reportWrongType(field, value, at);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    const path = [...at.path, key];
    if (field.keyed && !keyPattern.test(key)) badKey(key, { ...at, path });
    if (field.of) checkMapMember(field, field.of, member, { ...at, path });
  }
}

/** An empty object under a key is an object without fields: its missing fields are reported as usual. */
function checkMapMember(map: Field, of: Field, value: Json, at: PathCheck): void {
  const isEmpty = value === null && (map.keyed || of.nullable);
  const key = String(at.path.at(-1));
  if (!isEmpty) checkShape(map.secretKeys?.includes(key) ? { ...of, secret: true } : of, value, at.path, at);
  else if (of.type === "object") checkObject(of, {}, at);
}

function checkList(field: Field, value: Json, at: PathCheck): void {
  const { of } = field;
  if (Array.isArray(value)) {
    if (of) for (const [index, item] of value.entries()) checkShape(of, item as Json, [...at.path, index], at);
  } else if (of && field.alsoOne && !isObject(value)) checkShape(of, value, at.path, at);
  else reportWrongType(field, value, at);
}

function checkReference(field: Field, value: Json, at: PathCheck): void {
  if (typeof value === "string" && value !== "") return;
  const isOne = isObject(value) && Object.keys(value).length === 1;
  if (!(isOne && (Number.isInteger(value.id) || typeof value.name === "string"))) reportWrongType(field, value, at);
}

const expressionText = /\$\{(env|file|var|param|each):/;
const wholeSecret = /^\$\{(env|file):[^}]+\}$/;
const wholeVariable = /^\$\{env:[^}]+\}$/;

function checkScalar(field: Field, value: Json, at: PathCheck): void {
  if (field.secret) {
    if (!at.expanded) checkSecret(field, value, at);
    return;
  }
  // Text with an expression may become any plain value; the result is checked when it is known.
  if (!at.expanded && field.type !== "string" && typeof value === "string" && expressionText.test(value)) return;
  if (fitsType(field, value)) {
    const limit = brokenLimit(field, value);
    if (limit !== undefined) reportMismatch(field, value, { at, code: "LF1104", wanted: limit });
    return;
  }
  const hint = field.type === "string" && typeof value === "number" ? ": put it in quotes" : "";
  const code = field.type === "choice" && typeof value === "string" ? "LF1104" : "LF1102";
  reportMismatch(field, value, { at, code, wanted: `${describeField(field)}${hint}` });
}

function fitsType(field: Field, value: Json): boolean {
  switch (field.type) {
    case "string":
      return typeof value === "string" || (field.alsoScalar === true && isScalar(value));
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "time":
      return typeof value === "string" || Number.isInteger(value);
    default:
      return isScalar(value) && (field.values ?? []).includes(String(value)) && typeof value !== "boolean";
  }
}

function isScalar(value: Json): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** A limit or a list of words that the API does not document is ours: doubtful, not wrong. */
function reportMismatch(
  field: Field,
  value: Json,
  { at, code, wanted }: { readonly at: PathCheck; readonly code: "LF1102" | "LF1104"; readonly wanted: string },
): void {
  const name = describePath(at.path);
  const isDecision = code === "LF1104" && field.origin === "decision";
  const [, variable] = /^\$\{([\w-]+)\}$/.exec(at.expanded ? "" : String(value)) ?? [];
  const hint = variable === undefined ? "" : `. For a variable, write \${var:${variable}}`;
  const detail = at.expanded
    ? `After replacing \${…}, the value (not shown) must be ${wanted}`
    : `${wrongValue(describeValue(value), wanted)}${hint}`;
  const among = typeof value === "string" && !at.expanded ? (field.values ?? []) : [];
  at.report({
    severity: isDecision && at.live ? "warning" : "error",
    code: isDecision ? "LF1202" : code,
    summary: code === "LF1102" ? `${name} has the wrong type` : `${name} does not take this value`,
    ...hinted(detail, { found: String(value), among }),
    place: { path: at.path, at: "value" },
  });
}

function checkSecret({ secret }: Field, value: Json, { path, report }: PathCheck): void {
  const whole = secret === "env" ? wholeVariable : wholeSecret;
  if (typeof value === "string" && whole.test(value)) return;
  const found =
    secret === "env"
      ? "Its value (not shown) is not one whole ${env:NAME}. Write that"
      : "Its value (not shown) is written out. Write ${env:NAME} or ${file:PATH}";
  const detail = `${found} instead, and change the secret if it was ever committed`;
  report({ ...errorOf("LF1203", `${describePath(path)} is a secret`, detail), place: { path, at: "value" } });
}

function reportWrongType(field: Field, value: Json, { path, report }: PathCheck): void {
  const wanted = wrongValue(describeValue(value), describeField(field));
  const isVariable = path.at(-2) === "variables" && path.length < 5 && !isObject(value) && !Array.isArray(value);
  const json = JSON.stringify(value);
  const detail = isVariable ? `${wanted}. Write ${path.at(-1)}: { default: ${json.length > 40 ? "…" : json} }` : wanted;
  report({ ...errorOf("LF1102", `${describePath(path)} has the wrong type`, detail), place: { path, at: "value" } });
}

function reportUnknownKey(field: Field, name: string, { path, report, names }: PathCheck): void {
  const kind = names.get(field)?.replace(/\..*/, "");
  const otherwise = kind === undefined ? "" : ` \`loadform schema ${kind}\` lists them.`;
  const meant = { found: name, among: Object.keys(field.fields ?? {}), otherwise };
  const hint = hinted(`${holder(kind, path)} has no key ${name}`, meant);
  const place = { path: [...path, name], at: "key" } as const;
  report({ severity: "error", code: "LF1101", summary: `unknown key ${name}`, ...hint, place });
}

/** The owner of the keys, at the beginning of a sentence. */
function holder(kind: string | undefined, path: DocumentPath): string {
  if (kind !== undefined) return `A ${kind}`;
  return path.length === 0 ? "The project" : describePath(path);
}

function reportMissing(name: string, member: Field, kind: string | undefined, { path, report }: PathCheck): void {
  const detail = `${holder(kind, path)} needs ${name} (${describeField(member)}). ${fileDescription(member)}`;
  const [place, missing] = [{ path, at: "key" } as const, { name, value: firstValue(member) }];
  report({ severity: "error", code: "LF1103", summary: `${name} is missing`, detail, place, missing });
}

function firstValue({ type, examples = [], values = [], minimum = 1 }: Field): Json {
  if (type === "list" || type === "map" || type === "object") return type === "list" ? [] : {};
  return examples[0] ?? values[0] ?? (type === "integer" || type === "number" ? minimum : "");
}

/** A required key that is misspelt is not missing too. */
function isMisspelt(name: string, value: JsonObject, members: Readonly<Record<string, Field>>): boolean {
  return Object.keys(value).some((key) => !Object.hasOwn(members, key) && didYouMean(key, [name]) !== "");
}

function badKey(key: string, { path, report }: PathCheck): void {
  const detail = `A key consists of letters, digits, ".", "_" and "-", and begins with a letter or digit. An object may have any name: write it as its name`;
  report({ ...errorOf("LF1105", `${key} is not usable as a key`, detail), place: { path, at: "key" } });
}
