import type { CallWatch } from "../../client/index.ts";
import type { Terminal } from "../terminal.ts";
import type { LiveLine } from "./live-line.ts";
import { startLiveLine } from "./live-line.ts";

/** Without an answer for so long, a person wants to know what is waited for. */
const patienceMs = 2_000;

/** Says on a live line what is waited for while the service does not answer, and which try it is; nothing where there is no such line. */
export function watchAnswers(terminal: Terminal, now: () => number = Date.now): CallWatch {
  const underWay = new Map<object, { readonly attempt: number; readonly tries: number }>();
  let line: LiveLine | undefined;
  let lastAnswer = now();
  terminal.overlay.unanswered = () => {
    const waited = now() - lastAnswer;
    const furthest = [...underWay.values()].reduce((a, b) => (b.attempt > a.attempt ? b : a), { attempt: 0, tries: 0 });
    if (furthest.attempt === 0 || waited < patienceMs) return undefined;
    return `waiting for the service (try ${furthest.attempt} of ${furthest.tries}) … ${(waited / 1000).toFixed(1)} s`;
  };
  return {
    trying(call, attempt, tries) {
      if (underWay.size === 0) lastAnswer = now();
      underWay.set(call, { attempt, tries });
      line ??= startLiveLine(terminal, () => undefined);
    },
    ended(call) {
      underWay.delete(call);
      lastAnswer = now();
      if (underWay.size > 0) return;
      line?.stop();
      line = undefined;
    },
  };
}
