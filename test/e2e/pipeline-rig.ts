import { join } from "node:path";
import { type Forge, type ForgeKind, forgeNames, startForge } from "../support/forge.ts";
import { readWorkflow, runWorkflow, type WorkflowArtifacts, type WorkflowRun } from "../support/github-workflow.ts";
import { readPipeline, runPipeline } from "../support/gitlab-pipeline.ts";
import { type JobRun, type PipelineRunner, pipelineRunner } from "../support/pipeline-runner.ts";
import { type RunningService, startService } from "../support/served-project.ts";
import { repository } from "../support/source-files.ts";
import { branchState, managedState, type PipelineState } from "./pipeline-state.ts";

/** What happens at a forge; with a digest, somebody starts the apply of a reviewed plan. A fork's request gets no secrets. A tag is pushed under the name of the branch. */
type ForgeEvent = "request" | "fork" | "push" | "tag" | "night" | { readonly digest: string };

/** Every secret that a pipeline is given. */
const pipelineSecrets = {
  LOADFORM_API_KEY: "canary-api-key",
  stateToken: "canary-state-password",
  GIT_TOKEN: "canary-git-token",
  forge: "canary-forge-token",
} as const;

/** Where the pipelines of the example stand. */
export const pipelineFiles = {
  github: join(repository, "examples/ci/.github/workflows/loadform.yml"),
  gitlab: join(repository, "examples/ci/.gitlab-ci.yml"),
} as const;

/** A forge with the example's repository and pipeline, the service it is about, and its state. */
export interface PipelineRig {
  readonly service: RunningService;
  readonly state: PipelineState;
  readonly forge: Forge;
  readonly runner: PipelineRunner;
  /** Runs what the event starts; `before` happens before a step of that name, where the pipeline has named steps. */
  readonly happen: (event: ForgeEvent, branch?: string, before?: WorkflowRun["before"]) => Promise<readonly JobRun[]>;
  readonly stop: () => Promise<void>;
}

/** What the comment in the example says for GitLab. */
const managedSetting = `state: { backend: http, address: "\${env:LOADFORM_STATE_ADDRESS}" }`;

/** Starts one. */
export async function startPipelineRig(kind: ForgeKind): Promise<PipelineRig> {
  const service = await startService("--api-key", pipelineSecrets.LOADFORM_API_KEY);
  const runner = await pipelineRunner("ci");
  const state = kind === "gitlab" ? await managedState(pipelineSecrets.stateToken) : branchState(runner.origin);
  const forge = await startForge(kind, pipelineSecrets.forge, state.address);
  if (kind === "gitlab")
    await runner.commit("main", ({ replace }) => replace("loadform.yaml", "state: { backend: git }", managedSetting));
  const at = { service, state, forge, runner };
  return {
    ...at,
    happen: (event, branch = "main", before = {}) =>
      kind === "github" ? atGithub(at, { event, branch, before }) : atGitlab(at, { event, branch }),
    async stop() {
      await service.stop("SIGKILL");
      await Promise.all([state.close(), forge.close()]);
    },
  };
}

type Parts = Omit<PipelineRig, "happen" | "stop">;
interface Happening {
  readonly event: ForgeEvent;
  readonly branch: string;
}

type NamedEvent = Extract<ForgeEvent, string>;

const githubEvents: Readonly<Record<NamedEvent, string>> = {
  request: "pull_request",
  fork: "pull_request",
  push: "push",
  tag: "push",
  night: "schedule",
};

function atGithub(
  { service, forge, runner }: Parts,
  { event, branch, before }: Happening & { readonly before: NonNullable<WorkflowRun["before"]> },
) {
  const { forge: token, stateToken: _, ...secrets } = pipelineSecrets;
  const given = Object.entries(secrets).map(([name, value]) => [`secrets.${name}`, value]);
  const isFork = event === "fork";
  const context = {
    ...(!isFork && { ...Object.fromEntries(given), "vars.LOADFORM_URL": service.ready.url }),
    "github.event_name": typeof event === "string" ? githubEvents[event] : "workflow_dispatch",
    "github.ref": `refs/${event === "tag" ? "tags" : "heads"}/${branch}`,
    "github.ref_type": event === "tag" ? "tag" : "branch",
    "inputs.digest": typeof event === "string" ? "" : event.digest,
    "github.repository": forgeNames.repository,
    "github.token": token,
    "github.event.pull_request.number": forgeNames.request,
    "github.event.pull_request.head.repo.full_name": isFork ? "stranger/shop" : forgeNames.repository,
  };
  const env = { GITHUB_API_URL: forge.url, GITHUB_REPOSITORY: forgeNames.repository, LOCK_TIMEOUT: "1" };
  const artifacts = artifactsAt(forge, {
    branch,
    from: isFork ? Number(forgeNames.project) + 1 : Number(forgeNames.project),
  });
  return runWorkflow(runner, { workflow: readWorkflow(pipelineFiles.github), context, branch, env, before, artifacts });
}

/** Artifacts at the forge, as one run of a branch uploads and downloads them. */
function artifactsAt(forge: Forge, of: { readonly branch: string; readonly from: number }): WorkflowArtifacts {
  const own = forge.artifacts.length + 1;
  return {
    upload: (name, files) => void forge.artifacts.push({ ...of, run: own, name, files }),
    download({ run, name, token }) {
      const found = forge.artifacts.find((each) => String(each.run) === run && each.name === name);
      if (token !== pipelineSecrets.forge || found === undefined) throw new Error(`no artifact ${name} of run ${run}`);
      return found.files;
    },
  };
}

const gitlabEvents: Readonly<Record<NamedEvent, string>> = {
  request: "merge_request_event",
  fork: "merge_request_event",
  push: "push",
  tag: "push",
  night: "schedule",
};

function atGitlab({ service, forge, runner }: Parts, { event, branch }: Happening) {
  const variables = {
    GITLAB_CI: "true",
    CI_PIPELINE_SOURCE: typeof event === "string" ? gitlabEvents[event] : "web",
    ...(typeof event === "object" && { DIGEST: event.digest }),
    CI_COMMIT_BRANCH: event === "request" || event === "fork" || event === "tag" ? "" : branch,
    ...(event === "fork" && {
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "8",
      CI_MERGE_REQUEST_PROJECT_ID: forgeNames.project,
    }),
    ...(event === "tag" && { CI_COMMIT_TAG: branch }),
    CI_DEFAULT_BRANCH: "main",
    CI_API_V4_URL: forge.url,
    CI_PROJECT_ID: forgeNames.project,
    CI_MERGE_REQUEST_IID: forgeNames.request,
    CI_JOB_TOKEN: pipelineSecrets.stateToken,
    GITLAB_TOKEN: pipelineSecrets.forge,
    ...(event !== "fork" && {
      LOADFORM_URL: service.ready.url,
      LOADFORM_API_KEY: pipelineSecrets.LOADFORM_API_KEY,
      GIT_TOKEN: pipelineSecrets.GIT_TOKEN,
    }),
    LOCK_TIMEOUT: "1",
  };
  return runPipeline(runner, { pipeline: readPipeline(pipelineFiles.gitlab), branch, variables });
}
