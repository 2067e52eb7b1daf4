import type { WatchedNow, WatcherView } from "../watcher-view.ts";
import { checkAccess, type Need } from "./access.ts";
import { answerHook } from "./answer-hook.ts";
import { readOrder } from "./read-order.ts";
import { Refusal } from "./refusal.ts";
import { projectDocument, statusDocument } from "./status-document.ts";
import {
  type Asked,
  fromWatcher,
  jsonAnswer,
  type StatusAnswer,
  type StatusRequest,
  type StatusSources,
} from "./status-request.ts";

/** Answers a request to the status server. */
export async function answerStatus(request: StatusRequest, sources: StatusSources): Promise<StatusAnswer> {
  try {
    const { route, name } = routeOf(request);
    checkAccess(route.needs, request.headers, sources.token);
    return await route.answer({ request, sources, name });
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return jsonAnswer(thrown.status, { error: thrown.message }, thrown.headers);
  }
}

interface Route {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly needs: Need;
  readonly answer: (asked: Asked) => Promise<StatusAnswer>;
}

const routes: readonly Route[] = [
  { method: "GET", path: /^\/$/, needs: "public", answer: showPage },
  { method: "GET", path: /^\/healthz$/, needs: "public", answer: async () => textAnswer(200, "ok") },
  { method: "GET", path: /^\/readyz$/, needs: "public", answer: showReady },
  { method: "GET", path: /^\/metrics$/, needs: "read", answer: showMetrics },
  { method: "GET", path: /^\/api\/status$/, needs: "read", answer: showStatus },
  { method: "GET", path: /^\/api\/projects\/([^/]+)$/, needs: "read", answer: showProject },
  { method: "POST", path: /^\/api\/projects\/([^/]+)\/check$/, needs: "write", answer: startCheck },
  { method: "POST", path: /^\/api\/projects\/([^/]+)\/suspend$/, needs: "write", answer: suspend },
  { method: "POST", path: /^\/api\/projects\/([^/]+)\/resume$/, needs: "write", answer: resume },
  // Their own signature opens them.
  { method: "POST", path: /^\/hooks\/(github|gitlab)$/, needs: "public", answer: answerHook },
];

function routeOf({ method, path }: StatusRequest): { readonly route: Route; readonly name: string } {
  const there = routes.filter((route) => route.path.test(path));
  if (there.length === 0) throw new Refusal(404, "There is nothing at this path; / is the page, /api/status its data");
  const route = there.find((each) => each.method === (method === "HEAD" ? "GET" : method));
  const allowed = there.map((each) => (each.method === "GET" ? "GET, HEAD" : each.method)).join(", ");
  if (route === undefined) throw new Refusal(405, `This path takes ${allowed}`, { allow: allowed });
  return { route, name: decodeName(route.path.exec(path)?.[1] ?? "") };
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}

async function showPage({ sources }: Asked): Promise<StatusAnswer> {
  const { html, policy } = sources.page();
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return { status: 200, headers, body: html };
}

/** Ready once every project is known: checked, or suspended before it was. */
async function showReady({ sources: { view } }: Asked): Promise<StatusAnswer> {
  const all = await fromWatcher(() => view.projects());
  const isReady = all.every(({ memory }) => memory.state !== undefined);
  return isReady ? textAnswer(200, "ready") : textAnswer(503, "not every project has been checked yet");
}

async function showMetrics({ sources }: Asked): Promise<StatusAnswer> {
  const all = await fromWatcher(() => sources.view.projects());
  const { contentType, text } = await sources.metrics();
  return { status: 200, headers: { "content-type": contentType }, body: await text(all) };
}

async function showStatus({ sources: { view } }: Asked): Promise<StatusAnswer> {
  return jsonAnswer(200, statusDocument(await fromWatcher(() => view.projects())));
}

async function showProject(asked: Asked): Promise<StatusAnswer> {
  return jsonAnswer(200, projectDocument(await projectOf(asked)));
}

async function startCheck(asked: Asked): Promise<StatusAnswer> {
  const { retry = false } = await readOrder(asked.request, { retry: "boolean" });
  return await carriedOut(asked, 202, (view, name) => view.ask(name, { retry }));
}

async function suspend(asked: Asked): Promise<StatusAnswer> {
  const { until } = await readOrder(asked.request, { until: "moment" });
  if (until !== undefined && until <= asked.sources.now())
    throw new Refusal(400, "`until` is in the past; expected a moment to come, or none: until it is resumed");
  return await carriedOut(asked, 200, (view, name) => view.suspend(name, until));
}

async function resume(asked: Asked): Promise<StatusAnswer> {
  await readOrder(asked.request, {});
  return await carriedOut(asked, 200, (view, name) => view.resume(name));
}

/** Gives the watcher an order about a project, and answers with the project as it then is. */
async function carriedOut(
  asked: Asked,
  status: number,
  order: (view: WatcherView, name: string) => void | Promise<void>,
): Promise<StatusAnswer> {
  await projectOf(asked);
  await fromWatcher(() => order(asked.sources.view, asked.name));
  return jsonAnswer(status, projectDocument(await projectOf(asked)));
}

async function projectOf({ sources: { view }, name }: Asked): Promise<WatchedNow> {
  const all = await fromWatcher(() => view.projects());
  const found = all.find(({ project }) => project.name === name);
  if (found === undefined) throw new Refusal(404, "There is no project of this name; /api/status lists them");
  return found;
}

function textAnswer(status: number, text: string): StatusAnswer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8" }, body: `${text}\n` };
}
