import type { JsonValue } from "../api/routes.ts";
import type { Mounted } from "./core/router.ts";
import { describeSection } from "./openapi/describe-operation.ts";
import type { Json } from "./openapi/json-schemas.ts";
import { schemasFor } from "./openapi/json-schemas.ts";
import { makeOperation, sharedResponses } from "./openapi/make-operation.ts";
import type { Settings } from "./settings.ts";

/** OpenAPI 3.1 of every mounted route, derived from the route table. */
export function makeOpenApi(mounted: readonly Mounted[], settings: Pick<Settings, "authHeader">): Json {
  const paths = pathsOf(mounted);
  const responses = sharedResponses();
  const sections = [...new Set(mounted.map(({ route }) => route.section))].sort(new Intl.Collator("en").compare);
  return {
    openapi: "3.1.0",
    info: {
      title: "The bundled load-testing service",
      version: "1.0.0",
      description: "Every route of the service; x-decision marks what was settled where the documents are silent.",
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

/** A readable page of all routes. */
export function docsPage(mounted: readonly Mounted[]): string {
  const rows = mounted.filter((each) => !each.alias).map(row);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Routes of the bundled service</title>
<style>body{font:16px/1.5 sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ccc;padding:.4rem;text-align:left;vertical-align:top}code{white-space:nowrap}</style></head>
<body><h1>Routes of the bundled service</h1>
<p>The same paths answer under <code>/api</code>. The description for machines is <a href="openapi.json">openapi.json</a>.</p>
<table><thead><tr><th scope="col">Route</th><th scope="col">Section</th><th scope="col">Notes</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody></table></body></html>
`;
}

function row({ method, path, route }: Mounted): string {
  const aliases = (route.aliases ?? []).map((alias) => `Also ${alias}.`);
  const notes = [route.summary, route.decision, ...aliases, route.later ? "Comes with a later issue: 501." : undefined];
  const text = notes.filter((note) => note !== undefined).join(" ");
  return `<tr><td><code>${asHtml(`${method} ${path}`)}</code></td><td>${asHtml(route.section)}</td><td>${asHtml(text)}</td></tr>`;
}

function asHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
