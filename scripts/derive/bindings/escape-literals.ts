import { camelCase } from "../../../src/terraform-schema/names.ts";

/** A generated class in which these attributes are escaped wherever they are set: by the constructor and by their setters. */
export function escapeLiterals(source: string, attributes: readonly string[]): string {
  if (attributes.length === 0) return source;
  const escaped = attributes.map(camelCase).reduce((text, name) => {
    const set = replaceOnce(text, `this._${name} = config.${name};`, `this._${name} = escaped(config.${name});`);
    return replaceOnce(set, `this._${name} = value;`, `this._${name} = escaped(value);`);
  }, source);
  return escaped.replace(/^import /m, "import { escaped } from '../literal';\nimport ");
}

function replaceOnce(text: string, found: string, replacement: string): string {
  const parts = text.split(found);
  if (parts.length === 2) return parts.join(replacement);
  throw new Error(`found ${parts.length - 1} times \`${found}\` in generated bindings; expected it once`);
}
