import { resolve } from "node:path";
import type { ImportOutcome } from "../../import/import-files.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { importProject } from "../../project/import-project.ts";
import type { Command } from "../command.ts";
import { exitOfImport } from "../exit-of.ts";
import { systemOf } from "../system-of.ts";
import { notBuilt, usageProblem } from "../usage-problem.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { withoutSecrets } from "../views/redact-output.ts";
import { reportRefusal } from "../views/report-refusal.ts";
import { showImport } from "../views/show-import.ts";

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
    systemOf(input),
  ).finally(waiting.stop);
  const diagnostics = withoutSecrets(outcome.diagnostics, undefined, env);
  if (flags.json) printJson(terminal, withDiagnostics(documentOf(outcome), diagnostics));
  else showImport(terminal, outcome, { diagnostics, root: resolve(cwd, dir), dir });
  return exitOfImport(outcome.status, diagnostics, interrupt.code());
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
