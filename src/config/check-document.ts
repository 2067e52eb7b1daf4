import type { Json, JsonObject } from "../model/json.ts";
import type { ProjectShape } from "../schema/project-shape.ts";
import type { ShapeCheck } from "./check-shape.ts";
import { checkShape } from "./check-shape.ts";
import type { Report } from "./place.ts";

/** Says how a document breaks the project schema; empty when it holds. */
export type Validate = (document: unknown) => readonly { readonly instancePath: string; readonly message?: string }[];

/** What a document is held against: the compiled schema for the verdict, the fields for the words. */
export interface DocumentCheck extends ShapeCheck {
  readonly shape: ProjectShape;
  readonly validate: Validate;
}

/** Parts that the compiled schema leaves open, because they repeat every kind. */
const partial = ["environments", "defaults"];

/** Checks the shape of a document. The compiled schema answers in a moment when all is well; only then has it nothing to explain. */
export function checkDocument(document: JsonObject, { shape, validate, ...check }: DocumentCheck): void {
  if (validate(document).length > 0) explain(document, { shape, validate, ...check });
  else for (const name of partial) checkPart(name, document, { shape, ...check });
}

function checkPart(name: string, document: JsonObject, { shape, ...check }: Omit<DocumentCheck, "validate">): void {
  const [field, value] = [shape.document.fields?.[name], document[name]];
  if (field && value !== undefined && value !== null) checkShape(field, value, [name], check);
}

/** What the compiled schema refuses, in our words; should we have none, in its own. */
function explain(document: JsonObject, { shape, validate, report, ...check }: DocumentCheck): void {
  let said = 0;
  const counting: Report = (problem) => {
    said++;
    report(problem);
  };
  checkShape(shape.document, document, [], { ...check, report: counting });
  if (said > 0) return;
  for (const { instancePath, message } of validate(document)) {
    const path = stepsOf(instancePath, document);
    const detail = `found a value that does not fit the schema${message ? ` (${message})` : ""}; expected one that does`;
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
