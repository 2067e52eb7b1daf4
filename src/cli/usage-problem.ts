import type { Diagnostic } from "../model/diagnostic.ts";

/** Something wrong with the command line. */
export function usageProblem(summary: string, detail: string): Diagnostic {
  return { severity: "error", code: "LF9001", summary, detail };
}

/** A command or flag that is reserved. */
export function notBuilt(what: string): Diagnostic {
  return {
    severity: "error",
    code: "LF9003",
    summary: `${what} is not built yet`,
    detail: `${what} is reserved for a later version. Nothing was done`,
  };
}
