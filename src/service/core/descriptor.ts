import type { RouteDescriptor } from "../../api/routes.ts";
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

/** The input of a route, its descriptors taken apart. */
export interface RouteInput {
  readonly params: ParsedFields;
  readonly query: ParsedFields;
  /** Fields of an object body. */
  readonly fields?: ParsedFields;
  /** A body that is no object. */
  readonly whole?: ParsedDescriptor;
}

/** Descriptors taken apart when first needed; one per service, shared by its forks. */
export class InputSchemas {
  readonly #routes = new Map<RouteDescriptor, RouteInput>();
  readonly #shapes = new Map<string, ParsedFields>();

  of(route: RouteDescriptor): RouteInput {
    const known = this.#routes.get(route) ?? inputOf(route);
    this.#routes.set(route, known);
    return known;
  }

  shape(name: string): ParsedFields {
    const known = this.#shapes.get(name) ?? parseShape(name);
    this.#shapes.set(name, known);
    return known;
  }
}

function inputOf({ params, query, body }: RouteDescriptor): RouteInput {
  return {
    params: parseFields(params ?? {}),
    query: parseFields(query ?? {}),
    ...(typeof body === "string" ? { whole: parseDescriptor(body) } : {}),
    ...(typeof body === "object" ? { fields: parseFields(body) } : {}),
  };
}
