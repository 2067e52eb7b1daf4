import { asHtml } from "./escape-html.ts";
import base from "./page-base.css?raw" with { type: "text" };
import figures from "./page-figures.css?raw" with { type: "text" };
import style from "./page-report.css?raw" with { type: "text" };

/** A figure with its name. */
export type Fact = readonly [name: string, value: string];

/** A table as texts; the first column names the row. */
export interface PageTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The script of a report, and its SHA-256 in base64, by which the page allows it and nothing else. */
export interface ReportScript {
  readonly text: string;
  readonly hash: string;
}

/** A report as a page of its own: nothing is loaded, and no script runs but its own; `body` is HTML. */
export function reportPage(
  title: string,
  body: string,
  { rules = "", script }: { readonly rules?: string; readonly script?: ReportScript } = {},
): string {
  const allowed = script === undefined ? "" : ` script-src 'sha256-${script.hash}';`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';${allowed} style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${asHtml(title)}</title>
<link rel="icon" href="data:,">
<style>
${base}${figures}${style}${rules}</style>
</head>
<body>
<main>
${body}
</main>${script === undefined ? "" : `\n<script>${script.text}</script>`}
</body>
</html>
`;
}

/** Modules as one script for a page, those that others import first: imports are there already, nothing is exported, and comments are for readers of the sources. */
export function pageScript(modules: readonly string[]): string {
  return modules.map(alone).join("\n");
}

/** Figures with their names; `name` is their class: in a line (`facts`) or as tiles (`tiles`). */
export function factList(name: "facts" | "tiles", entries: readonly Fact[]): string {
  const items = entries.map(([term, value]) => `<div><dt>${asHtml(term)}</dt><dd>${asHtml(value)}</dd></div>`);
  return `<dl class="${name}">${items.join("")}</dl>`;
}

/** A table as a card of its own. */
export function tableCard(content: PageTable): string {
  return `<div class="card${content.columns.length > 3 ? " wide" : ""}">${tableHtml(content)}</div>`;
}

/** A table; a wide one scrolls by itself and is reached by keyboard. */
export function tableHtml({ caption, columns, rows }: PageTable): string {
  const head = columns.map((column) => `<th scope="col">${asHtml(column)}</th>`).join("");
  const body = rows.map(
    ([first = "", ...cells]) => `<tr><th scope="row">${asHtml(first)}</th>${cells.map(cell).join("")}</tr>`,
  );
  return `<div class="scroll" role="region" aria-label="${asHtml(caption)}" tabindex="0"><table><caption>${asHtml(caption)}</caption>
<thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

const marks: Readonly<Record<string, string>> = { holds: "holds", "does not hold": "broken" };

function cell(text: string): string {
  const mark = marks[text];
  return `<td${mark === undefined ? "" : ` class="${mark}"`}>${asHtml(text)}</td>`;
}

function alone(module: string): string {
  return module
    .replace(/^import [^;]*;\n/gm, "")
    .replace(/^export /gm, "")
    .replace(/^ *(?:\/\/.*|\/\*\*.*\*\/)\n/gm, "");
}
