import { asHtml } from "../../pictures/escape-html.ts";
import { reportPage, tableCard } from "../../pictures/page-frame.ts";
import type { RunDetails, RunResults } from "../../run/run-document.ts";
import { cleanLine } from "../terminal-text.ts";
import { groupRuns, type RunGroup, trendsOf } from "./compare-runs.ts";
import { figureText, shortChange, trendFigures } from "./run-figures.ts";
import rules from "./run-page.css?raw" with { type: "text" };
import { runSection, verdictBlock } from "./run-section.ts";
import { momentWords, runName, shortMarks, verdictCounts } from "./run-words.ts";

/** Runs and their results as one page of its own: no script, nothing loaded. */
export function runHtml(results: RunResults): string {
  const { runs } = results;
  const [only] = runs;
  return runs.length === 1 && only !== undefined ? onePage(only, results) : manyPage(results);
}

function onePage(details: RunDetails, { warnings }: RunResults): string {
  const { run } = details;
  const name = asHtml(cleanLine(runName(run), 300));
  const body = `<header>
<p class="overline">Load test result${run.execution === null ? "" : ` · execution ${run.execution}`}</p>
<h1>${name}</h1>
${verdictBlock(run)}
${warningBlock(warnings)}</header>
${runSection(details, { of: 1 })}
${footer}`;
  return reportPage(`${cleanLine(runName(run), 300)}: ${run.verdict}${shortMarks(run)}`, body, { rules });
}

function manyPage({ warnings, runs }: RunResults): string {
  const counts = verdictCounts(runs.map(({ run }) => run));
  const links = runs.map(({ run }, index) => {
    const words = `Run ${index + 1}: ${cleanLine(runName(run), 300)}, ${run.verdict}${shortMarks(run)}`;
    return `<li><a href="#run-${index + 1}">${asHtml(words)}</a></li>`;
  });
  const sections = runs.map((details, index) => runSection(details, { number: index + 1, of: runs.length }));
  const groups = groupRuns(runs).filter((group) => group.runs.length > 1);
  const body = `<header>
<p class="overline">Load test results</p>
<h1>${runs.length} runs <small>${counts}</small></h1>
${warningBlock(warnings)}</header>
${runs.length === 0 ? "" : `<nav aria-label="Runs"><ul>${links.join("")}</ul></nav>\n${overview(runs)}`}
${groups.map(trendCards).join("\n")}
${sections.join("\n")}
${footer}`;
  return reportPage(`Load tests: ${counts}`, body, { rules });
}

const footer = "<footer>Times are in UTC. Response times are those of the first byte received.</footer>";

function warningBlock(warnings: readonly string[]): string {
  if (warnings.length === 0) return "";
  const items = warnings.map((warning) => `<li>${asHtml(cleanLine(warning, 1_000))}</li>`);
  return `<div class="verdict warned"><strong>Warnings</strong><ul>${items.join("")}</ul></div>\n`;
}

function overview(runs: readonly RunDetails[]): string {
  return tableCard({
    caption: "All runs",
    columns: ["Run", "Verdict", "Execution", "Started", ...trendFigures.map(({ name }) => name)],
    rows: runs.map(({ run }, index) => [
      `${index + 1}. ${cleanLine(runName(run), 300)}`,
      `${run.verdict}${shortMarks(run)}`,
      String(run.execution ?? "–"),
      cleanLine(momentWords(run.startedAt), 40),
      ...trendFigures.map((figure) => figureText(figure, run.summary)),
    ]),
  });
}

/** The runs of one configuration: each figure from the oldest to the newest, and from run to run. */
function trendCards(group: RunGroup): string {
  const { gate, address, runs } = group;
  const name = cleanLine(gate ?? address, 300);
  const trends = trendsOf(group).map((trend) => [trend.name, trend.bars, trend.first, trend.last, trend.change]);
  const steps = runs.map(({ run }, index) => {
    const before = runs[index + 1]?.run.summary;
    const cells = trendFigures.flatMap((figure) => [
      figureText(figure, run.summary),
      before === undefined ? "–" : shortChange(figure, run.summary, before),
    ]);
    return [`Execution ${run.execution ?? "not started"}`, ...cells];
  });
  const caption = { trend: `Trend of ${name}`, steps: `Runs of ${name}, each against the one before it` };
  return [
    tableCard({ caption: caption.trend, columns: ["Figure", "Course", "Oldest", "Newest", "Change"], rows: trends }),
    tableCard({
      caption: caption.steps,
      columns: ["Run", ...trendFigures.flatMap((figure) => [figure.name, "Change"])],
      rows: steps,
    }),
  ].join("\n");
}
