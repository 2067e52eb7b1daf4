import type { JsonValue, RouteDescriptor } from "../api/routes.ts";
import { shapes } from "../api/shapes.ts";
import type { ParsedDescriptor } from "./core/descriptor.ts";
import { parseDescriptor } from "./core/descriptor.ts";
import type { Mounted } from "./core/router.ts";
import type { Settings } from "./settings.ts";

type Json = { readonly [key: string]: JsonValue };

/** OpenAPI 3.1 of every mounted route, derived from the route table. */
export function makeOpenApi(mounted: readonly Mounted[], settings: Pick<Settings, "authHeader">): Json {
  const paths: Record<string, Record<string, JsonValue>> = {};
  const templates = new Map<string, string>();
  for (const entry of mounted) {
    const path = templateOf(entry.path, templates);
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: makeOperation(entry, path) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "The bundled load-testing service",
      version: "1.0.0",
      description: "Every route of the service; x-decision marks what was settled where the documents are silent.",
    },
    servers: [{ url: "/" }, { url: "/api" }],
    security: [{ header: [] }, { query: [] }],
    paths,
    components: {
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: settings.authHeader },
        query: { type: "apiKey", in: "query", name: "key" },
        session: { type: "apiKey", in: "query", name: "sid" },
      },
      schemas: Object.fromEntries(
        Object.entries(shapes).map(([name, fields]) => [name, schemaOfFields(fields, "answer")]),
      ),
    },
  };
}

/** A path as OpenAPI spells it; two that differ in parameter names only are one template, under its first spelling. */
function templateOf(path: string, templates: Map<string, string>): string {
  const shape = path.replace(/:\w+/g, ":");
  const known = templates.get(shape) ?? path.replace(/:(\w+)/g, "{$1}");
  templates.set(shape, known);
  return known;
}

const errorContent = { "application/json": { schema: { $ref: "#/components/schemas/error" } } };

/** One method of one path. */
function makeOperation({ method, key, alias, route, params }: Mounted, path: string): Json {
  const body = requestBody(route);
  return {
    operationId: `${method} ${path}`.replace(/[^\w]+/g, "_"),
    tags: [route.section],
    ...(route.summary ? { summary: route.summary } : {}),
    parameters: [...pathParameters(path, params, route), ...queryParameters(route)],
    ...(body ? { requestBody: body } : {}),
    responses: responses(route, method),
    ...(route.open ? { security: route.open === "all" ? [] : [{ header: [] }, { query: [] }, { session: [] }] } : {}),
    ...(route.decision ? { "x-decision": route.decision } : {}),
    ...(route.later ? { "x-later": true } : {}),
    ...(alias ? { "x-alias-of": key } : {}),
  };
}

/** Names come from the path's template, types from the route, by position. */
function pathParameters(path: string, names: readonly string[], route: RouteDescriptor): readonly Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""], index) => ({
    name,
    in: "path",
    required: true,
    schema: schemaOf(parseDescriptor(route.params?.[names[index] ?? ""] ?? "int"), "input"),
  }));
}

function queryParameters(route: RouteDescriptor): readonly Json[] {
  return Object.entries(route.query ?? {}).map(([name, descriptor]) => {
    const field = parseDescriptor(descriptor);
    return { name, in: "query", required: field.required, schema: schemaOf(field, "input") };
  });
}

function requestBody(route: RouteDescriptor): Json | undefined {
  const required = route.bodyOptional !== true;
  if (route.multipart) {
    const file = { type: "array", items: { type: "string", contentMediaType: "application/octet-stream" } };
    return { required, content: { "multipart/form-data": { schema: { type: "object", properties: { file } } } } };
  }
  if (route.body === undefined) return undefined;
  const schema =
    typeof route.body === "string"
      ? schemaOf(parseDescriptor(route.body), "input")
      : schemaOfFields(route.body, "input");
  return { required, content: { "application/json": { schema } } };
}

function responses(route: RouteDescriptor, method: string): Json {
  const status = route.later ? "501" : String(route.status ?? 200);
  const success = route.later
    ? { description: "Comes with a later issue", content: errorContent }
    : { description: "Success", ...content(route, method) };
  return {
    [status]: success,
    "4XX": { description: "Refused: code, message, errors", ...(method === "HEAD" ? {} : { content: errorContent }) },
  };
}

function content({ answer }: RouteDescriptor, method: string): Json {
  if (answer === "none" || method === "HEAD") return {};
  if (answer === "text") return { content: { "text/plain": { schema: { type: "string" } } } };
  if (answer === "binary") return { content: { "application/octet-stream": { schema: {} } } };
  const schema =
    typeof answer === "string" ? schemaOf(parseDescriptor(answer), "answer") : schemaOfFields(answer, "answer");
  return { content: { "application/json": { schema } } };
}

/** Whether a schema describes what is sent or what is answered: any value but an id may be null in both. */
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
function schemaOf(field: ParsedDescriptor, direction: Direction): Json {
  const item = itemSchema(field, direction);
  const schema = field.list ? { type: "array", items: item } : item;
  return field.default === undefined ? schema : { ...schema, default: defaultOf(field) };
}

/** JSON Schema of an object with these fields. */
function schemaOfFields(fields: Readonly<Record<string, string>>, direction: Direction): Json {
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
        field.required ? schemaOf(field, direction) : orNull(schemaOf(field, direction)),
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(direction === "answer" ? { additionalProperties: false } : {}),
  };
}

function itemSchema(field: ParsedDescriptor, direction: Direction): Json {
  if (field.shape) return { $ref: `#/components/schemas/${field.shape}` };
  // Enumerations of answers are open: a restored state may hold other values.
  if (field.choices) return direction === "answer" ? { type: "string" } : { type: "string", enum: [...field.choices] };
  return scalars[field.type] ?? {};
}

function orNull(schema: Json): Json {
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
