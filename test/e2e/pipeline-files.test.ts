import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { parseCommandLine } from "../../src/cli/parse-command-line.ts";
import { readWorkflow } from "../support/github-workflow.ts";
import { readPipeline } from "../support/gitlab-pipeline.ts";
import { holds } from "../support/pipeline-condition.ts";
import { runCli } from "../support/run-cli.ts";
import { repository } from "../support/source-files.ts";
import { pipelineFiles } from "./pipeline-rig.ts";

const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
const workflow = readWorkflow(pipelineFiles.github);
const pipeline = readPipeline(pipelineFiles.gitlab);
const githubSteps = Object.values(workflow.jobs).flatMap(({ steps }) => steps);
const scripts = {
  github: githubSteps.flatMap(({ run }) => (run === undefined ? [] : run.trim().split("\n"))),
  gitlab: [pipeline.default, ...Object.values(pipeline.jobs)]
    .flatMap((job) => [...("before_script" in job ? job.before_script : job.script)])
    .flatMap((lines) => lines.trim().split("\n")),
};

/** What the shell makes of the choice between a saved plan and a digest. */
const eitherPlan = (line: string) => {
  const choice = `\${DIGEST:+--digest} "\${DIGEST:-plan.json}"`;
  return line.includes(choice)
    ? ["plan.json", `--digest prod.${"0".repeat(64)}`].map((to) => line.replace(choice, to))
    : [line];
};

/** The command lines of loadform in shell lines, up to what the shell does about their exit code. */
const commandsIn = (lines: readonly string[]) =>
  lines
    .flatMap(eitherPlan)
    .flatMap((line) => [...line.matchAll(/(?<=^|[;{)] )loadform ([^|;}]+)/g)].map(([, words = ""]) => words.trim()));

describe("the project beside them", () => {
  it("is valid, and in its canonical form", async () => {
    expect(await runCli(["validate", "examples/ci"])).toMatchObject({ code: 0 });
    expect(await runCli(["fmt", "--check", "examples/ci"])).toMatchObject({ code: 0 });
  });

  it("leads out of its folder nowhere, as it is copied", () => {
    expect(readFileSync(join(repository, "examples/ci/loadform.yaml"), "utf8")).not.toContain("../");
  });

  it("ignores the files that the pipelines and their page write", () => {
    const page = readFileSync(join(repository, "docs/ci.md"), "utf8");
    const ignored = readFileSync(join(repository, "examples/ci/.gitignore"), "utf8").split("\n");
    const written = [...page.matchAll(/(?:> |--markdown |--out )([a-z]+\.[a-z]+)\b/g)].map(([, name = ""]) => name);
    const kept = new Set(["loadform.yaml", "loadform.schema", "kept.yaml"]);
    const open = written.filter(
      (name) => !kept.has(name) && !ignored.includes(name) && !ignored.includes(`*${name.slice(name.indexOf("."))}`),
    );
    expect(written).toContain("plan.log");
    expect(open).toEqual([]);
  });
});

describe("the workflow for GitHub", () => {
  it("starts with pull requests, pushes to main, releases, at night and by hand", () => {
    expect(Object.keys(workflow.on)).toEqual(["pull_request", "push", "schedule", "workflow_dispatch"]);
    expect(workflow.on).toMatchObject({
      push: { branches: ["main"], tags: ["v*"] },
      schedule: [{ cron: expect.any(String) }],
    });
  });

  it("may do no more than it needs", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const granted = Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions]);
    expect(Object.fromEntries(granted)).toEqual({
      validate: undefined,
      plan: { contents: "read", "pull-requests": "write" },
      "plan-without-key": { contents: "read", actions: "read" },
      apply: { contents: "write" },
      gate: { contents: "read" },
      drift: { contents: "read", issues: "write" },
    });
  });

  it("never runs two applies at once, and never cuts one short", () => {
    expect(workflow.jobs["apply"]?.concurrency).toEqual({ group: "loadform-apply", "cancel-in-progress": false });
    const others = Object.entries(workflow.jobs).filter(([name]) => name !== "apply");
    for (const [name, { concurrency }] of others) expect(concurrency?.group, name).not.toBe("loadform-apply");
  });

  it("gives secrets only to steps that run loadform, and the token only to those that ask GitHub", () => {
    for (const { name, run = "", env = {} } of githubSteps) {
      const uses = Object.values(env).map(String);
      if (uses.some((value) => value.includes("secrets.")))
        expect(run, name).toMatch(/^(code=0\n)?loadform (plan|apply|drift|run|snapshot)/);
      if (uses.some((value) => value.includes("github.token")))
        expect(run, name).toMatch(/^[^|]*node ci\/(comment|find-snapshot)\.mjs/);
    }
    for (const { env = {} } of workflow.jobs["plan-without-key"]?.steps ?? [])
      expect(Object.values(env).join()).not.toContain("secrets.");
    expect(Object.values(workflow.env).join()).not.toContain("secrets.");
  });

  it("takes nothing from an event into a script, and keeps the token only in checkouts of jobs that need the state", () => {
    for (const line of scripts.github) expect(line).not.toContain("${{");
    const checkouts = Object.entries(workflow.jobs).map(([name, { steps }]) => [
      name,
      steps.filter(({ uses }) => uses?.startsWith("actions/checkout@")).map((step) => step.with),
    ]);
    expect(Object.fromEntries(checkouts)).toEqual({
      validate: [{ "persist-credentials": false }],
      plan: [undefined],
      "plan-without-key": [{ "persist-credentials": false }],
      apply: [undefined],
      gate: [undefined],
      drift: [undefined],
    });
  });

  it("uses actions by their names and versions, in jobs that say where they run", () => {
    for (const { uses } of githubSteps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
    for (const job of Object.values(workflow.jobs)) expect(job["runs-on"]).toBe("ubuntu-latest");
  });
});

describe("a start by hand on GitHub", () => {
  it.each([
    ["without a digest looks for drift", "main", "", ["drift"]],
    ["with one applies main", "main", "0f", ["apply"]],
    ["with one applies no other branch", "more-users", "0f", []],
  ])("%s", (_title, branch, digest, jobs) => {
    const event: Readonly<Record<string, string>> = {
      "github.event_name": "workflow_dispatch",
      "github.ref": `refs/heads/${branch}`,
      "inputs.digest": digest,
    };
    const started = Object.entries(workflow.jobs).filter(([, job]) => holds(job.if ?? "", (name) => event[name] ?? ""));
    expect(started.map(([name]) => name)).toEqual(jobs);
  });
});

describe("the pipeline for GitLab", () => {
  it("starts with merge requests, pushes to the default branch, releases, schedules and a digest, and every job says with which", () => {
    expect(pipeline.workflow.rules).toHaveLength(5);
    const counts = Object.entries(pipeline.jobs).map(([name, { rules }]) => [name, rules.length]);
    expect(Object.fromEntries(counts)).toEqual({ validate: 1, plan: 1, apply: 2, gate: 1, drift: 1 });
  });

  it("never runs two applies at once, and never cuts one short", () => {
    expect(pipeline.jobs["apply"]).toMatchObject({ resource_group: "loadform", interruptible: false });
  });

  it("keeps the state at GitLab, with the job's own token", () => {
    expect(pipeline.variables).toMatchObject({
      LOADFORM_STATE_ADDRESS: "$CI_API_V4_URL/projects/$CI_PROJECT_ID/terraform/state/load-tests",
      TF_HTTP_USERNAME: "gitlab-ci-token",
      LOADFORM_STATE_PASSWORD: "$CI_JOB_TOKEN",
    });
  });
});

describe("the gate of a release", () => {
  const startedBy = (event: Readonly<Record<string, string>>) => ({
    github: Object.entries(workflow.jobs)
      .filter(([, job]) => holds(job.if ?? "", (name) => event[name] ?? ""))
      .map(([name]) => name),
    gitlab: Object.entries(pipeline.jobs)
      .filter(([, { rules }]) => rules.some((rule) => holds(rule.if, (name) => event[name.replace("$", "")] ?? "")))
      .map(([name]) => name),
  });
  const push = { "github.event_name": "push", CI_PIPELINE_SOURCE: "push", CI_DEFAULT_BRANCH: "main" };

  it("is all that a tag starts, and no branch starts it", () => {
    const tag = { "github.ref": "refs/tags/v1", "github.ref_type": "tag", CI_COMMIT_TAG: "v1" };
    expect(startedBy({ ...push, ...tag })).toEqual({ github: ["gate"], gitlab: ["gate"] });
    const main = { "github.ref": "refs/heads/main", "github.ref_type": "branch", CI_COMMIT_BRANCH: "main" };
    expect(startedBy({ ...push, ...main })).toEqual({ github: ["apply"], gitlab: ["apply"] });
  });

  it("hands over its results whatever the verdict, to GitLab as a JUnit report", () => {
    const upload = workflow.jobs["gate"]?.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    expect(upload).toMatchObject({ if: "always()", with: { path: "gate.*" } });
    expect(pipeline.jobs["gate"]?.artifacts).toMatchObject({ when: "always", reports: { junit: "gate.xml" } });
  });

  it("waits for an apply at GitLab, and lets none change what it runs meanwhile", () => {
    expect(pipeline.jobs["gate"]).toMatchObject({ resource_group: "loadform", interruptible: false });
    expect(workflow.jobs["gate"]?.concurrency).toEqual({ group: "loadform-gate", "cancel-in-progress": false });
  });
});

describe("the plan of a request", () => {
  it("hands over its page, also when nothing of it can be applied", () => {
    const steps = workflow.jobs["plan"]?.steps ?? [];
    const upload = steps.findIndex(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    expect(steps[upload]).toMatchObject({ with: { name: "plan", path: "plan.html" } });
    expect(steps.slice(upload + 1).map(({ name }) => name)).toEqual(["Verdict"]);
    expect(pipeline.jobs["plan"]?.artifacts).toMatchObject({ when: "always", paths: ["plan.html"] });
  });
});

describe("a request that gets no secrets", () => {
  const jobsOf = {
    github: (head: string, actor = "ann") => {
      const event: Readonly<Record<string, string>> = {
        "github.event_name": "pull_request",
        "github.repository": "team/shop",
        "github.actor": actor,
        "github.event.pull_request.head.repo.full_name": head,
      };
      return Object.entries(workflow.jobs).filter(([, job]) => holds(job.if ?? "", (name) => event[name] ?? ""));
    },
    gitlab: (source: string) => {
      const event: Readonly<Record<string, string>> = {
        CI_PIPELINE_SOURCE: "merge_request_event",
        CI_PROJECT_ID: source,
        CI_MERGE_REQUEST_PROJECT_ID: "team/shop",
        CI_MERGE_REQUEST_SOURCE_PROJECT_ID: source,
      };
      const lookUp = (operand: string) => event[operand.replace("$", "")] ?? "";
      return Object.entries(pipeline.jobs).filter(([, { rules }]) => rules.some((rule) => holds(rule.if, lookUp)));
    },
  };

  it("is validated, and planned without the key, when Dependabot makes it", () => {
    const started = jobsOf.github("team/shop", "dependabot[bot]").map(([name]) => name);
    expect(started).toEqual(["validate", "plan-without-key"]);
  });

  it.each([
    ["github", ["validate", "plan-without-key"]],
    ["gitlab", ["validate"]],
  ] as const)("is validated, and never planned with the key, when it is from a fork on %s", (kind, jobs) => {
    const startedFor = (source: string) => jobsOf[kind](source).map(([name]) => name);
    expect(startedFor("stranger/shop")).toEqual(jobs);
    expect(startedFor("team/shop")).toEqual(["validate", "plan"]);
  });
});

describe.each(["github", "gitlab"] as const)("the shell lines for %s", (kind) => {
  it("are command lines that loadform takes", () => {
    const commands = commandsIn(scripts[kind]).filter((command) => !command.startsWith("explain"));
    expect(commands.map((command) => command.split(" ")[0]).sort()).toEqual([
      "apply",
      "apply",
      "drift",
      "plan",
      "plan",
      ...(kind === "github" ? ["plan"] : []),
      "run",
      ...(kind === "github" ? ["snapshot"] : []),
      "validate",
    ]);
    for (const command of commands) {
      const argv = command.replaceAll('"$LOCK_TIMEOUT"', "300").split(/\s+/);
      expect(parseCommandLine(argv, commandTable), command).toMatchObject({ is: "command" });
    }
  });

  it("wait for a held lock, and explain every exit code that is no success", () => {
    const lines = scripts[kind];
    const applies = lines.filter((line) => line.includes("loadform apply"));
    expect(applies).toHaveLength(1);
    expect(applies[0]).toContain('--lock-timeout "$LOCK_TIMEOUT"');
    const unwatched = lines.filter(
      (line) => /^loadform (plan|apply|drift|run|snapshot)/.test(line) && !line.includes("|| "),
    );
    expect(unwatched).toEqual([]);
    expect(lines.filter((line) => line.includes("loadform explain"))).toHaveLength(kind === "github" ? 7 : 5);
  });

  it("install what lies in the repository: no registry is asked for the name loadform", () => {
    const installs = scripts[kind].filter((line) => line.includes("npm "));
    expect(installs.length).toBeGreaterThan(0);
    expect([...new Set(installs)]).toEqual(['npm install --global "./$LOADFORM_TARBALL"']);
    const variables = { github: workflow.env, gitlab: pipeline.variables }[kind];
    expect(variables["LOADFORM_TARBALL"]).toBe(`vendor/loadform-${version}.tgz`);
  });

  it("print no secret, and name no host", () => {
    const text = readFileSync(pipelineFiles[kind], "utf8");
    for (const line of scripts[kind]) {
      expect(line).not.toMatch(/set -\w*x|printenv|(^|\s)env(\s|$)/);
      expect(line).not.toMatch(
        /\$\{?(LOADFORM_API_KEY|LOADFORM_STATE_PASSWORD|GIT_TOKEN|GITHUB_TOKEN|GITLAB_TOKEN|CI_JOB_TOKEN)/,
      );
    }
    expect(text).not.toMatch(/https?:\/\//);
  });
});
