import { relative, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { plannedGraph } from "../../project/graph-project.ts";
import { redactSecrets, secretHolders } from "../../project/known-secrets.ts";
import { unshownParts } from "../../project/plan-digest.ts";
import type { PlanOutcome } from "../../project/plan-opened.ts";
import type { ShownPlan } from "../../project/saved-plan.ts";
import type { System } from "../../project/system.ts";
import type { MarkdownSection } from "../../report/markdown-report.ts";
import { digestedPlan, planDocument } from "../../report/plan-json.ts";
import type { PlanOrigin } from "../../report/plan-markdown.ts";
import { planMarkdown } from "../../report/plan-markdown.ts";
import { planText } from "../../report/plan-text.ts";
import { plainPalette, shellLine } from "../../report/terminal-text.ts";
import { sha256 } from "../../workspace/hash.ts";
import type { CommandInput } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { linesToShow } from "./print-diagnostics.ts";
import { redactGraph, withoutSecrets } from "./redact-output.ts";

/** Prints a plan for a person. */
export function showPlan(terminal: Terminal, outcome: PlanOutcome): void {
  terminal.out(planLines(outcome, terminal.outPalette));
}

/** A plan as it is saved to be shown later. It is a file: every secret that is known is looked for once more. */
export function shownPlan(input: CommandInput, made: PlannedReport): Omit<ShownPlan, "page"> {
  const redact = redactSecrets(input.env, secretHolders(made.outcome));
  return { text: redact(planLines(made.outcome)), markdown: markdownOf(input, made) };
}

/** The lines of a plan; none for another target's, which is about somebody else's objects. */
function planLines({ plan, requests, contents, made }: PlanOutcome, palette = plainPalette): string {
  const isElsewhere = plan?.guards.some(({ guard }) => guard === "target");
  const { instances } = made?.project ?? {};
  return plan === undefined || isElsewhere ? "" : planText(plan, { palette, requests, contents, instances });
}

/** Everything that is wrong with a plan, guards included, without secrets. */
export function problemsOf(
  outcome: PlanOutcome,
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  return withoutSecrets([...outcome.diagnostics, ...outcome.blocked], outcome, env);
}

/** The document of `plan --json`; undefined when there is no plan. */
export function documentOf(
  outcome: PlanOutcome,
  diagnostics: readonly Diagnostic[],
  { now, deriveKey }: Pick<System, "now" | "deriveKey">,
): JsonObject | undefined {
  const { plan, requests } = outcome;
  if (plan === undefined) return undefined;
  const { rehearsed = false, made } = outcome;
  const { instances } = made?.project ?? {};
  const createdAt = new Date(now()).toISOString();
  const document = planDocument(plan, { createdAt, requests, rehearsed, diagnostics, instances });
  const digested = digestedPlan(document, sha256, outcome.isUndigested ? {} : unshownParts(outcome, deriveKey));
  return outcome.isUndigested ? { ...digested, digest: null } : digested;
}

/** The report on a plan; its problems are without secrets already. */
export interface PlannedReport {
  readonly outcome: PlanOutcome;
  readonly document: JsonObject | undefined;
  readonly problems: readonly Diagnostic[];
}

/** The comment on a plan. Its readers are unknown, so it is searched once more for every known secret. */
export function markdownOf(
  input: CommandInput,
  { outcome, document, problems }: PlannedReport,
  section?: MarkdownSection,
): string {
  const { args, cwd, env } = input;
  const root = resolve(cwd, args[0] ?? ".");
  const { plan, blocked, contents } = outcome;
  const redact = redactSecrets(env, secretHolders(outcome));
  const errors = problems.filter(({ severity }) => severity === "error");
  const digest = document?.digest;
  const text = planMarkdown(plan, {
    contents,
    identity: commentIdentity(input),
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

/** Folder and environment: known also when the project cannot be read, so that a pipeline finds its comment again. */
function commentIdentity({ args, cwd, flags }: CommandInput): readonly string[] {
  const folder = relative(cwd, resolve(cwd, args[0] ?? "."));
  return [folder === "" ? "." : folder, ...(flags.env === undefined ? [] : [flags.env])];
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

/** Flags that do not change the plan. */
const reporting = [
  "--markdown",
  "--html",
  "--json",
  "--detailed-exitcode",
  "--show-unmanaged",
  "--no-rehearsal",
].concat(["--timeout", "--quiet", "--no-color", "--against"]);
const withValue = ["--markdown", "--html", "--timeout", "--against"];

/** Carries out exactly what the plan shows: the saved file, or whatever has its digest when it is planned again. */
function applyingCommand({ argv, flags, spec }: CommandInput, digest: string): string {
  if (flags.out !== undefined) return shellLine(["loadform", "apply", flags.out]);
  const choices = argv.filter((word, index) => {
    const before = argv[index - 1] ?? "";
    return !reporting.includes(word.split("=")[0] ?? "") && !withValue.includes(before) && word !== "--destroy";
  });
  choices.splice(choices.indexOf(spec.name), 1);
  return shellLine(["loadform", flags.destroy ? "destroy" : "apply", ...choices, "--digest", digest]);
}
