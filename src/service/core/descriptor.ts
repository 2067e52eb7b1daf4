import { shapes } from "../../api/shapes.ts";

/** A descriptor of `src/api`, taken apart. */
export interface ParsedDescriptor {
  /** `string`, `int`, …, `enum` or `object`. */
  readonly type: string;
  readonly list: boolean;
  readonly required: boolean;
  readonly default?: string;
  readonly choices?: readonly string[];
  readonly shape?: string;
}

/** Fields by name, taken apart. */
export type ParsedFields = ReadonlyMap<string, ParsedDescriptor>;

/** Takes a descriptor apart: word, `[]`, `!`, `=default`. */
export function parseDescriptor(descriptor: string): ParsedDescriptor {
  const [whole = "", ...defaults] = descriptor.split("=");
  const required = whole.endsWith("!");
  const typed = required ? whole.slice(0, -1) : whole;
  const list = typed.endsWith("[]");
  const word = list ? typed.slice(0, -2) : typed;
  return {
    list,
    required,
    ...(defaults.length > 0 ? { default: defaults.join("=") } : {}),
    ...wordOf(word),
  };
}

/** Fields of a table of descriptors, taken apart. */
export function parseFields(fields: Readonly<Record<string, string>>): ParsedFields {
  return new Map(Object.entries(fields).map(([name, descriptor]) => [name, parseDescriptor(descriptor)]));
}

/** Fields of an object of `shapes`, taken apart. */
export function parseShape(name: string): ParsedFields {
  const fields: unknown = Reflect.get(shapes, name);
  return parseFields((fields ?? {}) as Readonly<Record<string, string>>);
}

function wordOf(word: string): Pick<ParsedDescriptor, "type" | "choices" | "shape"> {
  if (word.startsWith("@")) return { type: "object", shape: word.slice(1) };
  if (word.includes("|")) return { type: "enum", choices: word.split("|") };
  return { type: word };
}
