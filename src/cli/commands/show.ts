import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import { showSaved } from "../../project/apply-saved.ts";
import type { ShownPlan } from "../../project/saved-plan.ts";
import { cleanText } from "../../report/terminal-text.ts";
import type { Command } from "../command.ts";
import type { AskedFile } from "../save-file.ts";
import { saveFile } from "../save-file.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

/** `loadform show`: a saved plan as `loadform plan` showed it when it was saved. */
export const show: Command = async ({ args, cwd, flags, terminal }) => {
  const [file = ""] = args;
  const { document, shown, diagnostics: refused } = await showSaved(file, { cwd });
  const report = { what: "the report", file: flags.markdown ?? "", cwd };
  const unsaved = [
    ...(flags.markdown === undefined || !shown ? [] : await saveFile(report, shown.markdown)),
    ...(flags.html === undefined || !shown ? [] : await savePage(shown, { file: flags.html, cwd })),
  ];
  const planned = (document?.["diagnostics"] ?? []) as unknown as readonly Diagnostic[];
  const all = [...planned, ...refused, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics(document ?? {}, all));
  else {
    terminal.out(cleanText(shown?.text ?? ""));
    printDiagnostics(terminal, all, dirname(resolve(cwd, file)));
  }
  return hasErrors([...refused, ...unsaved]) ? 1 : 0;
};

/** Writes the page that was saved with the plan: nothing is read or planned anew. */
async function savePage({ page }: ShownPlan, asked: Omit<AskedFile, "what">): Promise<readonly Diagnostic[]> {
  const { unpackPage } = await import("../pages/plan-pages.ts");
  return saveFile({ ...asked, what: "the page" }, unpackPage(page));
}
