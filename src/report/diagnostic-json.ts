import type { Diagnostic } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";

/** A problem as the contract's JSON has it; absent members are left out. */
export function diagnosticJson(diagnostic: Diagnostic): JsonObject {
  const { severity, code, summary, detail, address, file, line, column } = diagnostic;
  const members: Readonly<Record<string, Json | undefined>> = {
    severity,
    code,
    summary,
    detail,
    address,
    file,
    line,
    column,
  };
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
