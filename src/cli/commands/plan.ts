import { stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { PlanOutcome } from "../../project.ts";
import { planProject, savedDocument, savedPart } from "../../project.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import { writeAtomic } from "../../workspace/write-atomic.ts";
import type { Command, CommandInput } from "../command.ts";
import { anyError, exitOfPlan } from "../exit-of.ts";
import { planFlags } from "../plan-flags.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { startWaiting } from "../views/live-line.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";
import { documentOf, problemsOf, showPlan } from "../views/show-plan.ts";
import { worldOf } from "../world-of.ts";

/** `loadform plan`: shows, and saves with --out, what apply would do. Exit 1 outranks 3, which outranks 2. */
export const plan: Command = async (input) => {
  const { flags, terminal, args, env, cwd } = input;
  const [dir] = args;
  const world = worldOf(input);
  const waiting = startWaiting(terminal, "reading the service");
  const outcome = await planProject(planFlags(input, dir), world).finally(waiting.stop);
  const problems = problemsOf(outcome, env);
  const document = documentOf(outcome, problems, world.now());
  const unsaved =
    flags.out === undefined || document === undefined ? [] : await save(input, flags.out, { outcome, document });
  const all = [...problems, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics(document ?? {}, all));
  else show(input, outcome, { problems: all, root: resolve(cwd, dir ?? ".") });
  return exitOf(input, outcome, unsaved);
};

function exitOf({ flags }: CommandInput, outcome: PlanOutcome, unsaved: readonly Diagnostic[]): ExitCode {
  return anyError(unsaved) ? 1 : exitOfPlan(outcome, flags.detailedExitcode === true);
}

interface Shown {
  readonly problems: readonly Diagnostic[];
  readonly root: string;
}

function show({ terminal, flags }: CommandInput, outcome: PlanOutcome, { problems, root }: Shown): void {
  const isWrong = anyError(outcome.diagnostics);
  if (!isWrong) showPlan(terminal, outcome);
  printDiagnostics(terminal, problems, root);
  if (!isWrong && outcome.blocked.length > 0)
    terminal.err("Blocked: as it stands, nothing of this plan may be applied.\n");
  if (!isWrong && flags.out !== undefined && outcome.plan && !problems.some(({ code }) => code === "LF1002"))
    terminal.err(`Saved the plan. To apply exactly this: loadform apply ${flags.out}\n`);
}

interface Made {
  readonly outcome: PlanOutcome;
  readonly document: JsonObject;
}

/** Writes the saved plan; one that has errors could not be applied, so it is not written. */
async function save({ cwd }: CommandInput, file: string, { outcome, document }: Made): Promise<readonly Diagnostic[]> {
  const part = savedPart(outcome);
  if (part === undefined || anyError(outcome.diagnostics)) return [];
  try {
    await writeTo(resolve(cwd, file), `${JSON.stringify(savedDocument(document, part), undefined, 2)}\n`);
    return [];
  } catch (thrown) {
    const words = thrown instanceof Error ? thrown.message : String(thrown);
    const detail = `${words}. Expected a path in a folder that exists and may be written to`;
    return [{ severity: "error", code: "LF1002", summary: `the plan could not be saved to ${file}`, detail }];
  }
}

/** A device or pipe is written to; only files are replaced as a whole. */
async function writeTo(path: string, text: string): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (status === undefined || status.isFile()) await writeAtomic(path, text);
  else await writeFile(path, text);
}
