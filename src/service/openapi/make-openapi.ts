import type { JsonValue } from "../../api/routes.ts";
import { shapes } from "../../api/shapes.ts";
import type { Mounted } from "../core/route-table.ts";
import type { Settings } from "../settings.ts";
import { makeOperation } from "./make-operation.ts";
import { schemaOfFields } from "./make-schema.ts";

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
