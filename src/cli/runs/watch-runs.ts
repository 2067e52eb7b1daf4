import { stripVTControlCharacters } from "node:util";
import { valueText } from "../../report/runs/run-words.ts";
import { cleanLine, type Palette } from "../../report/terminal-text.ts";
import type { RunProgress } from "../../run/follow-run.ts";
import type { RunRequest } from "../../run/run-gate.ts";
import type { Terminal } from "../terminal.ts";

/** The live block of runs under way on a terminal, and a line every 30 s elsewhere. */
export interface RunView {
  readonly started: (request: RunRequest, id: number) => void;
  readonly progress: (request: RunRequest, progress: RunProgress) => void;
  readonly stop: () => void;
}

const everyMs = 500;
const lineEveryMs = 30_000;

/** Columns of a line on a terminal, colours not counted. */
function shownLength(line: string): number {
  return stripVTControlCharacters(line).length;
}

/** Shows runs while they are followed. */
export function watchRuns(terminal: Terminal, now: () => number = Date.now): RunView {
  const startedAt = now();
  const under = new Map<RunRequest, RunProgress>();
  const told = new Map<RunRequest, number>();
  let shown: readonly string[] = [];
  // What was drawn takes more rows once the terminal has become narrower.
  const erased = (): string => {
    const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(shownLength(line) / terminal.width)), 0);
    return rows === 0 ? "" : `\r\u001b[${rows}A\u001b[0J`;
  };
  const show = (lines: readonly string[]): void => {
    if (lines.join("\n") === shown.join("\n")) return;
    // One write: nothing is seen between the old block and the new one.
    terminal.err(`${erased()}${lines.map((line) => `${line}\n`).join("")}`);
    shown = lines;
  };
  const draw = () => {
    const style = { palette: terminal.errPalette, width: Math.max(20, terminal.width - 1) };
    show([...under].flatMap(([{ gate }, progress]) => progressLines(gate.name ?? gate.address, progress, style)));
  };
  const timer = terminal.isLive ? setInterval(draw, everyMs) : undefined;
  timer?.unref();
  const note = (line: string) => {
    show([]);
    terminal.note(`${cleanLine(line)}\n`);
  };
  return {
    started: ({ gate }, id) =>
      note(`${gate.name === undefined ? "" : `${gate.name}: `}run ${id} of ${gate.address} was started`),
    progress(request, progress) {
      under.set(request, progress);
      if (progress.state.completed) under.delete(request);
      if (terminal.isLive) return;
      // By the clock of whoever reads it: a simulated hour takes less than a second.
      const last = told.get(request) ?? startedAt;
      if (now() - last < lineEveryMs) return;
      told.set(request, now());
      const { gate } = request;
      const style = { palette: terminal.errPalette, width: 400 };
      note(
        progressLines(gate.name ?? gate.address, progress, style)
          .map((line) => line.trim())
          .join("; "),
      );
    },
    stop() {
      clearInterval(timer);
      show([]);
    },
  };
}

/** A run under way in two lines, and one for each of its KPIs: state, time, users, rate, percentiles, failures. */
function progressLines(
  name: string,
  { state, elapsedSecs, planned, interval, kpis, isOutOfReach }: RunProgress,
  { palette, width }: { readonly palette: Palette; readonly width: number },
): readonly string[] {
  const under = state.running ? "running" : state.startedAt === undefined ? "waiting" : "ending";
  const time = ` ${isOutOfReach ? "out of reach" : under}, ${Math.round(elapsedSecs)} s of ${planned.secs} s`;
  const figures =
    interval &&
    [
      `${plainNumber(interval.users)} users`,
      `${plainNumber(interval.requestsPerSec)} requests/s`,
      `p50 ${plainNumber(interval.p50)} ms`,
      `p95 ${plainNumber(interval.p95)} ms`,
      `failed ${plainNumber(interval.failedPercent)} %`,
    ].join(", ");
  const checks = kpis.map(({ expr, value, unit, ok }) => {
    const text = cleanLine(`${expr}: ${valueText(value, unit)}`, width - 4);
    return `  ${ok ? palette.green("✓") : palette.red("✗")} ${text}`;
  });
  const head = `${palette.bold(cleanLine(name, Math.max(8, width - time.length)))}${time}`;
  return [head, ...(figures ? [cleanLine(`  ${figures}`, width)] : []), ...checks];
}

function plainNumber(value: number | null): string {
  return value === null ? "–" : new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 }).format(value);
}
