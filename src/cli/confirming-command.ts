import { shellLine } from "../report/shell-line.ts";

/** The command line that does the same without asking, ready to be pasted into a shell. */
export function confirmingCommand(argv: readonly string[]): string {
  const end = argv.indexOf("--");
  const cut = end < 0 ? argv.length : end;
  return shellLine(["loadform", ...argv.slice(0, cut), "--auto-approve", ...argv.slice(cut)]);
}
