import { resolve } from "node:path";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { plannedGraph } from "../../project/graph-project.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import { savedPart, writtenSecrets } from "../../project/saved/save-plan.ts";
import { savedDocument } from "../../project/saved/saved-plan.ts";
import type { MarkdownOptions } from "../../report/markdown-report.ts";
import { type PlanOrigin, planMarkdown } from "../../report/plan-markdown.ts";
import { shellLine } from "../../report/terminal-text.ts";
import { type CommandInput, reportIdentity, typedWords } from "../command.ts";
import { linesToShow } from "./print-diagnostics.ts";
import { redactGraph, withoutSecretValues } from "./redact-output.ts";
import { type PlannedReport, planLines } from "./show-plan.ts";

/**
 * The document of a saved plan, which is a file: every secret that is known is looked for once more. None of a plan with errors, which
 * could not be applied, and of one that would contain a secret.
 */
export function planToSave(
  input: CommandInput,
  made: PlannedReport,
  page: () => string,
): { readonly problems: readonly Diagnostic[]; readonly text?: string } {
  const { outcome, document } = made;
  const part = hasErrors(outcome.diagnostics) ? undefined : savedPart(outcome);
  if (document === undefined || part === undefined) return { problems: [] };
  const problems = writtenSecrets(outcome, part);
  if (problems.length > 0) return { problems };
  const redact = redactSecrets(input.env, secretHolders(outcome));
  const shown = { text: redact(planLines(outcome)), markdown: markdownOf(input, made), page: page() };
  const saved = savedDocument(withoutSecretValues(document, redact), part, shown);
  return { problems, text: `${JSON.stringify(saved, undefined, 2)}\n` };
}

/** The comment on a plan. Its readers are unknown, so it is searched once more for every known secret. */
export function markdownOf(
  input: CommandInput,
  { outcome, document, problems }: PlannedReport,
  section?: MarkdownOptions["section"],
): string {
  const { args, cwd, env } = input;
  const root = resolve(cwd, args[0] ?? ".");
  const { plan, blocked, contents } = outcome;
  const redact = redactSecrets(env, secretHolders(outcome));
  const errors = problems.filter(({ severity }) => severity === "error");
  const digest = document?.digest;
  const text = planMarkdown(plan, {
    contents,
    identity: reportIdentity(input),
    errors: errors.slice(0, errors.length - blocked.length),
    blocked: errors.slice(errors.length - blocked.length),
    warnings: problems.filter(({ severity }) => severity !== "error"),
    lineOf: linesToShow(problems, root),
    ...(typeof digest === "string" ? { digest } : {}),
    graph: redactGraph(plannedGraph(outcome), redact),
    instances: outcome.made?.project.instances,
    ...planCommand(input, document),
    ...(section && { section }),
  });
  return redact(text);
}

/** The flags that narrow a plan, the command that carries it out, and where a pipeline made it. */
export function planCommand(input: CommandInput, document: JsonObject | undefined) {
  const digest = document?.digest;
  return {
    choices: choicesOf(input),
    applying: applyingCommand(input, typeof digest === "string" ? digest : ""),
    ...originOf(input.env, document?.created_at),
  };
}

/** Variables in which pipelines name the commit that they are about, and the page of their run. */
const commits = ["GITHUB_SHA", "CI_COMMIT_SHA", "BITBUCKET_COMMIT", "BUILD_SOURCEVERSION", "CIRCLE_SHA1", "GIT_COMMIT"];
const runs = ["CI_JOB_URL", "CIRCLE_BUILD_URL", "BUILD_URL"];

function given(names: readonly string[], env: CommandInput["env"]): string | undefined {
  return names.map((name) => env[name] ?? "").find((value) => value !== "");
}

/** The commit that a pipeline is about; undefined where none says so. */
export function commitOf(env: CommandInput["env"]): string | undefined {
  return given(commits, env);
}

function originOf(env: CommandInput["env"], at: Json | undefined): { readonly origin?: PlanOrigin } {
  const commit = commitOf(env);
  if (commit === undefined) return {};
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const url = server && repository && run ? `${server}/${repository}/actions/runs/${run}` : given(runs, env);
  return { origin: { commit, ...(typeof at === "string" && { at }), ...(url !== undefined && { url }) } };
}

function choicesOf({ flags }: CommandInput): readonly string[] {
  const { target = [], replace = [], allowDestroy = [], adopt, destroy, forceThreshold } = flags;
  return [
    ...target.map((glob) => `--target ${glob}`),
    ...replace.map((address) => `--replace ${address}`),
    ...allowDestroy.map((glob) => `--allow-destroy ${glob}`),
    ...(adopt === undefined ? [] : [`--adopt ${adopt}`]),
    ...(destroy ? ["--destroy"] : []),
    ...(forceThreshold ? ["--force-threshold"] : []),
  ];
}

/** Flags that do not change the plan, and those of them that have a value. */
const reporting = /^--(json|detailed-exitcode|show-unmanaged|no-rehearsal|quiet|no-color)$/;
const withValue = /^--(markdown|html|timeout|against)$/;

/** Carries out exactly what the plan shows, in whatever shell: the saved file, or whatever has its digest when it is planned again. */
function applyingCommand({ argv, env, flags, spec }: CommandInput, digest: string): string {
  if (flags.out !== undefined) return shellLine(["loadform", "apply", flags.out]);
  const choices = typedWords({ argv, flags, env }).filter((word, index, words) => {
    const flag = word.split("=")[0] ?? "";
    const isReporting = reporting.test(flag) || withValue.test(flag) || withValue.test(words[index - 1] ?? "");
    return !isReporting && word !== "--destroy";
  });
  choices.splice(choices.indexOf(spec.name), 1);
  return shellLine(["loadform", flags.destroy ? "destroy" : "apply", ...choices, "--digest", digest]);
}
