import type { Diagnostic } from "../model/diagnostic.ts";

/** Something wrong with the command line. */
export function usageProblem(summary: string, detail: string): Diagnostic {
  return { severity: "error", code: "LF9001", summary, detail };
}
