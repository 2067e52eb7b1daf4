import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject } from "../../model/json.ts";
import { schemaOfProject } from "../../project/modules/yaml-project.ts";
import type { Command, CommandInput } from "../command.ts";
import { usageProblem } from "../flag-table.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

const ending = ".schema.json";
const whole = "loadform";

/** `loadform schema`: the JSON Schema of a project, of one kind, or of modules, as it ships with the package; or of one project with its modules. */
export const schema: Command = async (input) => {
  const { terminal, args, flags, home, cwd } = input;
  const [kind] = args;
  if (flags.project !== undefined) return printForProject(input, flags.project);
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

async function printForProject({ terminal, args, home, cwd }: CommandInput, dir: string): Promise<0 | 1> {
  const [kind] = args;
  const text = readFileSync(new URL(`${whole}${ending}`, schemaFolder(home)), "utf8");
  const made =
    kind === undefined
      ? await schemaOfProject(JSON.parse(text) as JsonObject, dir, { cwd })
      : {
          diagnostics: [
            usageProblem("--project is for the schema of a whole project", `Leave out ${kind}, or --project`),
          ],
        };
  printDiagnostics(terminal, made.diagnostics, resolve(cwd, dir));
  if (!("schema" in made)) return 1;
  terminal.out(`${JSON.stringify(made.schema, null, 2)}\n`);
  return 0;
}

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
