/** A field name taken apart: `params[User].encrypted` is the name `params[*].encrypted` with the key `User`. */
export interface FieldName {
  readonly name: string;
  readonly keys: readonly string[];
}

const mostKeys = 2;

/**
 * Takes the name of a form field apart; undefined for what is none. API 2, Starting a run: fields with `[*]` repeat with an
 * index or key. DECISION (API 2, Starting a run: Form fields with [*]): a key is any text without brackets, but not none.
 */
export function parseFieldName(field: string): FieldName | undefined {
  const keys: string[] = [];
  let name = "";
  for (const [part = "", plain, key] of field.matchAll(/([^[\]]+)|\[([^[\]]+)\]|[[\]]/g)) {
    if (plain === undefined && key === undefined) return undefined;
    if (key !== undefined) keys.push(key);
    name += key === undefined ? part : "[*]";
  }
  return name === "" || keys.length > mostKeys ? undefined : { name, keys };
}

/** The field of a name with these keys in the place of its stars. */
export function fieldOf(name: string, keys: readonly string[]): string {
  const parts = name.split("[*]");
  return parts.map((part, index) => (index === 0 ? part : `[${keys[index - 1] ?? "*"}]${part}`)).join("");
}
