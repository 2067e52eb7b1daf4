import { codes } from "../../model/codes.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { CheckResult, Found } from "../check-result.ts";

/** A line that the process of a check writes. */
export type CheckLine =
  | { readonly says: "compared"; readonly found: Found }
  | { readonly says: "ended"; readonly result: CheckResult };

/** A line as the process wrote it; undefined for anything else, as programs of a project run in it and may write there, too. */
export function readCheckLine(text: string): CheckLine | undefined {
  const line = parsedLine(text);
  if (!isObject(line)) return undefined;
  if (line["says"] === "compared" && isFound(line["found"])) return { says: "compared", found: line["found"] };
  const { says, result } = line;
  return says === "ended" && isResult(result) ? { says, result } : undefined;
}

function parsedLine(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

type Shape = (value: Json | undefined) => boolean;

const isText: Shape = (value) => typeof value === "string";
const isNumber: Shape = (value) => typeof value === "number";
const oneOf =
  (...words: readonly string[]): Shape =>
  (value) =>
    typeof value === "string" && words.includes(value);
const listOf =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(shape);
const having =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, shape]) => shape((value as JsonObject)[name]));
const maybe =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value);

const isDiagnostic = having({
  severity: oneOf("error", "warning"),
  code: (value) => typeof value === "string" && Object.hasOwn(codes, value),
  summary: isText,
  detail: isText,
  address: maybe(isText),
  file: maybe(isText),
  line: maybe(isNumber),
  column: maybe(isNumber),
} satisfies Partial<Record<keyof Diagnostic, Shape>>);

const isFinding = having({
  address: isText,
  action: oneOf("create", "update", "replace", "delete", "forget", "no-op"),
  origin: oneOf("git", "drift"),
  driftedFields: isNumber,
  ends: (value) => typeof value === "boolean",
  busy: maybe(oneOf("running", "starting")),
});

const foundShape = having({
  documents: isText,
  difference: isText,
  objects: isNumber,
  findings: listOf(isFinding),
  unrecorded: listOf(isText),
  blocked: listOf(isDiagnostic),
  warnings: listOf(isDiagnostic),
  plan: isText,
});

const healShape = having({
  status: oneOf("healed", "partial", "locked", "failed", "blocked", "interrupted"),
  written: listOf(isText),
  diagnostics: listOf(isDiagnostic),
});

function isFound(value: Json | undefined): value is Json & Found {
  return foundShape(value);
}

function isResult(value: Json | undefined): value is Json & CheckResult {
  if (!isObject(value)) return false;
  const { is, diagnostics, found, heal, requests } = value;
  if (!maybe(isNumber)(requests) || !maybe(healShape)(heal)) return false;
  return is === "checked" ? isFound(found) : (is === "failed" || is === "refused") && listOf(isDiagnostic)(diagnostics);
}
