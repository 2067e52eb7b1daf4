import { resolve } from "node:path";
import { hasErrors } from "../../model/diagnostic.ts";
import { takeSnapshot } from "../../project/snapshots/take-snapshot.ts";
import { counted } from "../../report/terminal-text.ts";
import { type Command, projectFlags } from "../command.ts";
import { usageProblem } from "../flag-table.ts";
import { saveFile } from "../save-file.ts";
import { systemOf } from "../system-of.ts";
import { startWaiting } from "../views/live-line.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";

/** `loadform snapshot`: writes the live tree and the bindings into a file that `plan --against` needs no key for. */
export const snapshot: Command = async (input) => {
  const { terminal, flags, args, argv, env, cwd } = input;
  const [dir] = args;
  const file = flags.out;
  if (file === undefined)
    return reportRefusal(terminal, argv, [
      usageProblem("--out is missing", "Name the file to write, as in: loadform snapshot --out snapshot.json"),
    ]);
  const waiting = startWaiting(terminal, "reading the service");
  const asked = { ...projectFlags(input, dir), withContents: flags.withContents ?? false };
  const taken = await takeSnapshot(asked, systemOf(input)).finally(waiting.stop);
  const unsaved = taken.text === undefined ? [] : await saveFile({ what: "the snapshot", file, cwd }, taken.text);
  const problems = [...taken.diagnostics, ...unsaved];
  printDiagnostics(terminal, withoutSecrets(problems, undefined, env), resolve(cwd, dir ?? "."));
  if (taken.counts === undefined || hasErrors(problems)) return 1;
  const { bound, others } = taken.counts;
  terminal.note(`Saved ${counted(bound, "bound object")} and ${counted(others, "other")} in ${file}\n`);
  return 0;
};
