import type { Terminal } from "../terminal.ts";

/** One line at the foot of a terminal that is written over and over. Nothing is written where there is none. */
export interface LiveLine {
  /** Prints a line for good, above the live one. */
  readonly print: (line: string) => void;
  readonly stop: () => void;
}

/** Erases the terminal's current line. */
export const clearLine = "\r\u001b[2K";

const everyMs = 100;

/** Starts a live line; `text` is asked again and again, undefined shows nothing. */
export function startLiveLine(terminal: Terminal, text: () => string | undefined): LiveLine {
  if (!terminal.isLive) return { print: (line) => terminal.note(`${line}\n`), stop: () => {} };
  let isShown = false;
  const clear = () => {
    if (isShown) terminal.err(clearLine);
    isShown = false;
  };
  const draw = () => {
    const line = terminal.overlay.text?.() ?? terminal.overlay.unanswered?.() ?? text();
    if (line === undefined) return;
    terminal.err(`${clearLine}${line.slice(0, Math.max(20, terminal.width - 1))}`);
    isShown = true;
  };
  const timer = setInterval(draw, everyMs);
  timer.unref();
  return {
    print(line) {
      clear();
      terminal.note(`${line}\n`);
      draw();
    },
    stop() {
      clearInterval(timer);
      clear();
    },
  };
}

/** A live line for one long step; it shows only when the step takes longer than a moment. */
export function startWaiting(terminal: Terminal, what: string): LiveLine {
  const startedAt = Date.now();
  return startLiveLine(terminal, () => {
    const elapsed = Date.now() - startedAt;
    return elapsed < 400 ? undefined : `${what} … ${(elapsed / 1000).toFixed(1)} s`;
  });
}
