import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import type { CommandInput } from "../command.ts";
import { redactSecrets } from "./redact-output.ts";
import { reportRefusal } from "./report-refusal.ts";

/** Reports something that no command expected. The stack is shown with LOADFORM_LOG=debug only. */
export function reportDefect({ terminal, argv, env, log, spec }: CommandInput, thrown: unknown): ExitCode {
  const redact = redactSecrets(env);
  const words = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const diagnostic: Diagnostic = {
    severity: "error",
    code: "LF9002",
    summary: `loadform ${spec.name} stumbled over a defect of its own`,
    detail: redact(`found ${words}. Please report it with the output of: LOADFORM_LOG=debug loadform ${spec.name}`),
  };
  if (log && thrown instanceof Error) log(redact(thrown.stack ?? words));
  return reportRefusal(terminal, argv, [diagnostic]);
}
