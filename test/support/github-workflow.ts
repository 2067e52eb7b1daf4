import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { holds } from "./pipeline-condition.ts";
import { filesNamed, type JobRun, type PipelineRunner } from "./pipeline-runner.ts";

type Env = Readonly<Record<string, string | number>>;

interface WorkflowStep {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Env;
  readonly with?: Readonly<Record<string, unknown>>;
}

/** One job of a workflow, as far as this project's use them. */
interface WorkflowJob {
  readonly if?: string;
  readonly "runs-on": string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly environment?: string;
  readonly steps: readonly WorkflowStep[];
}

/** A workflow of GitHub Actions. */
export interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly defaults: { readonly run: { readonly shell: string } };
  readonly env: Env;
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

/** Reads a workflow. */
export function readWorkflow(path: string): Workflow {
  return parse(readFileSync(path, "utf8")) as Workflow;
}

/** Values of `${{ … }}` by their dotted names; one that is not there is empty, as at GitHub. */
type Context = Readonly<Record<string, string>>;

type Files = Readonly<Record<string, string>>;

/** Where runs of a workflow hand over files by the name of an artifact. */
export interface WorkflowArtifacts {
  readonly upload: (name: string, files: Files) => void;
  /** Files of another run, which takes a token that may read them. */
  readonly download: (asked: { readonly run: string; readonly name: string; readonly token: string }) => Files;
}

/** What GitHub adds to the environment of every step. */
export interface WorkflowRun {
  readonly workflow: Workflow;
  readonly context: Context;
  readonly branch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly artifacts: WorkflowArtifacts;
  /** Happens before the step of that name. */
  readonly before?: Readonly<Record<string, () => Promise<unknown>>>;
}

/** Runs every job that the event starts, one after the other, each in a checkout of its own. */
export async function runWorkflow(runner: PipelineRunner, run: WorkflowRun): Promise<readonly JobRun[]> {
  const runs: JobRun[] = [];
  for (const [name, job] of Object.entries(run.workflow.jobs)) {
    const starts = job.if === undefined || holds(job.if, (operand) => run.context[operand] ?? "");
    if (starts) runs.push({ job: name, ...(await runJob(runner, run, job)) });
  }
  return runs;
}

async function runJob(runner: PipelineRunner, run: WorkflowRun, job: WorkflowJob): Promise<Omit<JobRun, "job">> {
  const cwd = await runner.checkout(run.branch);
  const place = { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: cwd };
  const files = { GITHUB_OUTPUT: join(cwd, ".git", "output"), GITHUB_STEP_SUMMARY: join(cwd, ".git", "summary") };
  let context = run.context;
  let log = "";
  let failure: { readonly code: number; readonly failed: string } | undefined;
  let artifacts: JobRun["artifacts"] = {};
  for (const step of job.steps) {
    if (failure !== undefined && step.if !== "always()") continue;
    if (step.run === undefined) {
      artifacts = { ...artifacts, ...handOver(step, { run: { ...run, context }, cwd }) };
      continue;
    }
    const name = step.name ?? "";
    await run.before?.[name]?.();
    for (const file of Object.values(files)) writeFileSync(file, "");
    const env = {
      ...filled(run.workflow.env, context),
      ...filled(step.env ?? {}, context),
      ...place,
      ...files,
      ...run.env,
    };
    const done = await runner.bash(cwd, { name, script: step.run, env });
    log += done.log;
    if (done.code !== 0) failure ??= { code: done.code, failed: name };
    context = { ...context, ...outputsOf(files.GITHUB_OUTPUT, step.id) };
  }
  return { code: 0, ...failure, log, artifacts };
}

/** Carries files to or from an artifact where the step does that; answers what was uploaded. */
function handOver(step: WorkflowStep, { run, cwd }: { readonly run: WorkflowRun; readonly cwd: string }): Files {
  const { name = "", "run-id": id = "", "github-token": token = "" } = filled((step.with ?? {}) as Env, run.context);
  if (step.uses?.startsWith("actions/download-artifact@")) {
    const files = run.artifacts.download({ run: id, name, token });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text);
  }
  if (!step.uses?.startsWith("actions/upload-artifact@")) return {};
  const files = uploaded(step, cwd);
  run.artifacts.upload(name, files);
  return files;
}

/** What a step hands over: its `path` is a file of the checkout, or all with the name before `.*`. */
function uploaded({ with: given = {} }: WorkflowStep, cwd: string): JobRun["artifacts"] {
  const path = String(given["path"]);
  return filesNamed(cwd, (name) => (path.endsWith(".*") ? name.startsWith(path.slice(0, -1)) : name === path));
}

function filled(env: Env, context: Context): Readonly<Record<string, string>> {
  const fill = (text: string) =>
    text.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_all, name: string) => context[name] ?? "");
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(String(value))]));
}

function outputsOf(file: string, id = ""): Context {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.includes("="));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", value = ""] = line.split("=");
      return [`steps.${id}.outputs.${name}`, value];
    }),
  );
}
