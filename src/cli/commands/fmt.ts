import { posix, resolve } from "node:path";
import { hasErrors } from "../../model/diagnostic.ts";
import { formatProject } from "../../project/format-project.ts";
import type { Command } from "../command.ts";
import { systemOf } from "../system-of.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

/** `loadform fmt`: canonical YAML, with its comments; lists the files. With --check it writes nothing and exits 1 when it would. */
export const fmt: Command = async (input) => {
  const { terminal, flags, args, cwd } = input;
  const [dir = "."] = args;
  const check = flags.check ?? false;
  const { changed, diagnostics } = await formatProject({ dir, check }, systemOf(input));
  for (const file of changed) terminal.out(`${posix.join(dir, file)}\n`);
  printDiagnostics(terminal, diagnostics, resolve(cwd, dir));
  if (hasErrors(diagnostics)) return 1;
  return check && changed.length > 0 ? 1 : 0;
};
