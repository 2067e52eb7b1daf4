import type { JsonValue } from "../api/routes.ts";
import type { Mounted } from "./core/router.ts";
import { describeSection } from "./openapi/describe-operation.ts";
import { type Json, schemasFor } from "./openapi/json-schemas.ts";
import { makeOperation, sharedResponses } from "./openapi/make-operation.ts";
import type { Settings } from "./settings.ts";

/** OpenAPI 3.1 of every mounted route, derived from the route table. */
export function makeOpenApi(mounted: readonly Mounted[], settings: Pick<Settings, "authHeader" | "errors">): Json {
  const paths = pathsOf(mounted);
  const responses = sharedResponses(settings.errors);
  const sections = [...new Set(mounted.map(({ route }) => route.section))].sort(new Intl.Collator("en").compare);
  return {
    openapi: "3.1.0",
    info: {
      title: "The bundled load-testing service",
      version: "1.0.0",
      description: "Every route of the service; x-decision marks what was decided where the documents are silent.",
      contact: { name: "The loadform project" },
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [
      { url: "/", description: "The paths as they are" },
      { url: "/api", description: "The same paths as the documents write them" },
    ],
    security: [{ header: [] }, { query: [] }],
    tags: sections.map((name) => ({ name, description: describeSection(name) })),
    paths,
    components: {
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: settings.authHeader },
        query: { type: "apiKey", in: "query", name: "key" },
        session: { type: "apiKey", in: "query", name: "sid" },
      },
      responses,
      schemas: schemasFor([paths, responses]),
    },
  };
}

function pathsOf(mounted: readonly Mounted[]): Json {
  const paths: Record<string, Record<string, JsonValue>> = {};
  const templates = new Map<string, string>();
  for (const entry of mounted) {
    const path = templateOf(entry.path, templates);
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: makeOperation(entry, path) };
  }
  return paths;
}

/** A path as OpenAPI spells it; two that differ in parameter names only are one template, under its first spelling. */
function templateOf(path: string, templates: Map<string, string>): string {
  const shape = path.replace(/:\w+/g, ":");
  const known = templates.get(shape) ?? path.replace(/:(\w+)/g, "{$1}");
  templates.set(shape, known);
  return known;
}
