import type { HookSender } from "../../../src/watch/status/hooks.ts";

const sha = "6113728f27ae82c7b1a177c8d03f9e96e0adf246";
const none = "0".repeat(40);

/** A push as GitHub sends it, without what nobody reads. */
export function githubPush(more: object = {}) {
  return {
    ref: "refs/heads/main",
    before: "59b20b8d5c6ff8d09518454d4dd8b7b30f095ab5",
    after: sha,
    base_ref: null,
    created: false,
    deleted: false,
    forced: false,
    compare: "https://github.com/octo/tests/compare/59b20b8d5c6f...6113728f27ae",
    commits: [{ id: sha, message: "Load: 50 users", added: [], removed: [], modified: ["load/loadform.yaml"] }],
    repository: {
      html_url: "https://github.com/octo/tests",
      url: "https://github.com/octo/tests",
      git_url: "git://github.com/octo/tests.git",
      ssh_url: "git@github.com:octo/tests.git",
      clone_url: "https://github.com/octo/tests.git",
      homepage: null,
    },
    pusher: { name: "octocat", email: "octocat@example.com" },
    ...more,
  };
}

/** A push as GitLab sends it. */
export function gitlabPush({ ssh = "git@gitlab.example.com:qa/tests.git", ...more }: { ssh?: string } & object = {}) {
  const web = "https://gitlab.example.com/qa/tests";
  return {
    object_kind: "push",
    event_name: "push",
    ref: "refs/heads/main",
    before: "95790bf891e76fee5e1747ab589903a6a1f80f22",
    after: sha,
    checkout_sha: sha,
    user_username: "jsmith",
    project: {
      path_with_namespace: "qa/tests",
      web_url: web,
      git_ssh_url: ssh,
      git_http_url: `${web}.git`,
      homepage: web,
      url: ssh,
      ssh_url: ssh,
      http_url: `${web}.git`,
    },
    repository: { name: "tests", url: ssh, homepage: web, git_http_url: `${web}.git`, git_ssh_url: ssh },
    commits: [{ id: sha, message: "Load: 50 users" }],
    total_commits_count: 1,
    ...more,
  };
}

/** What is answered and starts no check. */
export const ignoredHooks: readonly {
  readonly name: string;
  readonly sender: HookSender;
  readonly event: string;
  readonly payload: object;
  readonly reason: string;
}[] = [
  {
    name: "GitHub's ping",
    sender: "github",
    event: "ping",
    payload: { zen: "Design for failure.", hook_id: 1, hook: { type: "Repository", events: ["push"] } },
    reason: "not a push",
  },
  {
    name: "an issue of GitHub",
    sender: "github",
    event: "issues",
    payload: { action: "opened", repository: githubPush().repository },
    reason: "not a push",
  },
  {
    name: "a tag of GitHub",
    sender: "github",
    event: "push",
    payload: githubPush({ ref: "refs/tags/v1.0" }),
    reason: "not a branch",
  },
  {
    name: "a branch deleted at GitHub",
    sender: "github",
    event: "push",
    payload: githubPush({ after: none, deleted: true }),
    reason: "the branch is deleted",
  },
  {
    name: "a tag of GitLab",
    sender: "gitlab",
    event: "Tag Push Hook",
    payload: gitlabPush({ object_kind: "tag_push", event_name: "tag_push", ref: "refs/tags/v1.0" } as object),
    reason: "not a push",
  },
  {
    name: "a branch deleted at GitLab",
    sender: "gitlab",
    event: "Push Hook",
    payload: gitlabPush({ after: none, checkout_sha: null } as object),
    reason: "the branch is deleted",
  },
  {
    name: "a merge request of GitLab",
    sender: "gitlab",
    event: "Merge Request Hook",
    payload: { object_kind: "merge_request", event_type: "merge_request", object_attributes: { action: "open" } },
    reason: "not a push",
  },
];
