import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { validateProjects } from "../../project/several/validate-projects.ts";
import { projectsSentence, projectsTable } from "../../report/projects/projects-table.ts";
import { type Command, projectFlags } from "../command.ts";
import { exitOfAll, exitOfValidate } from "../exit-of.ts";
import { systemOf } from "../system-of.ts";
import { withDiagnostics } from "../views/json-output.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { chooseFolders } from "./choose-folders.ts";
import { printProjectsJson, problemPrinter, redactAll, redactedTerminal } from "./project-output.ts";

/** `loadform validate` of several projects. */
export const validateAll: Command = async (input) => {
  const { terminal, flags, argv, env, cwd } = input;
  const { dirs, diagnostics } = await chooseFolders(input);
  if (diagnostics.length > 0) return reportRefusal(terminal, argv, diagnostics);
  const { dir: _one, ...choices } = projectFlags(input, ".");
  const validated = await validateProjects(dirs, choices, systemOf(input));
  const found = validated.map(({ dir, outcome: { project, ...outcome } }) => {
    const problems: readonly Diagnostic[] = withoutSecrets(
      [...outcome.diagnostics, ...outcome.blocked],
      undefined,
      env,
    );
    return { dir, ...(project && { name: project }), ...outcome, problems, exit: exitOfValidate(outcome) };
  });
  const redact = redactAll(
    env,
    found.map(({ loaded }) => loaded),
  );
  if (flags.json) {
    const documents = found.map(({ dir, name, objects, problems, exit }) =>
      withDiagnostics({ dir, valid: exit === 0, ...(name && { project: name }), objects }, problems),
    );
    printProjectsJson(terminal, documents, redact);
  } else {
    const clean = redactedTerminal(terminal, redact);
    const printProblems = problemPrinter(clean, cwd);
    for (const { dir, name, problems } of found) printProblems({ dir, ...(name && { name }) }, problems);
    const rows = found.map(({ dir, name, objects, problems, exit }) => {
      const result =
        exit === 3 ? "blocked" : hasErrors(problems) ? "failed" : problems.length > 0 ? "with warnings" : "valid";
      return { dir, name, counts: [objects], result, mood: exit === 0 ? ("done" as const) : ("stopped" as const) };
    });
    clean.out(projectsTable(rows, { columns: ["Objects"], always: ["Objects"], palette: terminal.outPalette }));
    clean.out(`${projectsSentence(rows)}\n`);
  }
  return exitOfAll(found.map(({ exit }) => exit));
};
