import type { JudgedRun, RunInterval, RunResults } from "../../run/run-document.ts";
import { cleanText } from "../terminal-text.ts";

type Cell = string | number | boolean | null | undefined;

type Column = readonly [name: string, cell: (run: JudgedRun, interval: RunInterval) => Cell];

const columns: readonly Column[] = [
  ["gate", ({ gate }) => gate],
  ["address", ({ address }) => address],
  ["execution", ({ execution }) => execution],
  ["verdict", ({ verdict }) => verdict],
  ["simulated", ({ simulated }) => simulated],
  ["stale", ({ stale }) => stale ?? false],
  ["startedAt", ({ startedAt }) => startedAt],
  ["atSecs", (_, { at }) => at / 1000],
  ["seconds", (_, { seconds }) => seconds],
  ["users", (_, { users }) => users],
  ["requests", (_, { requests }) => requests],
  ["requestsPerSec", (_, { requestsPerSec }) => requestsPerSec],
  ["failures", (_, { failures }) => failures],
  ["failedPercent", (_, { failedPercent }) => failedPercent],
  ["p50Ms", (_, { p50 }) => p50],
  ["p95Ms", (_, { p95 }) => p95],
  ["p99Ms", (_, { p99 }) => p99],
];

/** The intervals of all runs as CSV by RFC 4180, a row each; what was not measured is an empty cell. */
export function runCsv({ runs }: Pick<RunResults, "runs">): string {
  const rows = runs.flatMap(({ run, intervals }) =>
    intervals.map((interval) => columns.map(([, cell]) => csvCell(cell(run, interval))).join(",")),
  );
  return `${[columns.map(([name]) => name).join(","), ...rows].join("\r\n")}\r\n`;
}

/** Text that a spreadsheet would take for a formula, also behind blanks and in full-width signs. */
const formula = /^\s*[=+\-@＝＋－＠]/;

const plainNumber = /^\s*[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  const text = cleanText(String(value));
  const safe = formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
