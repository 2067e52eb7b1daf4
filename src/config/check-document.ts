import { isObject, type Json, type JsonObject, objectOf, valueAt } from "../model/json.ts";
import type { AnyKind } from "../model/kind.ts";
import type { ProjectShape } from "../schema/project-shape.ts";
import { checkShape, type ShapeCheck } from "./check-shape.ts";
import type { Report } from "./collect-problems.ts";

/** Says how a document breaks the project schema; empty when it does not. */
export type Validate = (document: unknown) => readonly { readonly instancePath: string; readonly message?: string }[];

/** The two halves of a document's check: the compiled schema for the verdict, the fields for the words. */
export interface DocumentCheck extends ShapeCheck {
  readonly kinds: readonly AnyKind[];
  readonly shape: ProjectShape;
  readonly validate: Validate;
}

/** Parts that the compiled schema leaves open, because they repeat every kind. */
const partial = ["environments", "defaults"];

/** Checks the shape of a document. The compiled schema answers in a moment when all is well; only then has it nothing to explain. */
export function checkDocument(declared: JsonObject, check: DocumentCheck): void {
  const { kinds, shape, validate } = check;
  // Required fields that an object lacks are filled in from the defaults of its kind.
  const supplied = requiredDefaults(declared.defaults, kinds);
  const document =
    supplied.size === 0 ? declared : { ...declared, ...filledBelow(declared, undefined, { kinds, supplied }) };
  if (validate(document).length > 0) {
    explain(document, check);
    return;
  }
  for (const name of partial) {
    const [field, value] = [shape.document.fields?.[name], document[name]];
    if (field && value !== undefined && value !== null) checkShape(field, value, [name], check);
  }
}

/** The refusals of the compiled schema in our words; should we have none, in its own. */
function explain(document: JsonObject, check: DocumentCheck): void {
  const { shape, validate, report, hasGaps } = check;
  let count = 0;
  const counting: Report = (problem) => {
    count++;
    report(problem);
  };
  checkShape(shape.document, document, [], { ...check, report: counting });
  if (count > 0 || hasGaps) return;
  for (const { instancePath, message } of validate(document)) {
    const path = stepsOf(instancePath, document);
    const detail = `The value does not fit the schema${message ? `: ${message}` : ""}`;
    report({ severity: "error", code: "LF1104", summary: "not allowed here", detail, place: { path, at: "value" } });
  }
}

/** A JSON pointer as a path; steps into lists are numbers. */
function stepsOf(pointer: string, document: JsonObject): readonly (string | number)[] {
  let value: Json | undefined = document;
  return pointer
    .split("/")
    .slice(1)
    .map((escaped) => {
      const step = escaped.replace(/~1/g, "/").replace(/~0/g, "~");
      const isIndex = Array.isArray(value);
      value = isIndex ? (value as readonly Json[])[Number(step)] : (value as JsonObject | undefined)?.[step];
      return isIndex ? Number(step) : step;
    });
}

interface Filling {
  readonly kinds: readonly AnyKind[];
  /** Required fields by the name of the kind. */
  readonly supplied: ReadonlyMap<string, JsonObject>;
}

function requiredDefaults(defaults: Json | undefined, kinds: readonly AnyKind[]): ReadonlyMap<string, JsonObject> {
  const supplied = new Map<string, JsonObject>();
  for (const { name, fields } of isObject(defaults) ? kinds : []) {
    const own = objectOf(valueAt(defaults, [name]));
    const required = Object.entries(own).filter(([field]) => fields[field]?.required === true);
    if (required.length > 0) supplied.set(name, Object.fromEntries(required));
  }
  return supplied;
}

/** The collections directly below an object, or of the document, with all that is below them. */
function filledBelow(holder: JsonObject, parent: string | undefined, filling: Filling): JsonObject {
  const filled: Record<string, Json> = {};
  for (const kind of filling.kinds) {
    const collection = holder[kind.plural];
    if (kind.parent !== parent || !isObject(collection)) continue;
    const objects = Object.entries(collection).map(([key, own]) => [key, filledObject(kind, own, filling)] as const);
    filled[kind.plural] = Object.fromEntries(objects);
  }
  return filled;
}

/** An empty object has no fields; a value of another type is reported by the check. */
function filledObject(kind: AnyKind, value: Json, filling: Filling): Json {
  const own = value === null ? {} : value;
  if (!isObject(own)) return value;
  return { ...filling.supplied.get(kind.name), ...own, ...filledBelow(own, kind.name, filling) };
}
