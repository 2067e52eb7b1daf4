import type { FormText, Upload } from "../core/handlers.ts";
import type { Scope } from "../core/scope.ts";
import { Refusal } from "../refusal.ts";
import { filePathProblem } from "./file-path.ts";
import type { Parameter } from "./parameter.ts";
import { parameterOf } from "./parameters.ts";
import { parseFieldName } from "./parse-field-name.ts";
import { readValue } from "./read-value.ts";
import { type SentField, StartForm } from "./start-form.ts";

/** The parts of a form as they came. */
export interface FormParts {
  readonly texts: readonly FormText[];
  readonly uploads: readonly Upload[];
}

/** DECISION (API 2, Starting a run: limits not shown): a form has at most 2,000 fields. */
const mostFields = 2_000;

/** Reads every field by the tables: invalid ones are found, those of no table are unknown (API 2, Starting a run). */
export function readStartForm({ texts, uploads }: FormParts, scope: Scope): StartForm {
  const count = texts.length + uploads.length;
  if (count > mostFields) throw new Refusal(400, `found a form of ${count} fields; expected at most ${mostFields}`);
  const sent = new Map<string, SentField>();
  const add = (field: string, read: (parameter: Parameter) => ReadField) => {
    const known = parseFieldName(field);
    const parameter = known && parameterOf(known.name);
    if (known === undefined || parameter === undefined) {
      scope.unknown.push(field);
      return;
    }
    const { problem, ...value } = read(parameter);
    // DECISION (API 2, Starting a run): a field that is sent twice is refused, for nothing says which one counts.
    const found = sent.has(field) ? "found it twice; expected it once" : problem;
    if (found !== undefined) scope.findings.add(field, found);
    sent.set(field, { ...known, field, ...value });
  };
  for (const { field, text } of texts)
    if (text !== "" || isValueWhenEmpty(field)) add(field, (parameter) => readText(text, parameter));
  for (const upload of uploads)
    if (upload.fileName !== "" || upload.bytes.length > 0)
      add(upload.field, (parameter) => readFile(upload, parameter));
  return new StartForm([...sent.values()]);
}

type ReadField = Pick<SentField, "value" | "file"> & { readonly problem?: string };

/** DECISION (API 2, Starting a run): an empty text is as if not sent, but for the values of params and properties. */
function isValueWhenEmpty(field: string): boolean {
  const known = parseFieldName(field);
  const parameter = known && parameterOf(known.name);
  return parameter === undefined || parameter.mayBeEmpty === true;
}

function readText(text: string, parameter: Parameter): ReadField {
  if (parameter.type === "File") return { problem: "found text; expected a file part, with a file name" };
  return readValue(text, parameter);
}

/** A file part is a file, or the JSON text that a parameter takes either way. */
function readFile({ fileName, bytes }: Upload, parameter: Parameter): ReadField {
  if (parameter.type === undefined)
    return { problem: `found the file ${fileName}; expected text, without a file name` };
  if (parameter.value === "json") return readValue(Buffer.from(bytes).toString("utf8"), parameter);
  const problem = filePathProblem(fileName);
  return problem === undefined ? { file: { path: fileName, bytes } } : { problem };
}
