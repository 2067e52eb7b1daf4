import { posix, resolve } from "node:path";
import { formatProject } from "../../project.ts";
import type { Command } from "../command.ts";
import { anyError } from "../exit-of.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { worldOf } from "../world-of.ts";

/** `loadform fmt`: canonical YAML, comments kept; lists the files. With --check it writes nothing and exits 1 when it would. */
export const fmt: Command = async (input) => {
  const { terminal, flags, args, cwd } = input;
  const [dir = "."] = args;
  const check = flags.check ?? false;
  const { changed, diagnostics } = await formatProject({ dir, check }, worldOf(input));
  for (const file of changed) terminal.out(`${posix.join(dir, file)}\n`);
  printDiagnostics(terminal, diagnostics, resolve(cwd, dir));
  if (anyError(diagnostics)) return 1;
  return check && changed.length > 0 ? 1 : 0;
};
