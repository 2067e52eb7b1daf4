import type { JsonValue, RouteDescriptor } from "../../api/routes.ts";
import { parseDescriptor } from "../core/descriptor.ts";
import type { Mounted } from "../core/route-table.ts";
import { schemaOf, schemaOfFields } from "./make-schema.ts";

type Json = { readonly [key: string]: JsonValue };

const errorContent = { "application/json": { schema: { $ref: "#/components/schemas/error" } } };

/** One method of one path. */
export function makeOperation({ method, key, alias, route, params }: Mounted, path: string): Json {
  const body = requestBody(route);
  return {
    operationId: `${method} ${path}`.replace(/[^\w]+/g, "_"),
    tags: [route.seed],
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
