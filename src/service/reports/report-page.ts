import type { ChartSpec } from "./chart.ts";
import { drawChart } from "./chart.ts";
import { chartSvg } from "./chart-svg.ts";
import { asHtml } from "./escape-html.ts";
import { formatElapsed, formatFigure } from "./figures.ts";
import base from "./page-base.css?raw" with { type: "text" };
import figures from "./page-figures.css?raw" with { type: "text" };
import style from "./report.css?raw" with { type: "text" };
import type { Fact, ReportTable } from "./report-sections.ts";
import { engineNote, headFigures, reportTables, runFacts, verdictWord } from "./report-sections.ts";
import { describeChart, runCharts } from "./run-charts.ts";
import type { RunReport } from "./run-report.ts";
import type { RunSeries } from "./run-series.ts";
import { hasCourse } from "./run-series.ts";

/** Options of a report page. */
export interface ReportOptions {
  /** IANA time zone of its moments; an unknown one is a RangeError. */
  readonly tz?: string;
  /** Public name of the share link; with it the page links to its PDF. */
  readonly name?: string;
}

/** The result of a run as a page of its own: no script, nothing loaded, nothing in it but the report (API 1, Share link). */
export function runReportPage(report: RunReport, { tz = "UTC", name }: ReportOptions = {}): string {
  const { testCase, configuration, executionId, title } = report;
  const pdf =
    name === undefined ? "" : ` · <a class="pdf" href="${asHtml(encodeURIComponent(name))}/results.pdf">PDF</a>`;
  const note = engineNote(report);
  const isLive = report.state !== "completed";
  return page(
    title,
    `<header>
<p class="overline">Load test result · run ${executionId}${pdf}</p>
<h1>${asHtml(testCase)} <small>${asHtml(configuration)}</small></h1>
${verdict(report)}
${facts("facts", runFacts(report, tz))}
</header>
${facts("tiles", headFigures(report))}
${charts(report.series)}
<div class="pair">${reportTables(report).map(tableCard).join("\n")}</div>
<footer>${note === undefined ? "" : `${asHtml(note)} `}Times are in ${asHtml(tz)}.${isLive ? " Reload the page for newer figures." : ""}</footer>`,
  );
}

/** The page of a share link whose configuration has not run yet. */
export function noRunPage(name: string): string {
  return page(
    "No run yet",
    `<header>
<p class="overline">Load test result</p>
<h1>No run yet</h1>
<p>The test of this link has not run so far. Its latest result will appear here, under the same address: reload the page then.</p>
</header>
<footer>Link ${asHtml(name)}</footer>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${asHtml(title)}</title>
<link rel="icon" href="data:,">
<style>
${base}${figures}${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

function verdict({ verdict: { outcome, reasons }, state }: RunReport): string {
  const items = reasons.map((reason) => `<li>${asHtml(reason)}</li>`).join("");
  return `<div class="verdict ${outcome}"><strong>${verdictWord(outcome, state)}</strong><ul>${items}</ul></div>`;
}

function facts(name: string, entries: readonly Fact[]): string {
  const items = entries.map(([term, value]) => `<div><dt>${asHtml(term)}</dt><dd>${asHtml(value)}</dd></div>`);
  return `<dl class="${name}">${items.join("")}</dl>`;
}

const size = { width: 460, height: 230, text: 11.5 };

function charts(series: RunSeries): string {
  if (!hasCourse(series)) return "";
  const figures = runCharts(series).map((spec, index) => {
    const alternative = { id: `chart-${index}`, title: spec.title, description: describeChart(spec, formatFigure) };
    return `<figure class="card"><figcaption><h2>${asHtml(spec.title)}</h2>${key(spec)}</figcaption>
${chartSvg(drawChart(spec, size), alternative)}</figure>`;
  });
  return `<div class="pair">${figures.join("\n")}</div>
<details class="card"><summary>The charts' figures as a table</summary>${table(seriesTable(series))}</details>`;
}

/** Lines are named where there is more than one: the title names a single one. */
function key({ lines }: ChartSpec): string {
  if (lines.length < 2) return "";
  return lines
    .map(
      (line) =>
        `<span class="key tone-${line.tone}"><i${line.dashed ? ' class="dashed"' : ""}></i><b>${asHtml(line.name)}</b></span>`,
    )
    .join("");
}

const mostRows = 120;

function seriesTable({ points }: RunSeries): ReportTable {
  const every = Math.ceil(points.length / mostRows);
  const figure = (value: number | null) => (value === null ? "–" : formatFigure(value));
  return {
    caption: every === 1 ? "Every 10 seconds" : `Every ${every * 10} seconds`,
    columns: ["Since start", "Users", "Requests per second", "Failures per second", "p50 in ms", "p95 in ms"],
    rows: points
      .filter((_, index) => index % every === 0)
      .map((point) => [
        formatElapsed(point.at),
        ...[point.users, point.requestsPerSecond, point.failuresPerSecond, point.p50, point.p95].map(figure),
      ]),
  };
}

function tableCard(content: ReportTable): string {
  return `<div class="card${content.columns.length > 3 ? " wide" : ""}">${table(content)}</div>`;
}

/** A wide table scrolls by itself and is reached by keyboard. */
function table({ caption, columns, rows }: ReportTable): string {
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
