import type { RunDetails, RunResults } from "../../run/run-document.ts";
import { cutWords } from "../markdown-report.ts";
import {
  asMarkdown,
  cutTable,
  fitMarkdown,
  fixedPart,
  foldedPart,
  hiddenMarker,
  htmlCode,
  inlineCode,
  markdownLimits,
  type TextPart,
} from "../markdown-text.ts";
import { groupRuns, type RunGroup, trendsOf } from "./compare-runs.ts";
import { figureChange, figureText, headFigures, shortChange, trendFigures } from "./run-figures.ts";
import {
  baselineWords,
  momentWords,
  otherReasons,
  runMarks,
  runName,
  shortMarks,
  shownChecks,
  signOfCheck,
  verdictCounts,
  verdictSigns,
} from "./run-words.ts";

/** Room reserved for lines that a pipeline adds, and the most that each part may take. */
const room = { reserved: 4_000, head: 3_000, overview: 12_000, checks: 8_000, list: 6_000, words: 4_000 };

/** Runs as a comment on a pull request or the summary of a job; `identity` tells it from others: the folder, the environment. */
export function runMarkdown({ warnings, runs }: RunResults, identity: readonly string[]): string {
  const verdicts = verdictCounts(runs.map(({ run }) => run));
  const [only] = runs;
  const title =
    runs.length === 1 && only !== undefined
      ? `## Load test ${inlineCode(runName(only.run))}: ${verdictSigns[only.run.verdict]} ${only.run.verdict}${shortMarks(only.run)}`
      : `## Load tests: ${verdicts}`;
  const groups = groupRuns(runs).filter((group) => group.runs.length > 1);
  return fitMarkdown(
    [
      fixedPart(hiddenMarker(["loadform-run", ...identity])),
      fixedPart(title),
      ...listPart(warnings),
      ...(runs.length > 1 ? [fixedPart(overview(runs))] : []),
      ...groups.flatMap(trendPart),
      ...runs.flatMap((details) => runParts(details, runs.length === 1)),
    ],
    markdownLimits.github - room.reserved,
  );
}

function overview(runs: readonly RunDetails[]): string {
  const rows = runs.map(({ run }) => [
    `${verdictSigns[run.verdict]} **${run.verdict}**${shortMarks(run)}`,
    inlineCode(runName(run)),
    String(run.execution ?? "–"),
    asMarkdown(momentWords(run.startedAt)),
    ...trendFigures.map((figure) => figureText(figure, run.summary)),
  ]);
  const head = ["Verdict", "Run", "Execution", "Started", ...trendFigures.map(({ name }) => name)];
  return cutTable(head, rows, room.overview);
}

/** The runs of one configuration: how each figure went from the oldest to the newest, and from run to run. */
function trendPart(group: RunGroup): readonly TextPart[] {
  const trends = trendsOf(group);
  if (trends.length === 0) return [];
  const rows = trends.map(({ name, bars, first, last, change }) => [name, bars, `${first} → ${last}`, change]);
  const table = cutTable(["Figure", "Oldest to newest", "First → last", "Change"], rows, room.list);
  const steps = group.runs.slice(0, -1).map(({ run }, index) => [
    String(run.execution ?? "–"),
    ...trendFigures.map((figure) => {
      const before = group.runs[index + 1]?.run.summary;
      return before === undefined ? "" : shortChange(figure, run.summary, before);
    }),
  ]);
  const head = ["Execution", ...trendFigures.map(({ name }) => name)];
  const name = group.gate ?? group.address;
  const text = `${table}\n\n${foldedPart("Each run against the one before it", cutTable(head, steps, room.list))}`;
  return [{ text: `### Trend of ${inlineCode(name)}\n\n${text}`, optional: `trend of ${inlineCode(name)}` }];
}

/** One run; of several its details are optional, for the table above has the verdict of each. */
function runParts(details: RunDetails, isOnly: boolean): readonly TextPart[] {
  const { run } = details;
  const name = inlineCode(runName(run));
  const title = `### ${name}: ${verdictSigns[run.verdict]} ${run.verdict}${shortMarks(run)}`;
  const head = [...(isOnly ? [] : [title]), placeLine(details), ...marksAndReasons(details)].join("\n\n");
  const id = run.execution === null ? name : `${name} (execution ${run.execution})`;
  const parts = [
    { text: head, optional: id },
    ...checkPart(details, id),
    ...figurePart(details, id),
    ...listsOf(details, id),
  ];
  return isOnly ? parts.map((part, index) => (index < 2 ? fixedPart(part.text) : part)) : parts;
}

function placeLine({ run, origin }: RunDetails): string {
  const compared = baselineWords(run);
  const parts = [
    ...(run.gate === undefined ? [] : [inlineCode(run.address)]),
    run.execution === null ? "not started" : `execution ${run.execution}`,
    ...(run.startedAt === null ? [] : [asMarkdown(momentWords(run.startedAt))]),
    ...(origin?.commit === undefined ? [] : [`commit ${inlineCode(origin.commit.slice(0, 12))}`]),
    ...(origin?.scriptSha256 === undefined ? [] : [`script ${inlineCode(origin.scriptSha256.slice(0, 12))}`]),
    ...(compared === undefined ? [] : [`compared with ${compared}`]),
  ];
  return parts.join(", ");
}

function marksAndReasons(details: RunDetails): readonly string[] {
  const marks = runMarks(details.run).map((mark) => `> **${mark}**`);
  const reasons = otherReasons(details).map((reason) => `- ${asMarkdown(reason, 1_000)}`);
  const warnings = details.run.warnings.map((warning) => `- ⚠️ ${asMarkdown(warning, 1_000)}`);
  const list = cutWords([...reasons, ...warnings], room.words).join("\n");
  return [...marks, ...(list === "" ? [] : [list])];
}

function listPart(warnings: readonly string[]): readonly TextPart[] {
  if (warnings.length === 0) return [];
  const lines = warnings.map((warning) => `- ⚠️ ${asMarkdown(warning, 1_000)}`);
  return [fixedPart(cutWords(lines, room.head).join("\n"))];
}

function checkPart(details: RunDetails, id: string): readonly TextPart[] {
  const rows = shownChecks(details).map(({ ok, name, measured, beside }) => [
    signOfCheck(ok),
    inlineCode(name, 400),
    ok === false ? `**${asMarkdown(measured)}**` : asMarkdown(measured),
    asMarkdown(beside ?? "", 400),
  ]);
  if (rows.length === 0) return [];
  return [{ text: cutTable(["", "Asked", "Measured", ""], rows, room.checks), optional: `checks of ${id}` }];
}

function figurePart({ run: { summary }, baseline }: RunDetails, id: string): readonly TextPart[] {
  const measured = headFigures.filter((figure) => figure.of(summary) !== null);
  if (measured.length === 0) return [];
  const rows = measured.map((figure) => [
    figure.name,
    figureText(figure, summary),
    ...(baseline === undefined ? [] : [figureText(figure, baseline), figureChange(figure, summary, baseline)]),
  ]);
  const head = ["Figure", "Measured", ...(baseline === undefined ? [] : ["Baseline", "Change"])];
  return [{ text: cutTable(head, rows, room.list), optional: `figures of ${id}` }];
}

/** Tables that explain a verdict, folded away. */
function listsOf({ run, responseCodes, logLines, resources }: RunDetails, id: string): readonly TextPart[] {
  const codes = responseCodes.map(({ code, count }) => [inlineCode(code), String(count)]);
  const logs = logLines.map(({ level, message, count }) => [
    inlineCode(level),
    String(count),
    inlineCode(message, 300),
  ]);
  const rows = resources.map(({ name, requests, failedPercent, p95 }) => [
    inlineCode(name, 200),
    figureCell(requests, ""),
    figureCell(failedPercent, " %"),
    figureCell(p95, " ms"),
  ]);
  const tables = [
    ["Resources", ["Resource", "Requests", "Failed", "p95"], rows],
    ["Response codes of 400 and more", ["Code", "Answers"], codes],
    ["Log lines of level Error and Fatal", ["Level", "Times", "Message"], logs],
  ] as const;
  return tables.flatMap(([title, head, cells]) => {
    if (cells.length === 0) return [];
    const summary = `${title} of ${htmlCode(runName(run))}: ${cells.length}`;
    return [
      { text: foldedPart(summary, cutTable(head, cells, room.list)), optional: `${title.toLowerCase()} of ${id}` },
    ];
  });
}

function figureCell(value: number | null, unit: string): string {
  return value === null ? "–" : `${Number(value.toFixed(2))}${unit}`;
}
