import { chartFigure } from "../../pictures/chart-svg.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import { formatElapsed, formatFigure } from "../../pictures/figures.ts";
import { factList, type PageTable, reportPage, tableCard, tableHtml } from "../../pictures/page-frame.ts";
import { engineNote, headFigures, reportTables, runFacts, verdictWord } from "./report-sections.ts";
import { runCharts } from "./run-charts.ts";
import type { RunReport } from "./run-report.ts";
import { hasCourse, type RunSeries } from "./run-series.ts";

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
  return reportPage(
    title,
    `<header>
<p class="overline">Load test result · run ${executionId}${pdf}</p>
<h1>${asHtml(testCase)} <small>${asHtml(configuration)}</small></h1>
${verdict(report)}
${factList("facts", runFacts(report, tz))}
</header>
${factList("tiles", headFigures(report))}
${charts(report.series)}
<div class="pair">${reportTables(report).map(tableCard).join("\n")}</div>
<footer>${note === undefined ? "" : `${asHtml(note)} `}Times are in ${asHtml(tz)}.${isLive ? " Reload the page for newer figures." : ""}</footer>`,
  );
}

/** The page of a share link whose configuration has not run yet. */
export function noRunPage(name: string): string {
  return reportPage(
    "No run yet",
    `<header>
<p class="overline">Load test result</p>
<h1>No run yet</h1>
<p>The test of this link has not run so far. Its latest result will appear here, under the same address: reload the page then.</p>
</header>
<footer>Link ${asHtml(name)}</footer>`,
  );
}

function verdict({ verdict: { outcome, reasons }, state }: RunReport): string {
  const items = reasons.map((reason) => `<li>${asHtml(reason)}</li>`).join("");
  return `<div class="verdict ${outcome}"><strong>${verdictWord(outcome, state)}</strong><ul>${items}</ul></div>`;
}

function charts(series: RunSeries): string {
  if (!hasCourse(series)) return "";
  const figures = runCharts(series).map((spec, index) => chartFigure(spec, `chart-${index}`));
  return `<div class="pair">${figures.join("\n")}</div>
<details class="card"><summary>The charts' figures as a table</summary>${tableHtml(seriesTable(series))}</details>`;
}

const mostRows = 120;

function seriesTable({ points }: RunSeries): PageTable {
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
