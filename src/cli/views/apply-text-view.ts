import type { ApplyEvent } from "../../apply/events.ts";
import type { Plan } from "../../plan/plan.ts";
import { actionInProgress, countsText, elapsedText, eventText } from "../../report/events-text.ts";
import type { CommandInput } from "../command.ts";
import type { ApplyView } from "./apply-view.ts";
import type { LiveLine } from "./live-line.ts";
import { startLiveLine, startWaiting } from "./live-line.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { showPlan } from "./show-plan.ts";

/** An apply for people: the plan, a line for each object (a live one on a terminal), the problems, the counts. */
export function applyTextView({ terminal }: CommandInput, root: string): ApplyView {
  let isPlanShown = false;
  const tracker = trackProgress();
  let line: LiveLine | undefined = startWaiting(terminal, "reading the service");
  const stop = () => {
    line?.stop();
    line = undefined;
  };
  return {
    plan(outcome) {
      stop();
      showPlan(terminal, outcome);
      isPlanShown = true;
      tracker.expect(outcome.plan);
    },
    event(event) {
      tracker.see(event);
      line ??= startLiveLine(terminal, tracker.text);
      const text = eventText(event, terminal.errPalette);
      if (text !== undefined && event.type !== "apply_start") line.print(text);
    },
    end({ status, counts, plan }, diagnostics) {
      stop();
      const isPlanUsable = plan !== undefined && status !== "failed" && status !== "stale";
      if (isPlanUsable && !isPlanShown) showPlan(terminal, plan);
      printDiagnostics(terminal, diagnostics, root);
      if (status === "nothing" && plan === undefined) terminal.out("No changes: the saved plan had nothing to do.\n");
      if (status === "blocked") terminal.err("Blocked: nothing was written.\n");
      if (counts && status !== "nothing") terminal.out(`${countsText(counts, plan?.plan?.summary)}\n`);
    },
  };
}

interface Progress {
  readonly expect: (plan: Plan | undefined) => void;
  readonly see: (event: ApplyEvent) => void;
  /** What the live line says; undefined until something has started. */
  readonly text: () => string | undefined;
}

function trackProgress(): Progress {
  const running = new Map<string, string>();
  let total = 0;
  let ended = 0;
  let startedAt: number | undefined;
  return {
    expect(plan) {
      total = plan?.changes.filter(({ action }) => action !== "no-op" && action !== "forget").length ?? 0;
    },
    see(event) {
      startedAt ??= Date.now();
      if (event.type === "diagnostic") return;
      if (event.type === "apply_start") {
        running.set(event.address, actionInProgress(event.action, event.address));
        return;
      }
      running.delete(event.address);
      ended += 1;
    },
    text() {
      if (startedAt === undefined) return undefined;
      return `${ended}/${total} · ${elapsedText(Date.now() - startedAt)} · ${[...running.values()].join(", ")}`;
    },
  };
}
