/** Where an output differs from what a page says. */
export interface Mismatch {
  /** Index of the page's line, counted from 0. */
  readonly at: number;
  readonly expected: string;
  readonly got: string;
}

/** Compares an output with a page's lines; undefined when they agree (`…` in test/docs/read-page.ts). */
export function matchOutput(expected: string, got: string): Mismatch | undefined {
  const wanted = linesOf(expected);
  const lines = linesOf(got);
  let next = 0;
  for (let at = 0; at < wanted.length; at = endOfRun(wanted, at) + 1) {
    const run = wanted.slice(at, endOfRun(wanted, at));
    const isLast = at + run.length === wanted.length;
    const start = at === 0 ? 0 : findRun(run, lines, { next, isLast });
    const wrong = start < 0 ? closest(run, lines, next) : differing(run, lines, start);
    if (wrong) return { at: at + wrong.index, expected: wrong.expected, got: wrong.got };
    next = start + run.length;
  }
  if (wanted.at(-1)?.trim() === "…" || next >= lines.length) return undefined;
  return { at: wanted.length, expected: "nothing more", got: lines[next] ?? "" };
}

function linesOf(text: string): readonly string[] {
  const trimmed = text.replace(/\s+$/, "");
  return trimmed === "" ? [] : trimmed.split("\n").map((line) => line.trimEnd());
}

/** The lines up to the next that stands for lines left out. */
function endOfRun(wanted: readonly string[], start: number): number {
  const found = wanted.findIndex((line, index) => index >= start && line.trim() === "…");
  return found < 0 ? wanted.length : found;
}

interface Search {
  readonly next: number;
  readonly isLast: boolean;
}

/** Where the run stands in the output, at or after `next`, the last run at the end; -1 when nowhere. */
function findRun(run: readonly string[], lines: readonly string[], { next, isLast }: Search): number {
  const last = lines.length - run.length;
  for (let start = isLast ? Math.max(next, last) : next; start <= last; start++)
    if (differing(run, lines, start) === undefined) return start;
  return -1;
}

function differing(run: readonly string[], lines: readonly string[], start: number) {
  const [wanted, found] = [run, lines.slice(start, start + run.length)].map(inAnyOrder);
  const index = wanted?.findIndex((line, offset) => !isLine(line, found?.[offset])) ?? -1;
  return index < 0 ? undefined : { index, expected: wanted?.[index] ?? "", got: found?.[index] ?? "(the output ends)" };
}

/** Objects are written at the same time: whichever is done first is told first. */
const writtenObject = /^(?:created|updated|deleted|replaced) .* \(\d+(?:\.\d+)? s\)$/;

/** Lines in which neighbours that tell of written objects have one order. */
function inAnyOrder(lines: readonly string[]): readonly string[] {
  const ordered: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = lines.findIndex((line, index) => index >= at && !writtenObject.test(line));
    const told = lines.slice(at, end < 0 ? lines.length : Math.max(end, at + 1));
    ordered.push(...told.toSorted());
    at += told.length;
  }
  return ordered;
}

/** Of a run that stands nowhere, the longest beginning that does, and what follows it. */
function closest(run: readonly string[], lines: readonly string[], next: number) {
  const [first = "", last = ""] = [run[0], run.at(-1)];
  let best = { index: 0, expected: first, got: `no such line in:\n${lines.slice(next).join("\n")}` };
  const isElsewhere = { index: run.length - 1, expected: last, got: "it, but not at the end" };
  for (let start = next; start < lines.length; start++) {
    const wrong = differing(run, lines, start) ?? isElsewhere;
    if (wrong.index > best.index) best = wrong;
  }
  return best;
}

function isLine(pattern: string, line: string | undefined): boolean {
  if (line === undefined) return false;
  const [left, right] = [steady(pattern), steady(line)];
  if (!left.includes("…")) return left === right;
  const parts = left.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(right);
}

/** What differs from run to run: times, durations, fingerprints, process ids. */
function steady(line: string): string {
  return line
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, "<time>")
    .replace(/\d{4}-\d\d-\d\d/g, "<day>")
    .replace(/\b\d+(\.\d+)? (m?s)\b/g, "<duration>")
    .replace(/\b[0-9a-f-]{16,}\b/g, "<hex>")
    .replace(/\bpid \d+/g, "<pid>");
}
