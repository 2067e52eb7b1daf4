import type { IncomingMessage, RequestOptions } from "node:http";
import { Readable } from "node:stream";
import { exchanges } from "./measured-http.ts";

type HttpModules = Readonly<Record<"http" | "https", Readonly<Record<string, unknown>>>>;
type MakeRequest = (url: URL, options: RequestOptions, callback: (answer: IncomingMessage) => void) => ClientLike;
type ClientLike = ReturnType<typeof import("node:http").request>;

const mostRedirects = 20;
const redirects = new Set([301, 302, 303, 307, 308]);
const withoutBody = new Set([101, 204, 205, 304]);

interface Sent {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/** `fetch` over the measured http and https. */
export function measuredFetch(modules: HttpModules) {
  return async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { signal, redirect } = request;
    signal.throwIfAborted();
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    let sent: Sent = { url: new URL(request.url), method: request.method, headers: request.headers, body };
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const answer = await sendHop(sent, modules, signal);
      const next = redirects.has(answer.statusCode ?? 0) ? answer.headers.location : undefined;
      if (next === undefined || redirect === "manual") return responseOf(answer, sent.url, hop > 0);
      answer.resume();
      if (redirect === "error") throw new TypeError("fetch failed: unexpected redirect");
      sent = redirected(sent, answer.statusCode, next);
    }
    throw new TypeError(`fetch failed: more than ${mostRedirects} redirects`);
  };
}

function sendHop(
  { url, method, headers, body }: Sent,
  modules: HttpModules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return Promise.reject(new TypeError(`fetch failed: found ${url.protocol}; expected http: or https:`));
  const make = (url.protocol === "https:" ? modules.https : modules.http)["request"] as MakeRequest;
  return new Promise((resolve, reject) => {
    const request = make(url, { method, headers: sentHeaders(headers, body) }, resolve);
    const abort = () => request.destroy(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    request.once("close", () => signal.removeEventListener("abort", abort));
    request.on("error", (cause) => reject(signal.aborted ? signal.reason : new TypeError("fetch failed", { cause })));
    request.end(body);
  });
}

function sentHeaders(headers: Headers, body: Buffer | undefined): Record<string, string> {
  const standard = { accept: "*/*", "user-agent": "node" };
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  return { ...standard, ...Object.fromEntries(headers), ...length };
}

/** As the Fetch standard says: a POST that is moved becomes a GET. */
function redirected(sent: Sent, status: number | undefined, location: string): Sent {
  const url = new URL(location, sent.url);
  const becomesGet = status === 303 || (sent.method === "POST" && (status === 301 || status === 302));
  const headers = new Headers(sent.headers);
  if (url.origin !== sent.url.origin) for (const name of ["authorization", "cookie"]) headers.delete(name);
  if (becomesGet) headers.delete("content-type");
  return becomesGet ? { url, method: "GET", headers, body: undefined } : { ...sent, url, headers };
}

function responseOf(answer: IncomingMessage, url: URL, isRedirected: boolean): Response {
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at] ?? "", answer.rawHeaders[at + 1] ?? "");
  const status = answer.statusCode ?? 200;
  const body = withoutBody.has(status) ? null : (Readable.toWeb(answer) as ReadableStream);
  if (body === null) answer.resume();
  const response = new Response(body, { status, statusText: answer.statusMessage ?? "", headers });
  Object.defineProperty(response, "url", { value: url.href });
  Object.defineProperty(response, "redirected", { value: isRedirected });
  const exchange = exchanges.get(answer);
  if (exchange) exchanges.set(response, exchange);
  return response;
}
