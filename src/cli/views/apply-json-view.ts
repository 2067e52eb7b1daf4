import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlanOutcome } from "../../project.ts";
import {
  changeSummaryJson,
  diagnosticEventJson,
  eventJson,
  nothingDone,
  plannedChangeJson,
} from "../../report/events-json.ts";
import { redactDiagnostic, redactSecrets } from "../../report/redact.ts";
import type { CommandInput } from "../command.ts";
import type { ApplyView } from "./apply-view.ts";
import { printJsonLine } from "./json-output.ts";
import { secretsOf } from "./secrets-of.ts";

/** An apply as one JSON object per line; the last is always `change_summary`. */
export function applyJsonView({ terminal, env }: CommandInput): ApplyView {
  const told = new Set<string>();
  let redact = redactSecrets(env);
  let isPlanTold = false;
  const tellPlan = (outcome: PlanOutcome) => {
    redact = redactSecrets(env, secretsOf(outcome));
    for (const change of outcome.plan?.changes ?? []) printJsonLine(terminal, plannedChangeJson(change));
    isPlanTold = true;
  };
  return {
    plan: tellPlan,
    event(event) {
      const clean =
        "diagnostic" in event ? { ...event, diagnostic: redactDiagnostic(event.diagnostic, redact) } : event;
      if ("diagnostic" in clean) told.add(identityOf(clean.diagnostic));
      const line = eventJson(clean);
      if (line) printJsonLine(terminal, line);
    },
    end({ status, plan, counts }, diagnostics) {
      if (!isPlanTold && plan !== undefined && status === "blocked") tellPlan(plan);
      for (const diagnostic of diagnostics)
        if (!told.has(identityOf(diagnostic))) printJsonLine(terminal, diagnosticEventJson(diagnostic));
      printJsonLine(terminal, changeSummaryJson(counts ?? nothingDone));
    },
  };
}

/** A failure is told once: with its object, not again at the end. */
function identityOf({ code, address, summary, detail }: Diagnostic): string {
  return JSON.stringify([code, address, summary, detail]);
}
