import type { Diagnostic } from "../model/diagnostic.ts";
import { errorOf } from "../model/diagnostic.ts";

/** Something wrong with the command line. */
export function usageProblem(summary: string, detail: string): Diagnostic {
  return errorOf("LF9001", summary, detail);
}
