import { resolve } from "node:path";
import type { ImportOutcome } from "../../import/import-files.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { importForTerraform } from "../../project/import-for-terraform.ts";
import { importProject, objectNamed } from "../../project/import-project.ts";
import { type Command, type CommandInput, choosingFlags, projectFlags } from "../command.ts";
import { exitOfImport } from "../exit-of.ts";
import { usageProblem } from "../flag-table.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { showImport } from "../views/show-import.ts";
import { schemaFrom } from "./init.ts";

/** `loadform import`: writes live objects into the project and binds them. */
export const importObjects: Command = async (input) => {
  const { flags, terminal, args, argv, env, cwd, interrupt } = input;
  const [dir = "."] = args;
  const { dryRun = false } = flags;
  const chosen = chosenIn(flags);
  if ("problem" in chosen) return reportRefusal(terminal, argv, [chosen.problem]);
  const waiting = startWaiting(terminal, "reading the service");
  const { format } = chosen;
  const { signal, takeOver } = interrupt;
  const lockTimeoutSecs = flags.lockTimeout ?? 0;
  const asked = { ...projectFlags(input, dir), dryRun, signal };
  const schemaFile = format === "terraform" ? undefined : await schemaFrom(resolve(cwd, dir), input.home);
  const imported =
    chosen.format === "terraform"
      ? forTerraform(input, { ...asked, wanted: chosen.wanted })
      : importProject({ ...asked, ...chosen, schemaFile, takeOver, lockTimeoutSecs }, systemOf(input));
  const outcome = await imported.finally(waiting.stop);
  const diagnostics = withoutSecrets(outcome.diagnostics, undefined, env);
  if (flags.json) printJson(terminal, withDiagnostics(importDocument(outcome), diagnostics));
  else
    showImport(terminal, outcome, { diagnostics, root: resolve(cwd, dir), dir, chosen: choosingFlags(input), format });
  return exitOfImport(outcome.status, diagnostics, interrupt.code());
};

/** The code for Terraform is loaded only when it is used. */
async function forTerraform(input: CommandInput, asked: Parameters<typeof importForTerraform>[0]) {
  const [{ importForTerraform }, { planWithTerraform }] = await Promise.all([
    import("../../project/import-for-terraform.ts"),
    import("../plan-with-terraform.ts"),
  ]);
  input.interrupt.takeOver();
  return importForTerraform(asked, planWithTerraform(input.env, asked.signal), systemOf(input));
}

type Chosen =
  | Pick<Parameters<typeof importProject>[0], "wanted" | "format">
  | { readonly format: "terraform"; readonly wanted: Parameters<typeof importForTerraform>[0]["wanted"] }
  | { readonly problem: Diagnostic };

/** The choice of objects, made in exactly one of the three ways. */
function chosenIn({
  all = false,
  testCase = [],
  object = [],
  importFormat: format = "yaml",
}: CommandInput["flags"]): Chosen {
  const given = [
    ...(all ? ["--all"] : []),
    ...(testCase.length > 0 ? ["--test-case"] : []),
    ...(object.length === 0 ? [] : ["--object"]),
  ];
  if (given.length !== 1)
    return unclearChoice(given.length === 0 ? "" : `Only one of these is possible: ${given.join(" and ")}. `);
  const [only, ...others] = object;
  if (only === undefined) return { format, wanted: all ? "all" : testCase };
  if (format === "terraform")
    return unclearChoice("--format terraform writes whole test cases, so it cannot be combined with --object. ");
  if (others.length > 0) return unclearChoice(`--object takes one object, and these are ${object.join(", ")}. `);
  const read = objectNamed(only);
  return "problem" in read ? read : { format, wanted: read };
}

function unclearChoice(why: string): { readonly problem: Diagnostic } {
  const detail = `${why}Pass one of --all, --test-case NAME|ID|GLOB and --object KIND/ID`;
  return { problem: usageProblem("say what to import", detail) };
}

function importDocument({ status, dryRun, files, objects, environment, requests }: ImportOutcome): JsonObject {
  return {
    status,
    ...(dryRun && { dryRun }),
    files: [...files],
    objects: objects.map(({ address, kind, id }) => ({ address, kind, id })),
    environment: environment.map(({ name, address, path }) => ({ name, address, path })),
    requests,
  };
}
