import type { Mounted } from "../core/route-table.ts";

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
  return `<tr><td><code>${asHtml(`${method} ${path}`)}</code></td><td>${asHtml(route.seed)}</td><td>${asHtml(text)}</td></tr>`;
}

function asHtml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
