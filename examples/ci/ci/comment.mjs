// Puts a report of loadform where people read it, and brings the one of the last run up to date instead of adding another.
//   node ci/comment.mjs comment FILE       on this pull or merge request
//   node ci/comment.mjs issue FILE TITLE   as an issue
//   node ci/comment.mjs close FILE         closes that issue
// Its own text is known by the hidden line that loadform writes first, and by who wrote it.
import { readFile } from "node:fs/promises";

const { env, argv, stdout, stderr } = process;

const github = {
  base: `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`,
  headers: { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json" },
  comments: `/issues/${env.PULL_REQUEST}/comments`,
  comment: ({ id }) => `/issues/comments/${id}`,
  openIssues: "/issues?state=open",
  issue: ({ number }) => `/issues/${number}`,
  issueText: "body",
  change: "PATCH",
  closing: { state: "closed" },
  isOwn: ({ user, pull_request }) => user?.type === "Bot" && pull_request === undefined,
};

const gitlab = {
  base: `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}`,
  headers: { "private-token": env.GITLAB_TOKEN },
  comments: `/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`,
  comment: ({ id }) => `/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes/${id}`,
  openIssues: "/issues?state=opened",
  issue: ({ iid }) => `/issues/${iid}`,
  issueText: "description",
  change: "PUT",
  closing: { state_event: "close" },
  isOwn: ({ author }, me) => author?.id === me,
};

const forge = env.GITLAB_CI ? gitlab : github;

async function call(method, path, body) {
  const headers = { ...forge.headers, "content-type": "application/json" };
  const url = path.startsWith("http") ? path : forge.base + path;
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${url} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The first of all pages of a list that this script wrote under the same hidden line. */
async function findOwn(list, textOf, marker) {
  const me = forge === gitlab ? (await call("GET", `${env.CI_API_V4_URL}/user`)).id : undefined;
  for (let page = 1; ; page += 1) {
    const items = await call("GET", `${list}${list.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
    const found = items.find((item) => forge.isOwn(item, me) && textOf(item)?.startsWith(marker));
    if (found || items.length < 100) return found;
  }
}

async function comment(body, marker) {
  const own = await findOwn(forge.comments, (item) => item.body, marker);
  if (own) await call(forge.change, forge.comment(own), { body });
  else await call("POST", forge.comments, { body });
  return own ? "Updated the comment." : "Commented.";
}

async function issue(text, marker, title) {
  const own = await findOwn(forge.openIssues, (item) => item[forge.issueText], marker);
  if (own) await call(forge.change, forge.issue(own), { [forge.issueText]: text });
  else await call("POST", "/issues", { title, [forge.issueText]: text });
  return own ? "Updated the issue." : "Opened an issue.";
}

async function close(_text, marker) {
  const own = await findOwn(forge.openIssues, (item) => item[forge.issueText], marker);
  if (own) await call(forge.change, forge.issue(own), forge.closing);
  return own ? "Closed the issue." : "There is no issue to close.";
}

const [, , action, file, title] = argv;
try {
  const text = await readFile(file, "utf8");
  const done = await { comment, issue, close }[action](text, text.split("\n", 1)[0], title);
  stdout.write(`${done}\n`);
} catch (problem) {
  stderr.write(`comment.mjs: ${problem.message}\n`);
  process.exitCode = 1;
}
