import { chartFigure } from "../../pictures/chart-svg.ts";
import { asHtml } from "../../pictures/escape-html.ts";
import { formatCount, formatDuration, formatElapsed, formatFigure, formatMs } from "../../pictures/figures.ts";
import { type Fact, factList, type PageTable, tableCard, tableHtml } from "../../pictures/page-frame.ts";
import type { JudgedRun, RunDetails, RunInterval } from "../../run/run-document.ts";
import { cleanLine } from "../terminal-text.ts";
import { allFigures, figureChange, figureText, headFigures } from "./run-figures.ts";
import { condense, mergeIntervals, type RunSeries, regionCharts, seriesCharts } from "./run-series.ts";
import { baselineWords, checksOf, momentWords, runMarks, runName, shortMarks, verdictSigns } from "./run-words.ts";

/** The place of a run in its page; only several are numbered. */
export interface PagePlace {
  readonly number?: number;
  readonly of: number;
}

const none = "–";

/** The verdict of a run with what must be known beside it, and its reasons. */
export function verdictBlock(run: JudgedRun): string {
  const { verdict, reasons, warnings } = run;
  const word = `${verdictSigns[verdict]} ${verdict[0]?.toUpperCase()}${verdict.slice(1)}`;
  const marks = shortMarks(run);
  const lines = [...runMarks(run), ...reasons, ...warnings.map((warning) => `Warning: ${warning}`)];
  const items = lines.map((line) => `<li>${asHtml(cleanLine(line, 1_000))}</li>`).join("");
  const list = items === "" ? "" : `<ul>${items}</ul>`;
  return `<div class="verdict ${verdict}"><strong>${word}${marks === "" ? "" : ` <small>${marks.trim()}</small>`}</strong>${list}</div>`;
}

/** Everything about one run below its verdict; of several its heading and verdict too. */
export function runSection(details: RunDetails, place: PagePlace): string {
  const { run } = details;
  const { number } = place;
  const head =
    number === undefined
      ? ""
      : `<h2>Run ${number}: ${asHtml(cleanLine(runName(run), 300))}</h2>\n${verdictBlock(run)}\n`;
  const tables = tablesOf(details, place).filter(({ rows }) => rows.length > 0);
  const [asked, ...others] = tables.map(tableCard);
  return `<section${number === undefined ? "" : ` id="run-${number}"`}>
${head}${factList("facts", factsOf(details))}
${factList("tiles", tilesOf(run))}
${asked ?? ""}
${charts(details, place)}
${regions(details, place)}
<div class="pair">${others.join("\n")}</div>
</section>`;
}

function factsOf({ run, origin }: RunDetails): readonly Fact[] {
  const { gate, address, execution, startedAt, finishedAt } = run;
  const compared = baselineWords(run);
  return [
    ...(gate === undefined ? [] : [["Configuration", cleanLine(address, 600)] as const]),
    ["Execution", execution === null ? "not started" : String(execution)],
    ["Started", cleanLine(momentWords(startedAt), 40)],
    ["Finished", cleanLine(momentWords(finishedAt), 40)],
    ...(compared === undefined ? [] : [["Compared with", compared] as const]),
    ...(origin?.commit === undefined ? [] : [["Commit", cleanLine(origin.commit, 100)] as const]),
    ...(origin?.scriptSha256 === undefined ? [] : [["Script, sha256", cleanLine(origin.scriptSha256, 100)] as const]),
  ];
}

function tilesOf({ summary }: JudgedRun): readonly Fact[] {
  return headFigures.map((figure) => [figure.name, figureText(figure, summary)]);
}

/** Rows of a long list, divided among the runs of the page. */
const most = { resources: 200, codes: 60, logs: 100, least: 10 };

function tablesOf(details: RunDetails, place: PagePlace): readonly PageTable[] {
  const caption = captionOf(place);
  const { run, baseline, resources, responseCodes, logLines } = details;
  const results = { true: "holds", false: "does not hold", undefined: "not decided" };
  const limit = (rows: readonly (readonly string[])[], count: number) =>
    cutRows(rows, Math.max(most.least, Math.floor(count / place.of)));
  const compared = baseline === undefined ? [] : ["Baseline", "Change"];
  return [
    {
      caption: caption("What was asked"),
      columns: ["Asked", "Result", "Measured", "Compared with"],
      rows: checksOf(details).map(({ name, measured, beside, ok }) => [
        cleanLine(name, 400),
        results[`${ok}`],
        measured,
        cleanLine(beside ?? none, 400),
      ]),
    },
    {
      caption: caption(baseline === undefined ? "Figures" : "Figures beside the baseline"),
      columns: ["Figure", "Measured", ...compared],
      rows: allFigures.map((figure) => [
        figure.name,
        figureText(figure, run.summary),
        ...(baseline === undefined ? [] : [figureText(figure, baseline), figureChange(figure, run.summary, baseline)]),
      ]),
    },
    {
      caption: caption("Resources"),
      columns: ["Resource", "Requests", "Failed", "p50", "p95", "p99"],
      rows: limit(
        resources.map(({ name, requests, ...each }) => [cleanLine(name, 400), count(requests), ...answerCells(each)]),
        most.resources,
      ),
    },
    {
      caption: caption("Response codes of 400 and more"),
      columns: ["Code", "Answers"],
      rows: limit(
        responseCodes.map(({ code, count: times }) => [cleanLine(code, 60), formatCount(times)]),
        most.codes,
      ),
    },
    {
      caption: caption("Log lines of level Error and Fatal"),
      columns: ["Message", "Level", "Times"],
      rows: limit(
        logLines.map(({ level, message, count: times }) => [
          cleanLine(message, 500),
          cleanLine(level, 20),
          formatCount(times),
        ]),
        most.logs,
      ),
    },
  ];
}

/** Captions name the regions of a page, so each occurs once. */
function captionOf({ number }: PagePlace): (words: string) => string {
  return (words) => (number === undefined ? words : `${words}, run ${number}`);
}

function cutRows(rows: readonly (readonly string[])[], count: number): readonly (readonly string[])[] {
  if (rows.length <= count) return rows;
  const blanks = (rows[0] ?? []).slice(1).map(() => "");
  return [...rows.slice(0, count), [`… and ${formatCount(rows.length - count)} more`, ...blanks]];
}

function answerCells({
  failedPercent,
  p50,
  p95,
  p99,
}: Pick<RunInterval, "failedPercent" | "p50" | "p95" | "p99">): readonly string[] {
  const share = failedPercent === null ? none : `${Number(failedPercent.toFixed(2))} %`;
  return [share, ...[p50, p95, p99].map((value) => (value === null ? none : formatMs(value)))];
}

function count(value: number | null): string {
  return value === null ? none : formatCount(value);
}

/** Points of a chart, divided among the runs of the page, and rows of the table beside it. */
const points = { most: 180, inAll: 720, least: 40, rows: 120 };

function pointsFor({ of }: PagePlace): number {
  return Math.min(points.most, Math.max(points.least, Math.floor(points.inAll / of)));
}

function charts({ intervals }: RunDetails, place: PagePlace): string {
  const series = condense(intervals, pointsFor(place));
  if (series.points.length < 2) return "";
  const { number = 1 } = place;
  const figures = seriesCharts(series).map((spec, index) => chartFigure(spec, `c${number}-${index}`, heading(place)));
  const rows = condense(intervals, Math.min(points.rows, pointsFor(place)));
  const every = formatDuration(rows.points[0]?.seconds ?? 0);
  const table = seriesTable(rows, captionOf(place)(`Over time, ${every} a row`));
  return `<div class="pair">${figures.join("\n")}</div>${mergedNote(series)}
<details class="card"><summary>The charts' figures as a table</summary>${mergedNote(rows)}${tableHtml(table)}</details>`;
}

function heading({ number }: PagePlace): "h2" | "h3" {
  return number === undefined ? "h2" : "h3";
}

function mergedNote({ merged }: RunSeries): string {
  if (merged === 1) return "";
  return `\n<p class="soft">Each point covers ${merged} intervals: counts are their sums, rates their means, shares those of the sums, users and percentiles the highest.</p>`;
}

function seriesTable({ points: rows }: RunSeries, caption: string): PageTable {
  const figure = (value: number | null) => (value === null ? none : formatFigure(value));
  return {
    caption,
    columns: [
      "Since start",
      "Users",
      "Requests",
      "Requests per second",
      "Failed in %",
      "p50 in ms",
      "p95 in ms",
      "p99 in ms",
    ],
    rows: rows.map((each) => [
      formatElapsed(each.at / 1000),
      ...[each.users, each.requests, each.requestsPerSec, each.failedPercent, each.p50, each.p95, each.p99].map(figure),
    ]),
  };
}

/** The most runs of a page whose regions have charts. */
const mostWithRegionCharts = 3;

function regions({ regions: all }: RunDetails, place: PagePlace): string {
  if (all.length === 0) return "";
  const rows = all.map(({ name, intervals }) => regionRow(cleanLine(name, 300), intervals));
  const columns = ["Region", "Users at peak", "Requests", "Requests per second", "Failed"];
  const table = tableCard({
    caption: captionOf(place)("Regions"),
    columns: [...columns, "Highest p50", "Highest p95", "Highest p99"],
    rows,
  });
  const note = `<p class="soft">The percentiles of a region are the highest of an interval.</p>`;
  return `${table}\n${note}${place.of > mostWithRegionCharts ? "" : regionDetails(all, place)}`;
}

function regionRow(name: string, intervals: readonly RunInterval[]): readonly string[] {
  const whole = mergeIntervals(intervals);
  if (whole === undefined) return [name, none, none, none, none, none, none, none];
  const rate = whole.requestsPerSec === null ? none : formatFigure(whole.requestsPerSec);
  return [name, count(whole.users), count(whole.requests), rate, ...answerCells(whole)];
}

function regionDetails(all: RunDetails["regions"], place: PagePlace): string {
  const { number = 1 } = place;
  const drawn = all.flatMap(({ name, intervals }, region) => {
    const series = condense(intervals, Math.floor(pointsFor(place) / 2));
    if (series.points.length < 2) return [];
    const figures = regionCharts(series).map((spec, index) => {
      const title = `${cleanLine(name, 300)}: ${spec.title.toLowerCase()}`;
      return chartFigure({ ...spec, title }, `r${number}-${region}-${index}`, heading(place));
    });
    return [`<div class="pair">${figures.join("\n")}</div>${mergedNote(series)}`];
  });
  if (drawn.length === 0) return "";
  return `\n<details class="card"><summary>Charts of each region</summary>${drawn.join("\n")}</details>`;
}
