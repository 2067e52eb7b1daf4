import type { JsonValue } from "../../api/routes.ts";
import { shapes } from "../../api/shapes.ts";
import { type ParsedDescriptor, parseDescriptor } from "../core/descriptor.ts";

/** A JSON object. */
export type Json = { readonly [key: string]: JsonValue };

/** Direction of the values of a schema, sent or answered: any value but an id may be null in both. */
type Direction = "input" | "answer";

const scalars: Readonly<Record<string, Json>> = {
  string: { type: "string" },
  int: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  time: { type: "string", format: "date-time" },
  epoch: { type: ["integer", "string"] },
  json: {},
  binary: {},
  text: { type: "string" },
};

/** JSON Schema of a described value. */
export function fieldSchema(field: ParsedDescriptor, direction: Direction): Json {
  const item = itemSchema(field, direction);
  const schema = field.list ? { type: "array", items: item } : item;
  return field.default === undefined ? schema : { ...schema, default: defaultOf(field) };
}

/** JSON Schema of an object with these fields. */
export function schemaOfFields(fields: Readonly<Record<string, string>>, direction: Direction): Json {
  const parsed = Object.entries(fields).map(([name, descriptor]): [string, ParsedDescriptor] => [
    name,
    parseDescriptor(descriptor),
  ]);
  const required = parsed.flatMap(([name, field]) => (field.required ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(
      parsed.map(([name, field]) => [
        name,
        field.required ? fieldSchema(field, direction) : nullable(fieldSchema(field, direction)),
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(direction === "answer" ? { additionalProperties: false } : {}),
  };
}

/** Schemas of the shapes that a document refers to, by name; those that these refer to come along. */
export function schemasFor(document: JsonValue): Json {
  const schemas: Record<string, Json> = {};
  const wanted = [...referredBy(document)];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const fields: unknown = Reflect.get(shapes, name);
    if (name in schemas || typeof fields !== "object" || fields === null) continue;
    const schema = schemaOfFields(fields as Readonly<Record<string, string>>, "answer");
    schemas[name] = schema;
    wanted.push(...referredBy(schema));
  }
  return Object.fromEntries(Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function referredBy(value: JsonValue): ReadonlySet<string> {
  const found = JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return new Set([...found].map(([, name = ""]) => name));
}

function itemSchema(field: ParsedDescriptor, direction: Direction): Json {
  if (field.shape) return { $ref: `#/components/schemas/${field.shape}` };
  // Enumerations of answers are open: a restored state may hold other values.
  if (field.choices) return direction === "answer" ? { type: "string" } : { type: "string", enum: [...field.choices] };
  return scalars[field.type] ?? {};
}

function nullable(schema: Json): Json {
  const { type } = schema;
  if (typeof type === "string")
    return {
      ...schema,
      type: [type, "null"],
      ...(schema["enum"] ? { enum: [...(schema["enum"] as string[]), null] } : {}),
    };
  return "$ref" in schema ? { anyOf: [schema, { type: "null" }] } : schema;
}

function defaultOf({ type, default: text = "" }: ParsedDescriptor): JsonValue {
  return type === "boolean" || type === "int" ? (JSON.parse(text) as JsonValue) : text;
}
