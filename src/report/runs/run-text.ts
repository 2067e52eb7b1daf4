import type { RunDetails, RunResults, Verdict } from "../../run/run-document.ts";
import { cleanLine, counted, type Palette } from "../terminal-text.ts";
import { groupRuns, type RunGroup, trendsOf } from "./compare-runs.ts";
import { figureText, headFigures, shortChange, trendFigures } from "./run-figures.ts";
import {
  baselineWords,
  isJudged,
  momentWords,
  otherReasons,
  type RunCheck,
  runMarks,
  runName,
  runPlace,
  shortMarks,
  shownChecks,
  signOfCheck,
  verdictCounts,
  verdictSigns,
} from "./run-words.ts";

/** Runs as a person reads them: a block for each, those of one configuration beside each other, and the counts of several. */
export function runText({ runs, warnings }: RunResults, palette: Palette): string {
  const blocks = groupRuns(runs).map((group) => {
    const [only] = group.runs;
    return group.runs.length === 1 && only !== undefined ? runBlock(only, palette) : groupBlock(group, palette);
  });
  const counts =
    runs.length > 1 ? [[`${counted(runs.length, "run")}: ${verdictCounts(runs.map(({ run }) => run))}.`]] : [];
  const notes = warnings.map((warning) => palette.yellow(`! ${cleanLine(warning, 400)}`));
  return `${[...blocks, ...counts, ...(notes.length === 0 ? [] : [notes])].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function runBlock(details: RunDetails, palette: Palette): readonly string[] {
  const { run } = details;
  const paint = paintOf(run.verdict, palette);
  const name = palette.bold(cleanLine(runName(run)));
  const compared = baselineWords(run);
  return [
    `${paint(verdictSigns[run.verdict])} ${name}: ${paint(run.verdict)}${palette.yellow(shortMarks(run))}`,
    `  ${cleanLine(runPlace(run), 400)}${run.startedAt === null ? "" : `, ${cleanLine(momentWords(run.startedAt))}`}`,
    ...checkLines(shownChecks(details), palette),
    ...otherReasons(details).map((reason) => `    ${cleanLine(reason, 400)}`),
    ...figureLines(details),
    ...(compared === undefined ? [] : [palette.dim(`  compared with ${compared}`)]),
    ...runMarks(run).map((mark) => `  ${palette.yellow(mark)}`),
    ...run.warnings.map((warning) => `  ${palette.yellow(`! ${cleanLine(warning, 400)}`)}`),
  ];
}

function paintOf(verdict: Verdict, palette: Palette): (text: string) => string {
  if (verdict === "passed") return palette.green;
  return verdict === "failed" || verdict === "error" ? palette.red : palette.yellow;
}

/** Names longer than this do not widen the column of values. */
const widestName = 48;

function checkLines(checks: readonly RunCheck[], palette: Palette): readonly string[] {
  const names = checks.map(({ name }) => cleanLine(name));
  const width = Math.min(widestName, Math.max(0, ...names.map(({ length }) => length)));
  return checks.map(({ ok, measured, beside }, index) => {
    const paint = ok === undefined ? palette.dim : ok ? palette.green : palette.red;
    const note = beside === undefined ? "" : palette.dim(`  (${cleanLine(beside)})`);
    return `    ${paint(signOfCheck(ok))} ${(names[index] ?? "").padEnd(width)}  ${measured}${note}`;
  });
}

/** The figures in two lines: the load, then how it was answered. */
function figureLines({ run: { summary } }: RunDetails): readonly string[] {
  const measured = headFigures.filter((figure) => figure.of(summary) !== null);
  if (measured.length === 0) return ["  no figures"];
  const words = (isTiming: boolean) =>
    measured
      .filter(({ name }) => name.startsWith("Response time") === isTiming)
      .map((figure) => `${figure.name.toLowerCase()} ${figureText(figure, summary)}`);
  return [words(false), words(true)].filter(({ length }) => length > 0).map((parts) => `  ${parts.join(", ")}`);
}

function groupBlock(group: RunGroup, palette: Palette): readonly string[] {
  const { gate, address, runs } = group;
  const marks = new Set(runs.map(({ run }) => shortMarks(run)));
  const shared = marks.size === 1 ? ([...marks][0] ?? "") : "";
  const place = gate === undefined ? "" : `, ${cleanLine(address)}`;
  const head = `${palette.bold(cleanLine(gate ?? address))}${palette.yellow(shared)}${place}: ${counted(runs.length, "run")}, the newest first`;
  const [titles = "", ...rows] = tableLines([
    columnTitles,
    ...runs.map((_, index) => rowOf(runs, index, shared === "")),
  ]);
  return [
    head,
    palette.dim(`    ${titles}`),
    ...rows.map((row, index) => {
      const verdict = runs[index]?.run.verdict ?? "unknown";
      return `  ${paintOf(verdict, palette)(verdictSigns[verdict])} ${row}`;
    }),
    ...trendLines(group),
    ...runs.flatMap((details) => notesOfRow(details, palette)),
  ];
}

const columnTitles = ["Execution", "Started", "Verdict", "Requests/s", "Failed", "p95", "Change of p95"];

/** A run as a row; its change is to the run before it. */
function rowOf(runs: readonly RunDetails[], index: number, hasMarks: boolean): readonly string[] {
  const [run, before] = [runs[index]?.run, runs[index + 1]?.run];
  if (run === undefined) return [];
  const [, rate, failed, p95] = trendFigures.map((figure) => figureText(figure, run.summary));
  const timing = trendFigures[3];
  const change = before === undefined || timing === undefined ? "" : shortChange(timing, run.summary, before.summary);
  const verdict = `${run.verdict}${hasMarks ? shortMarks(run) : ""}`;
  const started = run.startedAt === null ? "–" : cleanLine(momentWords(run.startedAt), 40).replace(/ UTC$/, "");
  return [String(run.execution ?? "–"), started, verdict, rate ?? "", failed ?? "", p95 ?? "", change];
}

/** Rows with aligned columns: words to the left, from the fourth on figures to the right. */
function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

function trendLines(group: RunGroup): readonly string[] {
  const trends = trendsOf(group);
  const width = Math.max(0, ...trends.map(({ name }) => name.length));
  return trends.map(
    ({ name, bars, first, last, change }) => `    ${name.padEnd(width)}  ${bars}  ${first} → ${last}, ${change}`,
  );
}

/** Notes below a table, for which a row has no room: missed checks, other reasons, warnings. */
function notesOfRow(details: RunDetails, palette: Palette): readonly string[] {
  const { run } = details;
  const id = run.execution === null ? "not started" : String(run.execution);
  const missed = shownChecks(details).filter(({ ok }) => ok === false);
  return [
    ...missed.map(({ name, measured }) => `  ${palette.red("✗")} ${id}: ${cleanLine(name)}: ${measured}`),
    ...otherReasons(details).map(
      (reason) => `  ${isJudged(run) ? palette.red("✗") : "·"} ${id}: ${cleanLine(reason, 400)}`,
    ),
    ...run.warnings.map((warning) => palette.yellow(`  ! ${id}: ${cleanLine(warning, 400)}`)),
  ];
}
