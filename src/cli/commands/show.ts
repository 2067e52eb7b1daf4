import { dirname, resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { showSaved } from "../../project/saved/apply-saved.ts";
import { cleanText } from "../../report/terminal-text.ts";
import type { Command } from "../command.ts";
import { saveReports } from "../save-file.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

/** `loadform show`: a saved plan as `loadform plan` showed it when it was saved. */
export const show: Command = async (input) => {
  const { args, cwd, flags, terminal } = input;
  const [file = ""] = args;
  const { document, shown, diagnostics: refused } = await showSaved(file, { cwd });
  // They were saved with the plan: nothing is read or planned anew.
  const saved = shown && {
    markdown: () => shown.markdown,
    page: async () => (await import("../pages/plan-pages.ts")).unpackPage(shown.page),
  };
  const unsaved = saved ? await saveReports(input, saved) : [];
  const planned = (document?.["diagnostics"] ?? []) as unknown as readonly Diagnostic[];
  const all = [...planned, ...refused, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics(document ?? {}, all));
  else {
    terminal.out(cleanText(shown?.text ?? ""));
    printDiagnostics(terminal, all, dirname(resolve(cwd, file)));
  }
  return hasErrors([...refused, ...unsaved]) ? 1 : 0;
};
