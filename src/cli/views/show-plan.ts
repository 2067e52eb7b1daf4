import { createHash } from "node:crypto";
import { relative, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import type { PlanOutcome } from "../../project/plan-project.ts";
import { digestedPlan, planDocument } from "../../report/plan-json.ts";
import { planMarkdown } from "../../report/plan-markdown.ts";
import { planText } from "../../report/plan-text.ts";
import { redactSecrets } from "../../report/redact-secrets.ts";
import { shellLine } from "../../report/terminal-text.ts";
import type { CommandInput } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { linesToShow } from "./print-diagnostics.ts";
import { secretsOf, withoutSecrets } from "./redact-output.ts";

/** Prints a plan for a person. */
export function showPlan(terminal: Terminal, outcome: PlanOutcome): void {
  const { plan, requests, contents } = outcome;
  const isElsewhere = plan?.guards.some(({ guard }) => guard === "target") && plan.changes.length === 0;
  if (plan && !isElsewhere) terminal.out(planText(plan, { palette: terminal.outPalette, requests, contents }));
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
  now: number,
): JsonObject | undefined {
  const { plan, requests } = outcome;
  if (plan === undefined) return undefined;
  const document = planDocument(plan, { createdAt: new Date(now).toISOString(), requests, diagnostics });
  return digestedPlan(document, (data) => createHash("sha256").update(data).digest("hex"));
}

/** What there is to say of a plan; the problems are without secrets already. */
export interface PlannedReport {
  readonly outcome: PlanOutcome;
  readonly document: JsonObject | undefined;
  readonly problems: readonly Diagnostic[];
}

/** The comment on a plan. Nobody can say who reads it, so every secret that is known is looked for once more. */
export function markdownOf(input: CommandInput, { outcome, document, problems }: PlannedReport): string {
  const { args, cwd, env } = input;
  const root = resolve(cwd, args[0] ?? ".");
  const { plan, blocked, contents } = outcome;
  const errors = problems.filter(({ severity }) => severity === "error");
  const digest = document?.digest;
  const text = planMarkdown(plan, {
    contents,
    identity: identityOf(input),
    errors: errors.slice(0, errors.length - blocked.length),
    blocked: errors.slice(errors.length - blocked.length),
    warnings: problems.filter(({ severity }) => severity !== "error"),
    lineOf: linesToShow(problems, root),
    ...(typeof digest === "string" ? { digest } : {}),
    choices: choicesOf(input),
    applying: applyingCommands(input),
  });
  return redactSecrets(env, secretsOf(outcome))(text);
}

/** Folder and environment: known also when the project cannot be read, so that a pipeline finds its comment again. */
function identityOf({ args, cwd, flags }: CommandInput): readonly string[] {
  const folder = relative(cwd, resolve(cwd, args[0] ?? "."));
  return [folder === "" ? "." : folder, ...(flags.env === undefined ? [] : [flags.env])];
}

/** What makes this plan another one than the whole project's. */
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

/** Flags of the reports, which do not change what is planned. */
const reporting = ["--markdown", "--html", "--json", "--detailed-exitcode"];
const withFile = ["--markdown", "--html"];

function applyingCommands({ argv, flags }: CommandInput): readonly string[] {
  const file = flags.out ?? "plan.json";
  const apply = shellLine(["loadform", "apply", file]);
  if (flags.out !== undefined) return [apply];
  const planning = argv.filter((word, index) => {
    const before = argv[index - 1] ?? "";
    return !reporting.includes(word.split("=")[0] ?? "") && !withFile.includes(before);
  });
  return [shellLine(["loadform", ...planning, "--out", file]), apply];
}
