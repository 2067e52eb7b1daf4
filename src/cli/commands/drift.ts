import { resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { type DriftOutcome, driftProject } from "../../project/drift-project.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import { driftDocument } from "../../report/drift-json.ts";
import { driftMarkdown } from "../../report/drift-markdown.ts";
import { acceptedText, driftText, type WaysOut } from "../../report/drift-text.ts";
import type { MarkdownOptions } from "../../report/markdown-report.ts";
import { shellLine } from "../../report/terminal-text.ts";
import { type Command, type CommandInput, choosingFlags, projectFlags, reportIdentity } from "../command.ts";
import { exitOfDrift } from "../exit-of.ts";
import { saveReports } from "../save-file.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { linesToShow, printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets, withoutSecretValues } from "../views/redact-output.ts";

/** `loadform drift`: live against last applied and declared. Exit 1 outranks 3, which outranks 2. */
export const drift: Command = async (input) => {
  const { flags, terminal, args, cwd, env } = input;
  const [dir] = args;
  const system = systemOf(input);
  const waiting = startWaiting(terminal, "reading the service");
  const asked = {
    ...projectFlags(input, dir),
    showUnmanaged: flags.showUnmanaged ?? false,
    failOnUnmanaged: flags.failOnUnmanaged ?? false,
    accept: flags.accept ?? [],
    takeOver: input.interrupt.takeOver,
  };
  const outcome = await driftProject(asked, system).finally(waiting.stop);
  const problems = withoutSecrets([...outcome.diagnostics, ...outcome.blocked], outcome.planned, env);
  // Also when nothing could be compared: they say why.
  const unsaved = await saveReports(input, {
    markdown: () => driftMarkdownOf(input, { ...outcome, problems }),
    async page() {
      const { driftPage } = await import("../pages/drift-pages.ts");
      return driftPage(input, { ...outcome, problems, waysOut: waysOutOf(input) }, system);
    },
  });
  const all = [...problems, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics(driftDocumentOf(outcome, system.now()) ?? {}, all));
  else {
    if (!hasErrors(problems)) showDrift(input, outcome);
    printDiagnostics(terminal, all, resolve(cwd, dir ?? "."));
  }
  return hasErrors(unsaved) ? 1 : exitOfDrift(outcome);
};

/** Prints drift for a person. */
export function showDrift(input: CommandInput, { drift, planned, accepted }: DriftOutcome): void {
  const { terminal } = input;
  if (drift === undefined) return;
  const waysOut = waysOutOf(input);
  if (accepted) terminal.out(`${acceptedText(accepted, waysOut.putBack())}\n`);
  const { requests, contents } = planned;
  const redact = redactSecrets({}, secretHolders(planned));
  terminal.out(redact(driftText(drift, { palette: terminal.outPalette, requests, contents, waysOut })));
}

/** The document of `drift --json`, but for its problems; undefined when nothing could be compared. */
export function driftDocumentOf({ drift, planned, accepted }: DriftOutcome, now: number): JsonObject | undefined {
  if (drift === undefined) return undefined;
  const { requests } = planned;
  const document = driftDocument(drift, { createdAt: new Date(now).toISOString(), requests, diagnostics: [] });
  const shown = withoutSecretValues(document, redactSecrets({}, secretHolders(planned)));
  return accepted === undefined ? shown : { ...shown, accepted: { ...accepted } };
}

/** The report for an issue. Its readers are unknown, so it is searched once more for every known secret. */
export function driftMarkdownOf(
  input: CommandInput,
  { drift, planned, problems }: Pick<DriftOutcome, "drift" | "planned"> & { readonly problems: readonly Diagnostic[] },
  section?: MarkdownOptions["section"],
): string {
  const { args, cwd, env } = input;
  const root = resolve(cwd, args[0] ?? ".");
  const text = driftMarkdown(drift, {
    contents: planned.contents,
    identity: reportIdentity(input),
    problems,
    lineOf: linesToShow(problems, root),
    waysOut: waysOutOf(input),
    ...(section && { section }),
  });
  return redactSecrets(env, secretHolders(planned))(text);
}

/** Both ways out as commands on the same project and environment. */
export function waysOutOf(input: CommandInput): WaysOut {
  const place = [...input.args, ...choosingFlags(input)];
  return {
    putBack: (address) =>
      shellLine(["loadform", "apply", ...place, ...(address === undefined ? [] : ["--target", address])]),
    declare: shellLine(["loadform", "import", ...place, "--all"]),
    accept: (address) => shellLine(["loadform", "drift", ...place, "--accept", address]),
  };
}
