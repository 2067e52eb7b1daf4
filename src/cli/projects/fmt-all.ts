import { posix } from "node:path";
import { hasErrors } from "../../model/diagnostic.ts";
import { formatProject } from "../../project/format-project.ts";
import { type ProjectRow, projectsSentence, projectsTable } from "../../report/projects/projects-table.ts";
import type { Command } from "../command.ts";
import { exitOfAll } from "../exit-of.ts";
import { systemOf } from "../system-of.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { chooseFolders } from "./choose-folders.ts";
import { problemPrinter } from "./project-output.ts";

/** `loadform fmt` of several projects: the files on stdout, the table on stderr. */
export const fmtAll: Command = async (input) => {
  const { terminal, flags, argv, cwd } = input;
  const { dirs, diagnostics } = await chooseFolders(input, { isYaml: true });
  if (diagnostics.length > 0) return reportRefusal(terminal, argv, diagnostics);
  const check = flags.check ?? false;
  const printProblems = problemPrinter(terminal, cwd);
  const rows: ProjectRow[] = [];
  for (const dir of dirs) {
    const { changed, diagnostics: problems } = await formatProject({ dir, check }, systemOf(input));
    for (const file of changed) terminal.out(`${posix.join(dir, file)}\n`);
    printProblems({ dir }, problems);
    rows.push(formattedRow(dir, { changed: changed.length, isWrong: hasErrors(problems), check }));
  }
  terminal.note(projectsTable(rows, { columns: ["Files"], always: ["Files"], palette: terminal.errPalette }));
  terminal.note(`${projectsSentence(rows)}\n`);
  return exitOfAll(rows.map(({ result }) => (result === "failed" || result === "to format" ? 1 : 0)));
};

function formattedRow(
  dir: string,
  { changed, isWrong, check }: { readonly changed: number; readonly isWrong: boolean; readonly check: boolean },
): ProjectRow {
  const head = { dir, counts: [changed] };
  if (isWrong) return { ...head, result: "failed", mood: "stopped" };
  if (changed === 0) return { ...head, result: "canonical", mood: "done" };
  return { ...head, result: check ? "to format" : "formatted", mood: "changed" };
}
