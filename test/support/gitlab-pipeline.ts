import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { holds } from "./pipeline-condition.ts";
import { filesNamed, type JobRun, type PipelineRunner } from "./pipeline-runner.ts";

interface Rule {
  readonly if: string;
}

/** One job of a pipeline, as far as this project's use them. */
interface GitlabJob {
  readonly stage: string;
  readonly rules: readonly Rule[];
  readonly script: readonly string[];
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly environment?: string;
  readonly artifacts?: {
    readonly when: string;
    readonly paths: readonly string[];
    readonly reports?: { readonly junit: string };
  };
}

/** A pipeline of GitLab CI. */
export interface GitlabPipeline {
  readonly workflow: { readonly rules: readonly Rule[] };
  /** With a description where the form for a new pipeline shows it. */
  readonly variables: Readonly<Record<string, string | { readonly value: string; readonly description: string }>>;
  readonly default: { readonly image: string; readonly before_script: readonly string[] };
  readonly jobs: Readonly<Record<string, GitlabJob>>;
}

/** Reads a pipeline; every other key than the known ones is a job. */
export function readPipeline(path: string): GitlabPipeline {
  const {
    workflow,
    variables,
    default: defaults,
    ...jobs
  } = parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  return { workflow, variables, default: defaults, jobs } as GitlabPipeline;
}

/** What starts a pipeline. */
export interface GitlabRun {
  readonly pipeline: GitlabPipeline;
  readonly branch: string;
  /** Predefined variables, and those of the project's settings, which win over the file's. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Runs every job whose rules match, one after the other, each in a checkout of its own and one bash. */
export async function runPipeline(runner: PipelineRunner, run: GitlabRun): Promise<readonly JobRun[]> {
  const { pipeline, branch } = run;
  const declared = Object.entries(pipeline.variables).map(([name, given]) => [
    name,
    typeof given === "object" ? given.value : given,
  ]);
  const variables = expanded({ ...Object.fromEntries(declared), ...run.variables });
  const matches = ({ rules }: { readonly rules: readonly Rule[] }) =>
    rules.some((rule) => holds(rule.if, (operand) => variables[operand.replace(/^\$/, "")] ?? ""));
  if (!matches(pipeline.workflow)) return [];
  const runs: JobRun[] = [];
  for (const [name, job] of Object.entries(pipeline.jobs)) {
    if (!matches(job)) continue;
    const script = [...pipeline.default.before_script, ...job.script].join("\n");
    const cwd = await runner.checkout(branch);
    const done = await runner.bash(cwd, { name, script, env: variables });
    const artifacts = done.code === 0 || job.artifacts?.when === "always" ? handedOver(job, cwd) : {};
    runs.push({ job: name, ...done, artifacts, ...(done.code === 0 ? {} : { failed: name }) });
  }
  return runs;
}

function handedOver({ artifacts }: GitlabJob, cwd: string): JobRun["artifacts"] {
  const names =
    artifacts === undefined ? [] : [...artifacts.paths, ...(artifacts.reports ? [artifacts.reports.junit] : [])];
  return filesNamed(cwd, (name) => names.includes(name));
}

/** Variables may use each other. */
function expanded(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const value = (text: string): string =>
    text.replace(/\$\{?(\w+)\}?/g, (_all, name: string) => value(variables[name] ?? ""));
  return Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, value(String(text))]));
}
