import { didYouMean } from "../model/did-you-mean.ts";
import type { Field } from "../model/field.ts";
import type { Json } from "../model/json.ts";
import type { ShapeCheck } from "./check-shape.ts";
import { describeField, describePath, describeValue, withHint } from "./describe-value.ts";
import { isUnset } from "./expand.ts";
import type { DocumentPath, Problem } from "./place.ts";

const expressionText = /\$\{(env|file|var):/;
const wholeSecret = /^\$\{(env|file):[^}]+\}$/;

/** What is wrong with one plain value: its type, its limits, its words. */
export function checkScalar(field: Field, value: Json, path: DocumentPath, check: ShapeCheck): void {
  if (isUnset(value)) return;
  const name = describePath(path);
  const problem = field.secret ? secretProblem(value, name, check) : plainProblem({ field, value, name, check });
  if (problem) check.report({ ...problem, place: { path, at: "value" } });
}

type Said = Omit<Problem, "place">;

interface Scalar {
  readonly field: Field;
  readonly value: Json;
  readonly name: string;
  readonly check: ShapeCheck;
}

function secretProblem(value: Json, name: string, check: ShapeCheck): Said | undefined {
  const isReference = check.expanded || (typeof value === "string" && wholeSecret.test(value));
  return isReference ? undefined : writtenOut(name);
}

function plainProblem(scalar: Scalar): Said | undefined {
  const { field, value, check } = scalar;
  if (!check.expanded && isExpression(field, value)) return undefined;
  if (fitsType(field, value)) {
    const limit = brokenLimit(field, value);
    return limit === undefined ? undefined : mismatch({ ...scalar, code: "LF1104", expected: `expected ${limit}` });
  }
  const hint = field.type === "string" && typeof value === "number" ? ": put it in quotes" : "";
  const code = field.type === "choice" && typeof value === "string" ? "LF1104" : "LF1102";
  return mismatch({ ...scalar, code, expected: `expected ${describeField(field)}${hint}` });
}

function writtenOut(name: string): Said {
  const detail =
    "found a value written out (not shown); expected one whole ${env:NAME} or ${file:PATH}. Replace it at its source if it was ever committed";
  return { severity: "error", code: "LF1203", summary: `${name} is a secret`, detail };
}

/** Text with something to replace stands for any plain value; what comes of it is checked when it is known. */
function isExpression(field: Field, value: Json): boolean {
  return field.type !== "string" && typeof value === "string" && expressionText.test(value);
}

function fitsType(field: Field, value: Json): boolean {
  switch (field.type) {
    case "string":
      return typeof value === "string" || (field.alsoScalar === true && isPlain(value));
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "time":
      return typeof value === "string" || Number.isInteger(value);
    default:
      return isPlain(value) && (field.values ?? []).includes(String(value)) && typeof value !== "boolean";
  }
}

function isPlain(value: Json): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function brokenLimit(field: Field, value: Json): string | undefined {
  if (typeof value === "string" && field.type === "string") return brokenText(field, value);
  if (typeof value !== "number") return undefined;
  if (field.minimum !== undefined && value < field.minimum) return `at least ${field.minimum}`;
  if (field.maximum !== undefined && value > field.maximum) return `at most ${field.maximum}`;
  return undefined;
}

function brokenText(field: Field, value: string): string | undefined {
  if (field.trim && value.trim() === "") return "text that is not empty";
  return field.maxLength !== undefined && [...value].length > field.maxLength
    ? `at most ${field.maxLength} characters`
    : undefined;
}

interface Mismatch extends Scalar {
  readonly code: "LF1102" | "LF1104";
  readonly expected: string;
}

/** A limit or a list of words that the seeds do not state is ours: doubtful, not wrong. */
function mismatch({ field, value, name, check, code, expected }: Mismatch): Said {
  const isDecision = code === "LF1104" && field.origin === "decision";
  const shown = check.expanded ? "something else after replacing ${…} (not shown)" : describeValue(value);
  const near = typeof value === "string" && !check.expanded ? didYouMean(value, field.values ?? []) : "";
  return {
    severity: isDecision && check.live ? "warning" : "error",
    code: isDecision ? "LF1202" : code,
    summary: code === "LF1102" ? `${name} has the wrong type` : `${name} takes no such value`,
    detail: withHint(`found ${shown}; ${expected}`, near),
  };
}
