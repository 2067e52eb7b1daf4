import type { ApplyEvent } from "../../apply/events.ts";
import { type Diagnostic, redactDiagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Redact } from "../../model/redact.ts";
import type { Plan } from "../../plan/plan.ts";
import type { ApplyOutcome } from "../../project/apply-project.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";
import {
  changeSummaryJson,
  diagnosticEventJson,
  eventJson,
  nothingDone,
  plannedChangeJson,
} from "../../report/events-json.ts";
import { actionInProgress, countsText, elapsedText, eventText, notAttemptedLines } from "../../report/events-text.ts";
import type { CommandInput } from "../command.ts";
import { printJsonLine } from "./json-output.ts";
import { type LiveLine, startLiveLine, startWaiting } from "./live-line.ts";
import { printDiagnostics } from "./print-diagnostics.ts";
import { redactedJson, withoutSecretValues } from "./redact-output.ts";
import { showPlan } from "./show-plan.ts";

/** The view of an apply: for people, or as one JSON object per line. */
export interface ApplyView {
  /** The plan, before anything is done or asked. */
  readonly plan: (outcome: PlanOutcome) => void;
  readonly event: (event: ApplyEvent) => void;
  /** Shows the result; `diagnostics` are all problems, without secrets. */
  readonly end: (outcome: ApplyOutcome, diagnostics: readonly Diagnostic[]) => void;
}

/** One of several projects. */
export interface OneApplied {
  /** Members of its lines of JSON beside those of the event. */
  readonly members: JsonObject;
  /** Takes the secrets of all projects out of a text. */
  readonly redact: Redact;
  /** The plan that was shown before, with the others. */
  readonly shown: PlanOutcome | undefined;
}

/** The view that the flags ask for; `root` is the project's folder. */
export function applyView(input: CommandInput, root: string, one?: OneApplied): ApplyView {
  return input.flags.json ? applyJsonView(input, one) : applyTextView(input, root, one?.shown);
}

/** An apply as one JSON object per line; the last is always `change_summary`. */
function applyJsonView({ terminal, env }: CommandInput, one?: OneApplied): ApplyView {
  const print = (line: JsonObject) =>
    printJsonLine(terminal, one ? (redactedJson({ ...line, ...one.members }, one.redact) as JsonObject) : line);
  const printed = new Set<string>();
  let redact = redactSecrets(env);
  let isPlanPrinted = false;
  const printPlan = (outcome: PlanOutcome) => {
    redact = redactSecrets(env, secretHolders(outcome));
    for (const change of outcome.plan?.changes ?? []) print(withoutSecretValues(plannedChangeJson(change), redact));
    isPlanPrinted = true;
  };
  return {
    plan: printPlan,
    event(event) {
      const clean =
        "diagnostic" in event ? { ...event, diagnostic: redactDiagnostic(event.diagnostic, redact) } : event;
      if ("diagnostic" in clean) printed.add(failureKey(clean.diagnostic));
      const line = eventJson(clean);
      if (line) print(line);
    },
    end({ status, plan, counts }, diagnostics) {
      if (!isPlanPrinted && plan !== undefined && status === "blocked") printPlan(plan);
      for (const diagnostic of diagnostics)
        if (!printed.has(failureKey(diagnostic))) print(diagnosticEventJson(diagnostic));
      print(changeSummaryJson(counts ?? nothingDone));
    },
  };
}

/** A failure is printed once: with its object, not again at the end. */
function failureKey({ code, address, summary, detail }: Diagnostic): string {
  return JSON.stringify([code, address, summary, detail]);
}

/** An apply for people: the plan, a line for each object (a live one on a terminal), the problems, the counts. */
function applyTextView({ terminal }: CommandInput, root: string, shown?: PlanOutcome): ApplyView {
  let isPlanShown = shown !== undefined;
  const tracker = trackProgress();
  tracker.expect(shown?.plan);
  const skipped: Extract<ApplyEvent, { type: "not_attempted" }>[] = [];
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
      if (event.type === "not_attempted") skipped.push(event);
      line ??= startLiveLine(terminal, tracker.text);
      const text = eventText(event, terminal.errPalette);
      if (text !== undefined && event.type !== "apply_start") line.print(text);
    },
    end({ status, counts, plan }, diagnostics) {
      stop();
      for (const told of notAttemptedLines(skipped, terminal.errPalette)) terminal.note(`${told}\n`);
      const isPlanUsable = plan !== undefined && status !== "failed" && status !== "stale";
      if (isPlanUsable && !isPlanShown) showPlan(terminal, plan);
      printDiagnostics(terminal, diagnostics, root);
      if (status === "nothing" && plan === undefined)
        terminal.out(`${terminal.outPalette.bold("No changes:")} the saved plan had nothing to do.\n`);
      if (status === "blocked") terminal.err(`${terminal.errPalette.bold("Blocked:")} nothing was written.\n`);
      if (counts && status !== "nothing") terminal.out(`${countsText(counts, plan?.plan)}\n`);
    },
  };
}

function trackProgress() {
  const running = new Map<string, string>();
  let total = 0;
  let ended = 0;
  let startedAt: number | undefined;
  return {
    expect(plan: Plan | undefined) {
      total = plan?.changes.filter(({ action }) => action !== "no-op" && action !== "forget").length ?? 0;
    },
    see(event: ApplyEvent) {
      startedAt ??= Date.now();
      if (event.type === "diagnostic") return;
      if (event.type === "apply_start") {
        running.set(event.address, actionInProgress(event.action, event.address));
        return;
      }
      running.delete(event.address);
      ended += 1;
    },
    /** The live line; undefined until something has started. */
    text() {
      if (startedAt === undefined) return undefined;
      return `${ended}/${total} · ${elapsedText(Date.now() - startedAt)} · ${[...running.values()].join(", ")}`;
    },
  };
}
