import { type Field, fileDescription } from "../model/field.ts";
import { isObject, type Json } from "../model/json.ts";

/** One line of a table of fields; members of objects within a field follow it, by their path. */
export interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly fallback: string;
  readonly about: string;
}

type Fields = Readonly<Record<string, Field>>;

/** The rows of a set of fields, in their order. */
export function fieldRows(fields: Fields, prefix = ""): readonly FieldRow[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = prefix + name;
    const row = { path, type: typeText(field), fallback: fallbackText(field), about: aboutText(field) };
    return [row, ...innerRows(field, path)];
  });
}

export function fieldTable(rows: readonly FieldRow[]): string {
  const lines = rows.map(({ path, type, fallback, about }) => [`\`${path}\``, type, fallback, about]);
  return [["Field", "Type", "Default", "What it is"], ["---", "---", "---", "---"], ...lines]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function innerRows(field: Field, path: string): readonly FieldRow[] {
  if (field.fields) return fieldRows(field.fields, `${path}.`);
  if (field.of?.fields) return fieldRows(field.of.fields, `${path}${field.type === "map" ? ".KEY." : "[]."}`);
  return field.of ? innerRows(field.of, `${path}[]`) : [];
}

function typeText(field: Field): string {
  if (field.secret) return "secret";
  switch (field.type) {
    case "string":
      return textType(field);
    case "integer":
      return `whole number${limitsText(field)}`;
    case "number":
      return `number${limitsText(field)}`;
    case "boolean":
      return "true or false";
    case "choice":
      return `${(field.values ?? []).map(code).join(", ")}${field.open ? ", or another word" : ""}`;
    case "time":
      return "time";
    case "list":
      return listType(field);
    case "map":
      return `mapping of names to ${field.of ? typeText(field.of) : "anything"}${field.alsoText ? ", or text" : ""}`;
    case "object":
      return `mapping${field.alsoText ? ", or text" : ""}`;
    case "reference":
      return `reference to a ${field.reference?.kind}`;
  }
}

function textType(field: Field): string {
  if (field.reference) return `name or key of a ${field.reference.kind}`;
  if (field.content === "bytes") return "contents of a file";
  const most = field.maxLength === undefined ? "" : `, at most ${field.maxLength}`;
  return field.alsoScalar ? "text, number, true or false" : `text${most}`;
}

function listType(field: Field): string {
  const item = field.of ? typeText(field.of) : "anything";
  return field.alsoOne ? `${item}, or a list of them` : `list of ${item}`;
}

function limitsText({ minimum, maximum }: Field): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : `, ${minimum} or more`;
}

function fallbackText(field: Field): string {
  if (field.required) return "required";
  if (field.default === undefined) return "";
  const text = JSON.stringify(field.default);
  return text === "[]" || text === "{}" ? "none" : code(typeof field.default === "string" ? field.default : text);
}

function aboutText(field: Field): string {
  const unit = field.unit === undefined ? "" : ` In ${field.unit}.`;
  const secrets = (field.secretKeys ?? []).map(code).join(" and ");
  const example = field.examples?.[0];
  return [
    `${fileDescription(field).replace(/\$[A-Z_]+(<\w+>)?/g, code)}${unit}`,
    ...(secrets === "" ? [] : [`Secret: ${secrets}.`]),
    ...(example === undefined ? [] : [`Example: ${code(typeof example === "string" ? example : inFlow(example))}.`]),
  ].join(" ");
}

/** As one would write it in YAML's flow style. */
function inFlow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => inFlow(item)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${inFlow(member)}`)
    .join(", ")} }`;
}

/** Text as code in Markdown. */
export function code(text: string): string {
  return `\`${text}\``;
}
