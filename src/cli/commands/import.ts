import { resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ImportOutcome } from "../../project.ts";
import { importProject } from "../../project.ts";
import { cleanLine } from "../../report/clean-text.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import type { Command, CommandInput } from "../command.ts";
import { notBuilt, usageProblem } from "../usage-problem.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { cleaned } from "../views/show-plan.ts";
import { worldOf } from "../world-of.ts";

/** `loadform import`: writes live objects into the project and binds them. */
export const importObjects: Command = async (input) => {
  const { flags, terminal, args, argv, env, cwd, interrupt } = input;
  const [dir = "."] = args;
  const { importFormat: format = "yaml", all = false, testCase = [] } = flags;
  if (format === "terraform") return reportRefusal(terminal, argv, [notBuilt("--format terraform")]);
  const wrong = wrongChoice(all, testCase);
  if (wrong) return reportRefusal(terminal, argv, [wrong]);
  const waiting = startWaiting(terminal, "reading the service");
  const wanted = all ? "all" : testCase;
  const { signal, takeOver } = interrupt;
  const lockTimeoutSecs = flags.lockTimeout ?? 0;
  const outcome = await importProject(
    { dir, wanted, format, signal, takeOver, lockTimeoutSecs },
    worldOf(input),
  ).finally(waiting.stop);
  const diagnostics = cleaned(outcome.diagnostics, undefined, env);
  if (flags.json) printJson(terminal, withDiagnostics(documentOf(outcome), diagnostics));
  else show(input, outcome, { diagnostics, root: resolve(cwd, dir) });
  return outcome.status === "interrupted" ? (interrupt.code() ?? 130) : exitCodes[outcome.status];
};

const exitCodes: Readonly<Record<ImportOutcome["status"], ExitCode>> = {
  imported: 0,
  nothing: 0,
  failed: 1,
  blocked: 3,
  locked: 4,
  interrupted: 130,
};

function wrongChoice(all: boolean, testCases: readonly string[]): Diagnostic | undefined {
  if (all !== testCases.length > 0) return undefined;
  const found = all ? "both --all and --test-case" : "neither --all nor --test-case";
  return usageProblem("what is to be imported?", `found ${found}; expected --all, or --test-case NAME|ID|GLOB`);
}

function documentOf({ status, files, objects, environment, requests }: ImportOutcome): JsonObject {
  return {
    status,
    files: [...files],
    objects: objects.map(({ address, kind, id }) => ({ address, kind, id })),
    environment: environment.map(({ name, address, path }) => ({ name, address, path })),
    requests,
  };
}

interface Shown {
  readonly diagnostics: readonly Diagnostic[];
  readonly root: string;
}

function show({ terminal }: CommandInput, outcome: ImportOutcome, { diagnostics, root }: Shown): void {
  if (outcome.status === "nothing") terminal.out("Nothing to import: all of it is bound already.\n");
  if (outcome.status === "interrupted") terminal.err("Interrupted: nothing was written.\n");
  if (outcome.status === "imported") terminal.out(textOf(outcome));
  printDiagnostics(terminal, diagnostics, root);
}

function textOf({ objects, files, environment }: ImportOutcome): string {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const into = files.length === 0 ? "" : ` into ${count(files.length, "file")}`;
  const lines = [
    `Imported ${count(objects.length, "object")}${into}. A plan of them is empty.`,
    ...files.map((file) => `  ${file}`),
  ];
  if (environment.length > 0)
    lines.push(
      "These values cannot be read back. Set them before the next plan; the first apply sends them:",
      ...environment.map(({ name, address, path }) => `  ${name}  ${address} ${path}`),
    );
  return `${lines.map((line) => cleanLine(line)).join("\n")}\n`;
}
