import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Asked, closeServer, readAsked } from "./asked.ts";

/** Which forge is played. */
export type ForgeKind = "github" | "gitlab";

/** A comment or an issue; `own` when the pipeline's account wrote it. */
interface Posted {
  readonly id: number;
  readonly own: boolean;
  readonly isPullRequest?: true;
  title?: string;
  text: string;
  open: boolean;
}

/** Files that a run of a workflow handed over. */
interface Artifact {
  readonly run: number;
  readonly name: string;
  readonly branch: string;
  /** Id of the repository that the run's commit is from; a fork has another one. */
  readonly from: number;
  readonly expired?: true;
  readonly files: Readonly<Record<string, string>>;
}

/** The part of a forge's API that a pipeline uses, written from its public description; it records what is posted. */
export interface Forge {
  /** $GITHUB_API_URL or $CI_API_V4_URL. */
  readonly url: string;
  readonly comments: Posted[];
  readonly issues: Posted[];
  /** In the order in which they were uploaded. */
  readonly artifacts: Artifact[];
  /** `METHOD path status` of every call but those on the state. */
  readonly log: string[];
  /** Takes nobody's token any more, until it is told to. */
  readonly refuse: (refusing: boolean) => void;
  readonly close: () => Promise<void>;
}

interface Play {
  readonly kind: ForgeKind;
  readonly token: string;
  refusing: boolean;
  readonly comments: Posted[];
  readonly issues: Posted[];
  readonly artifacts: Artifact[];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The repository (`acme/shop`, project 7) and its one pull or merge request. */
export const forgeNames = { repository: "acme/shop", project: "7", request: "5" } as const;

/** Starts one on loopback. GitLab's managed state is served by `stateServer`, below the same address. */
export async function startForge(kind: ForgeKind, token: string, stateServer?: string): Promise<Forge> {
  const play: Play = { kind, token, refusing: false, comments: [], issues: [], artifacts: [] };
  const log: string[] = [];
  const server = createServer(async (request, response) => {
    const asked = await readAsked(request);
    if (stateServer !== undefined && asked.url.pathname.includes("/terraform/state/")) {
      const { status, headers, text } = await forwarded(asked, stateServer);
      response.writeHead(status, headers).end(text);
      return;
    }
    const { status, body } = answerTo(play, asked);
    log.push(`${asked.method} ${asked.url.pathname} ${status}`);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${kind === "gitlab" ? "/api/v4" : ""}`,
    comments: play.comments,
    issues: play.issues,
    artifacts: play.artifacts,
    log,
    refuse(refusing) {
      play.refusing = refusing;
    },
    close: () => closeServer(server),
  };
}

async function forwarded({ method, url, body, headers }: Asked, stateServer: string) {
  const { authorization = "", "content-md5": sum } = headers;
  const response = await fetch(`${new URL(stateServer).origin}${url.pathname}${url.search}`, {
    method,
    headers: {
      authorization,
      "content-type": "application/json",
      ...(sum === undefined ? {} : { "content-md5": String(sum) }),
    },
    ...(body === "" ? {} : { body }),
  });
  const text = await response.text();
  const answered = response.headers.get("content-md5");
  return { status: response.status, headers: answered === null ? {} : { "content-md5": answered }, text };
}

const { repository, project, request } = forgeNames;
const routes: Readonly<
  Record<ForgeKind, Readonly<Record<"comments" | "comment" | "issues" | "issue" | "me", RegExp>>>
> = {
  github: {
    comments: new RegExp(`^/repos/${repository}/issues/${request}/comments$`),
    comment: new RegExp(`^/repos/${repository}/issues/comments/(\\d+)$`),
    issues: new RegExp(`^/repos/${repository}/issues$`),
    issue: new RegExp(`^/repos/${repository}/issues/(\\d+)$`),
    me: /^\/user$/,
  },
  gitlab: {
    comments: new RegExp(`^/api/v4/projects/${project}/merge_requests/${request}/notes$`),
    comment: new RegExp(`^/api/v4/projects/${project}/merge_requests/${request}/notes/(\\d+)$`),
    issues: new RegExp(`^/api/v4/projects/${project}/issues$`),
    issue: new RegExp(`^/api/v4/projects/${project}/issues/(\\d+)$`),
    me: /^\/api\/v4\/user$/,
  },
};

function answerTo(play: Play, asked: Asked): Answer {
  const { kind, token } = play;
  const { method, url, headers } = asked;
  const shown = kind === "github" ? headers.authorization : headers["private-token"];
  if (play.refusing || shown !== (kind === "github" ? `Bearer ${token}` : token))
    return { status: 401, body: { message: "who are you?" } };
  if (method === "GET" && routes[kind].me.test(url.pathname)) return { status: 200, body: { id: 1 } };
  return (kind === "github" && artifactsAsked(play, asked)) || onPosted(play, asked);
}

function onPosted(play: Play, asked: Asked): Answer {
  const { method, url } = asked;
  const paths = routes[play.kind];
  for (const list of ["comments", "issues"] as const) {
    if (paths[list].test(url.pathname)) return onList(play, list, asked);
    const one = paths[list === "comments" ? "comment" : "issue"].exec(url.pathname);
    const found = one && play[list].find(({ id }) => id === Number(one[1]));
    if (found) return onItem(play.kind, found, asked);
  }
  return { status: 404, body: { message: `no ${method} ${url.pathname}` } };
}

function onList({ kind, ...play }: Play, list: "comments" | "issues", { method, url, body }: Asked): Answer {
  const items = play[list];
  if (method === "POST") {
    const members = JSON.parse(body) as Readonly<Record<string, string>>;
    const text = (list === "issues" && kind === "gitlab" ? members["description"] : members["body"]) ?? "";
    const title = members["title"];
    if (text === "" || (list === "issues" && title === undefined))
      return { status: 422, body: { message: "incomplete" } };
    const posted = { id: 1_000 + items.length, own: true, text, open: true, ...(title === undefined ? {} : { title }) };
    items.push(posted);
    return { status: 201, body: shown(kind, list, posted) };
  }
  return pageOf(kind, list, { items, url });
}

const artifactsPath = new RegExp(`^/repos/${repository}/actions/artifacts$`);

/** A page of artifacts, oldest first: GitHub documents no order. */
function artifactsAsked({ artifacts }: Play, { method, url }: Asked): Answer | undefined {
  const { pathname, searchParams } = url;
  if (method !== "GET" || !artifactsPath.test(pathname)) return undefined;
  const named = artifacts.filter(({ name }) => name === searchParams.get("name"));
  const [size, page] = [Number(searchParams.get("per_page") ?? 30), Number(searchParams.get("page") ?? 1)];
  const shownOnes = named.slice((page - 1) * size, page * size).map((artifact) => ({
    name: artifact.name,
    expired: artifact.expired ?? false,
    created_at: new Date(Date.UTC(2026, 0, 1) + artifacts.indexOf(artifact) * 1_000).toISOString(),
    workflow_run: {
      id: artifact.run,
      head_branch: artifact.branch,
      head_repository_id: artifact.from,
      repository_id: Number(project),
    },
  }));
  return { status: 200, body: { total_count: named.length, artifacts: shownOnes } };
}

interface Listed {
  readonly items: readonly Posted[];
  readonly url: URL;
}

function pageOf(kind: ForgeKind, list: "comments" | "issues", { items, url }: Listed): Answer {
  const state = url.searchParams.get("state");
  const wanted = state === null ? items : items.filter(({ open }) => open);
  if (list === "issues" && state !== (kind === "github" ? "open" : "opened"))
    return { status: 400, body: { message: "state" } };
  const [size, page] = [Number(url.searchParams.get("per_page") ?? 20), Number(url.searchParams.get("page") ?? 1)];
  return { status: 200, body: wanted.slice((page - 1) * size, page * size).map((item) => shown(kind, list, item)) };
}

function onItem(kind: ForgeKind, item: Posted, { method, body }: Asked): Answer {
  if (method !== (kind === "github" ? "PATCH" : "PUT")) return { status: 405, body: { message: "method" } };
  const members = JSON.parse(body) as Readonly<Record<string, string>>;
  item.text = members["body"] ?? members["description"] ?? item.text;
  if (members["state"] === "closed" || members["state_event"] === "close") item.open = false;
  return { status: 200, body: {} };
}

function shown(kind: ForgeKind, list: "comments" | "issues", { id, own, isPullRequest, title, text }: Posted): object {
  if (kind === "gitlab")
    return { id, iid: id, title, author: { id: own ? 1 : 2 }, [list === "issues" ? "description" : "body"]: text };
  const user = own ? { login: "github-actions[bot]", type: "Bot" } : { login: "somebody", type: "User" };
  return { id, number: id, title, user, body: text, ...(isPullRequest ? { pull_request: {} } : {}) };
}
