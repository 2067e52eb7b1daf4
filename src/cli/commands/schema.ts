import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "../command.ts";
import { usageProblem } from "../usage-problem.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

const ending = ".schema.json";
const whole = "loadform";

/** `loadform schema`: the JSON Schema of a project, or of one kind, as it ships with the package. */
export const schema: Command = async ({ terminal, args, home, cwd }) => {
  const [kind] = args;
  const folder = new URL("schemas/", home);
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));
  const name = kind === undefined ? whole : names.find((each) => each === kind || `${each}s` === kind);
  if (name === undefined) {
    const known = names
      .filter((each) => each !== whole)
      .sort()
      .join(", ");
    const detail = `found ${JSON.stringify(kind)}; expected one of: ${known}`;
    printDiagnostics(terminal, [usageProblem("there is no such kind", detail)], cwd);
    return 1;
  }
  terminal.out(readFileSync(new URL(`${name}${ending}`, folder), "utf8"));
  return 0;
};
