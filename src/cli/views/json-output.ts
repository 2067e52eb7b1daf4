import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { diagnosticJson } from "../../report/plan-json.ts";
import type { Terminal } from "../terminal.ts";

/** Prints the one JSON document of a command. */
export function printJson(terminal: Terminal, document: Json): void {
  terminal.out(`${JSON.stringify(document, undefined, 2)}\n`);
}

/** Prints one line of a command that prints several. */
export function printJsonLine(terminal: Terminal, object: JsonObject): void {
  terminal.out(`${JSON.stringify(object)}\n`);
}

/** A document with the problems in it. */
export function withDiagnostics(document: JsonObject, diagnostics: readonly Diagnostic[]): JsonObject {
  return { ...document, diagnostics: diagnostics.map(diagnosticJson) };
}
