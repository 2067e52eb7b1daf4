import { resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { type StateCommand, stateCommand } from "../../project/state-commands.ts";
import { shellWord } from "../../report/terminal-text.ts";
import { isFile, isFolder } from "../../workspace/path-exists.ts";
import { type Command, type CommandInput, projectFlags } from "../command.ts";
import { usageProblem } from "../flag-table.ts";
import { systemOf } from "../system-of.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";

/** `loadform state …`: looks into the state and mends it. */
export const state: Command = async (input) => {
  const { spec, terminal, flags, env, cwd } = input;
  const verb = (spec.name.split(" ")[1] ?? "list") as StateCommand["verb"];
  const { args, dir } = await splitArguments(input, verb);
  const misplaced = verb === "push" && dir !== undefined && (await isFile(resolve(cwd, dir)));
  if (misplaced) return reportRefusal(terminal, input.argv, [notByName(dir)]);
  const text = verb === "push" ? { input: await terminal.readInput() } : {};
  const command: StateCommand = { verb, args, ...text, lockTimeoutSecs: flags.lockTimeout ?? 0 };
  const outcome = await stateCommand(projectFlags(input, dir), systemOf(input), command);
  const diagnostics = withoutSecrets(outcome.diagnostics, undefined, env);
  const isDone = outcome.status === "done" && !hasErrors(diagnostics);
  if (flags.json) printJson(terminal, stateDocument(verb, isDone ? outcome.output : {}, diagnostics));
  else {
    printDiagnostics(terminal, diagnostics, resolve(cwd, dir ?? "."));
    if (outcome.text !== "") terminal.out(`${outcome.text}\n`);
  }
  if (outcome.status === "locked") return 4;
  return isDone ? 0 : 1;
};

/** The result with the problems in it; a pulled state without problems is printed unchanged, so that it can be pushed back. */
function stateDocument(verb: StateCommand["verb"], output: Json, diagnostics: readonly Diagnostic[]): JsonObject {
  const document = Array.isArray(output) ? { addresses: output } : (output as JsonObject);
  return verb === "pull" && diagnostics.length === 0 ? document : withDiagnostics(document, diagnostics);
}

function notByName(file: string): Diagnostic {
  const detail = `${file} is a file, but state push takes the folder of a project. To push the file: loadform state push < ${shellWord(file)}`;
  return usageProblem("state push reads the state from stdin", detail);
}

/** `unlock` may leave its id out, so a lone argument that is a folder is the folder; to `push`, a dash is stdin, as usual. */
async function splitArguments(
  { args, cwd, spec }: CommandInput,
  verb: StateCommand["verb"],
): Promise<{ readonly args: readonly string[]; readonly dir: string | undefined }> {
  const [only] = args;
  if (verb === "push" && only === "-") return { args: [], dir: undefined };
  // The folder comes last.
  const count = (spec.args ?? "").split(" ").length - 1;
  const isLone = verb === "unlock" && args.length === 1 && only !== undefined && (await isFolder(resolve(cwd, only)));
  return isLone ? { args: [], dir: only } : { args: args.slice(0, count), dir: args[count] };
}
