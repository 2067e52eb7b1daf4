import { appendFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Json } from "../../model/json.ts";
import { redactSecrets } from "../../project/known-secrets.ts";
import type { RunOutcome } from "../../project/runs/run-outcome.ts";
import type { ExitCode } from "../../report/exit-codes.ts";
import type { RunResults } from "../../run/run-document.ts";
import type { CommandInput } from "../command.ts";
import type { FlagValues } from "../flag-table.ts";
import { checkFile, type SavedFile, saveFile } from "../save-file.ts";
import { printJson, withDiagnostics } from "../views/json-output.ts";
import { printDiagnostics } from "../views/print-diagnostics.ts";

/** Files that results are written to, by flag. */
const writers: Readonly<
  Record<
    "junit" | "runHtml" | "markdown" | "csv",
    { readonly what: string; readonly text: (results: RunResults) => Promise<string> }
  >
> = {
  junit: {
    what: "the JUnit file",
    text: async (results) => (await import("../../report/runs/run-junit.ts")).runJunit(results),
  },
  runHtml: {
    what: "the page",
    text: async (results) => (await import("../../report/runs/run-html.ts")).runHtml(results),
  },
  markdown: { what: "the report", text: markdownOf },
  csv: {
    what: "the intervals",
    text: async (results) => (await import("../../report/runs/run-csv.ts")).runCsv(results),
  },
};

async function markdownOf(results: RunResults): Promise<string> {
  const { runMarkdown } = await import("../../report/runs/run-markdown.ts");
  return runMarkdown(results, ["loadform run"]);
}

/** Runs that this command started, with the commit that its pipeline is about, else the one that is checked out. */
async function withCommit(
  runs: RunResults["runs"],
  { env, root }: Pick<CommandInput, "env"> & { readonly root: string },
): Promise<RunResults["runs"]> {
  if (runs.every(({ origin }) => origin === undefined)) return runs;
  const { commitOf } = await import("../views/plan-reports.ts");
  const { headCommit } = await import("./head-commit.ts");
  const commit = commitOf(env) ?? (await headCommit(root));
  if (commit === undefined) return runs;
  return runs.map((run) => (run.origin === undefined ? run : { ...run, origin: { ...run.origin, commit } }));
}

/** Prints the results, and writes the files that were asked for; answers what could not be written. */
export async function showResults(
  input: CommandInput,
  outcome: RunOutcome,
  { problems, root }: { readonly problems: readonly Diagnostic[]; readonly root: string },
): Promise<readonly Diagnostic[]> {
  const { terminal, flags, env } = input;
  const redact = redactSecrets(env);
  const results: RunResults = {
    warnings: outcome.document?.warnings ?? [],
    runs: await withCommit(outcome.details, { env, root }),
  };
  const unsaved = outcome.document === undefined ? [] : await writeFiles(input, results, redact);
  const all = [...problems, ...unsaved];
  if (flags.json) printJson(terminal, withDiagnostics((outcome.document ?? {}) as never, all) as Json);
  else if (outcome.document !== undefined) {
    const { runText } = await import("../../report/runs/run-text.ts");
    terminal.out(redact(runText(results, terminal.outPalette)));
  }
  if (!flags.json || outcome.document === undefined) printDiagnostics(terminal, all, root);
  if (terminal.checkout !== undefined && outcome.document !== undefined) await annotate(input, results, root);
  return unsaved;
}

async function writeFiles(input: CommandInput, results: RunResults, redact: (text: string) => string) {
  const saved = targetsOf(input).map(async ({ text, ...target }) => saveFile(target, redact(await text(results))));
  return (await Promise.all(saved)).flat();
}

/** Files of results that could not be written, before anything is started. */
export async function unwritableFiles(input: CommandInput): Promise<readonly Diagnostic[]> {
  return (await Promise.all(targetsOf(input).map(checkFile))).flat();
}

function targetsOf({ flags, cwd }: CommandInput): readonly (SavedFile & (typeof writers)[keyof typeof writers])[] {
  return Object.entries(writers).flatMap(([name, writer]) => {
    const file = flags[name as keyof FlagValues];
    return typeof file === "string" ? [{ ...writer, file, cwd }] : [];
  });
}

/** In GitHub Actions missed KPIs are shown at their lines, and the summary of the job has the results. */
async function annotate({ terminal, env }: CommandInput, results: RunResults, root: string): Promise<void> {
  const { runAnnotations } = await import("../../report/runs/run-annotations.ts");
  const within = (file: string) => relative(terminal.checkout ?? root, join(root, file));
  terminal.err(runAnnotations(results, within));
  const summary = env["GITHUB_STEP_SUMMARY"];
  if (summary) await appendFile(summary, `${redactSecrets(env)(await markdownOf(results))}\n`).catch(() => undefined);
}

/** The exit code of judged runs: 1 outranks 7. A report of ended runs shows the others without failing. */
export function exitOfRuns({ document, diagnostics }: RunOutcome, isJudged: boolean, isReport = false): ExitCode {
  if (document === undefined) return 1;
  const { failed, stopped, error, unknown } = document.summary;
  if (hasErrors(diagnostics)) return 1;
  if (!isReport && stopped + error + unknown > 0) return 1;
  return failed > 0 && isJudged ? 7 : 0;
}
