import type { RouteDescriptor } from "../../api/routes.ts";
import { parseDescriptor } from "../core/descriptor.ts";
import type { Mounted } from "../core/router.ts";
import { engines, isAboutRun, startsRun } from "../core/run-engine.ts";
import { describeForm } from "../start/describe-form.ts";
import { describeOperation, describeParameter, summarize } from "./describe-operation.ts";
import { fieldSchema, type Json, schemaOfFields } from "./json-schemas.ts";
import { operationIdOf } from "./operation-ids.ts";

/** One method of one path, which OpenAPI spells as `path`. */
export function makeOperation(mounted: Mounted, path: string): Json {
  const { key, alias, route, params } = mounted;
  const body = requestBody(route);
  return {
    operationId: operationIdOf(mounted),
    summary: summarize(mounted),
    description: describeOperation(mounted),
    tags: [route.section],
    parameters: [...pathParameters(path, params, route), ...queryParameters(route), ...startParameters(key)],
    ...(body ? { requestBody: body } : {}),
    responses: responses(mounted, path),
    ...(route.open ? { security: route.open === "all" ? [] : [{ header: [] }, { query: [] }, { session: [] }] } : {}),
    ...(route.decision ? { "x-decision": route.decision } : {}),
    ...(alias ? { "x-alias-of": key } : {}),
  };
}

/** Answers that operations share: what was refused, and what could not be done. */
export function sharedResponses(errors: "json" | "plain"): Json {
  const value = { "application/json": { schema: { $ref: "#/components/schemas/error" } } };
  const content = errors === "plain" ? { "text/plain": { schema: { type: "string" } } } : value;
  return {
    refused: { description: "Refused: the code of the status, a message, and every invalid field", content },
    failed: { description: "Could not be done: nothing was changed", content },
  };
}

/** Names come from the path's template, types from the route, by position. */
function pathParameters(path: string, names: readonly string[], route: RouteDescriptor): readonly Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""], index) => ({
    name,
    in: "path",
    description: describeParameter(name, "path"),
    required: true,
    schema: fieldSchema(parseDescriptor(route.params?.[names[index] ?? ""] ?? "int"), "input"),
  }));
}

function queryParameters(route: RouteDescriptor): readonly Json[] {
  return Object.entries(route.query ?? {}).map(([name, descriptor]) => {
    const field = parseDescriptor(descriptor);
    const description = describeParameter(name, "query");
    return { name, in: "query", description, required: field.required, schema: fieldSchema(field, "input") };
  });
}

function requestBody(route: RouteDescriptor): Json | undefined {
  const required = route.bodyOptional !== true;
  if (route.multipart) {
    if (route.textFields) {
      const form = { schema: describeForm() };
      return { required, content: { "multipart/form-data": form, "application/x-www-form-urlencoded": form } };
    }
    const file = { type: "array", items: { type: "string", contentMediaType: "application/octet-stream" } };
    return { required, content: { "multipart/form-data": { schema: { type: "object", properties: { file } } } } };
  }
  if (route.body === undefined) return undefined;
  const schema =
    typeof route.body === "string"
      ? fieldSchema(parseDescriptor(route.body), "input")
      : schemaOfFields(route.body, "input");
  return { required, content: { "application/json": { schema } } };
}

const engineSchema = { type: "string", enum: engines };

function startParameters(key: string): readonly Json[] {
  const description = "Who carries the run out, instead of the setting `engine`; live needs `serve --live`";
  return startsRun(key)
    ? [{ name: "X-Loadform-Engine", in: "header", description, required: false, schema: engineSchema }]
    : [];
}

function responses({ key, route, method }: Mounted, path: string): Json {
  const engine = { description: "Who carries out the run that the answer is about", schema: engineSchema };
  const headers = isAboutRun(key) ? { headers: { "X-Loadform-Engine": engine } } : {};
  const success = { description: "Success", ...headers, ...content(route, method, path) };
  const failed = { $ref: "#/components/responses/failed" };
  if (method === "HEAD")
    return { [String(route.status ?? 200)]: success, "4XX": { description: "Refused; HEAD has no body" } };
  return {
    [String(route.status ?? 200)]: success,
    "4XX": { $ref: "#/components/responses/refused" },
    "5XX": failed,
  };
}

function content({ answer, plainAnswer }: RouteDescriptor, method: string, path: string): Json {
  if (answer === "none" || method === "HEAD") return {};
  const plain = plainAnswer ? { "text/plain": { schema: { type: "string" } } } : {};
  if (answer === "text" || answer === "binary")
    return {
      content: { ...plain, [mediaType(answer, path)]: { schema: answer === "text" ? { type: "string" } : {} } },
    };
  const schema =
    typeof answer === "string" ? fieldSchema(parseDescriptor(answer), "answer") : schemaOfFields(answer, "answer");
  return { content: { ...plain, "application/json": { schema } } };
}

const mediaTypes: readonly (readonly [ending: string, type: string])[] = [
  [".csv", "text/csv"],
  [".pdf", "application/pdf"],
  [".zip", "application/zip"],
  ["/thumbnail", "image/png"],
  // A file is of the type that it was given with, or that its name tells.
  ["/download", "*/*"],
  ["/_loadform/docs", "text/html"],
  ["/_loadform/console", "text/html"],
  ["/p/{name}", "text/html"],
];

function mediaType(answer: "text" | "binary", path: string): string {
  const known = mediaTypes.find(([ending]) => path.endsWith(ending));
  return known?.[1] ?? (answer === "text" ? "text/plain" : "application/octet-stream");
}
