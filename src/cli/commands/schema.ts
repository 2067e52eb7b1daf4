import { readdirSync, readFileSync } from "node:fs";
import type { Command } from "../command.ts";
import { usageProblem } from "../usage-problem.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

const ending = ".schema.json";
const whole = "loadform";

/** `loadform schema`: the JSON Schema of a project, or of one kind, as it ships with the package. */
export const schema: Command = async ({ terminal, args, home, cwd }) => {
  const [kind] = args;
  const names = schemaNames(home);
  const name = kind === undefined ? whole : names.find((each) => each === kind || `${each}s` === kind);
  if (name === undefined) {
    const detail = `${JSON.stringify(kind)} is not one of ${names.join(", ")}`;
    printDiagnostics(terminal, [usageProblem("there is no such kind", detail)], cwd);
    return 1;
  }
  terminal.out(readFileSync(new URL(`${name}${ending}`, schemaFolder(home)), "utf8"));
  return 0;
};

/** The kinds that have a schema. */
export function schemaNames(home: URL): readonly string[] {
  return readdirSync(schemaFolder(home))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((name) => name !== whole)
    .sort();
}

function schemaFolder(home: URL): URL {
  return new URL("schemas/", home);
}
