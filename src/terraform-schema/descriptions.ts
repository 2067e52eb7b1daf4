import type { Field } from "../model/field.ts";
import type { TerraformAttribute } from "./attribute.ts";
import { resourceType, snakeCase } from "./names.ts";

/**
 * The description of an attribute in Markdown: that of its field with units, choices, default and what Terraform's flags
 * say. Names of the model in it are spelled as attributes.
 */
export function describeAttribute(attribute: TerraformAttribute): string {
  const { description, required, optional, requiresReplace, sensitive, source } = attribute;
  const field = source.is === "field" ? source.field : undefined;
  const isSaid = /in place/.test(description);
  const sentences = [
    inSnakeCase(description),
    ...(field === undefined ? [] : facts(field)),
    ...(field && (required || optional) ? defaultText(field) : []),
    ...(requiresReplace && !isSaid ? ["A change replaces the object."] : []),
    ...(field?.maybeSecret && optional ? ["What an import reads remains while nothing is set here."] : []),
    ...(sensitive ? ["Sensitive."] : []),
  ];
  return sentences.join(" ");
}

/** The description of a parent's id. */
export function describeParent(parent: string): string {
  return `The id of the ${code(resourceType(parent))} that it belongs to.`;
}

function facts(field: Field): readonly string[] {
  return [
    ...(field.unit === undefined ? [] : [`In ${field.unit}.`]),
    ...(field.values === undefined ? [] : [`One of ${field.values.map(code).join(", ")}.`]),
    ...(field.type === "reference" && field.reference
      ? [`The id of a ${code(resourceType(field.reference.kind))}.`]
      : []),
    ...(field.type === "map" && field.alsoText ? ["JSON text, e.g. of `jsonencode`."] : []),
  ];
}

function defaultText({ default: fallback }: Field): readonly string[] {
  if (fallback === undefined || (typeof fallback === "object" && fallback !== null)) return [];
  return [`Default: ${code(String(fallback))}.`];
}

/** `durationSecs` in a sentence; words that merely hold a capital are names of others, e.g. `StopExecution`. */
function inSnakeCase(sentence: string): string {
  return sentence.replace(/`?\b[a-z]+(?:[A-Z][a-z]+)+\b`?/g, (name) => code(snakeCase(name.replaceAll("`", ""))));
}

function code(text: string): string {
  return `\`${text}\``;
}
