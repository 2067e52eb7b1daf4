import { cleanLine } from "../../report/terminal-text.ts";
import type { RunProgress } from "../../run/follow-run.ts";
import type { RunRequest } from "../../run/run-gate.ts";
import type { Terminal } from "../terminal.ts";
import { verdictBar } from "./progress-text.ts";

/** The live block of runs under way on a terminal, and a line every 30 s elsewhere. */
export interface RunView {
  readonly started: (request: RunRequest, id: number) => void;
  readonly progress: (request: RunRequest, progress: RunProgress) => void;
  readonly stop: () => void;
}

const everyMs = 500;
const lineEverySecs = 30;

/** Shows runs while they are followed. */
export function watchRuns(terminal: Terminal): RunView {
  const under = new Map<RunRequest, RunProgress>();
  const told = new Map<RunRequest, number>();
  let drawn = 0;
  const clear = () => {
    if (drawn > 0) terminal.err(`\r\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const draw = () => {
    const lines = [...under].flatMap(([{ gate }, progress]) =>
      verdictBar(gate.name ?? gate.address, progress, terminal.errPalette),
    );
    if (lines.length === 0) return;
    const text = lines.map((line) => `${line.slice(0, Math.max(20, terminal.width - 1))}\n`).join("");
    // One write: nothing is seen between the old block and the new one.
    terminal.err(`${drawn > 0 ? `\r\u001b[${drawn}A\u001b[0J` : ""}${text}`);
    drawn = lines.length;
  };
  const timer = terminal.isLive ? setInterval(draw, everyMs) : undefined;
  timer?.unref();
  const note = (line: string) => {
    clear();
    terminal.note(`${cleanLine(line)}\n`);
  };
  return {
    started: ({ gate }, id) => note(`${gate.name ?? gate.address}: run ${id} of ${gate.address} was started`),
    progress(request, progress) {
      under.set(request, progress);
      if (progress.state.completed) under.delete(request);
      if (terminal.isLive) return;
      const last = told.get(request) ?? 0;
      if (progress.elapsedSecs - last < lineEverySecs) return;
      told.set(request, progress.elapsedSecs);
      const { gate } = request;
      note(verdictBar(gate.name ?? gate.address, progress, terminal.errPalette).join("  "));
    },
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}
